/** Who plays: seats in the words of the console, levels in words for people. */

/**
 * A seat in the words that the server reads.
 * @param {{kind: "person" | "engine" | "guest" | "program", name?: string, level?: number, words?: string}} seat an engine
 *     without a level plays at that of its table
 */
export function seatOf({ kind, name, level, words }) {
  const named = name ? ` name='${name.replaceAll("'", "")}'` : "";
  if (kind === "person") return `human${named}`;
  if (kind === "guest") return `remote${named}`;
  if (kind === "program") return words;
  return level === undefined ? "builtin" : `builtin 'option.Skill Level=${level}'`;
}

/** A level of the engine in words: the nearest one below that has a name. */
export function levelWords(game, level) {
  if (level === null || level === undefined) return "";
  const known = (game?.levels ?? []).filter((known) => known.level <= level);
  return known.at(-1)?.words ?? `level ${level}`;
}

/** Whether a name is but the one that the server gives to people without a name. */
export function isUnnamed(name) {
  return /^human( #2)?$/.test(name);
}

/** Who plays a seat, in a few words. */
export function describe(table, game, side) {
  const seat = table.seat(side);
  if (seat.partners) return table.turnSide === side ? `${table.player} is to move` : `${seat.partners.length} partners`;
  if (seat.by === "engine") return `engine${levelWords(game, seat.level ?? table.level) ? `, ${levelWords(game, seat.level ?? table.level)}` : ""}`;
  if (seat.sitter === "guest") return "guest";
  if (seat.sitter === "away-guest") return "guest, not here";
  return isUnnamed(table.seat(side).name) ? "" : "here";
}
