/** Formats seats in the console's syntax, and levels in words. */

/**
 * Formats a seat in the server's syntax.
 * @param {{kind: "person" | "engine" | "guest" | "program", name?: string, level?: number, words?: string}} seat an
 *     engine without a level plays at the level of its table
 */
export function seatOf({ kind, name, level, words }) {
  const named = name?.trim() ? ` name='${name.trim().replaceAll("'", "")}'` : "";
  if (kind === "person") return `human${named}`;
  if (kind === "guest") return `remote${named}`;
  if (kind === "program") return words;
  return level === undefined ? "builtin" : `builtin 'option.Skill Level=${level}'`;
}

/** Describes a level of the engine: the nearest named one at or below it. */
export function levelWords(game, level) {
  if (level === null || level === undefined) return "";
  const known = (game?.levels ?? []).filter((known) => known.level <= level);
  return known.at(-1)?.words ?? `level ${level}`;
}

/** `true` if a name is the server's default for people without a name. */
export function isUnnamed(name) {
  return /^human( #2)?$/.test(name);
}

/** Describes the player of a seat in a few words. */
export function describe(table, game, side) {
  const seat = table.seat(side);
  if (seat.partners) return table.turnSide === side ? `${table.player} is to move` : `${seat.partners.length} partners`;
  if (seat.by === "engine") return `engine${levelWords(game, seat.level ?? table.level) ? `, ${levelWords(game, seat.level ?? table.level)}` : ""}`;
  if (seat.sitter === "guest") return "guest";
  if (seat.sitter === "away-guest") return "guest, not connected";
  if (isUnnamed(seat.name)) return "";
  return table.mySides.length === 1 && table.mySides[0] === side ? "you" : "here";
}
