/** Formats seats in the console's syntax, and levels in words. */

import { el } from "./dom.js";

/**
 * Formats a seat in the server's syntax.
 * @param {{kind: string, name?: string, level?: number|string|null, words?: string}} seat `kind` is `person`, `engine`, `guest`
 *     or `program`; an engine without a level plays at the level of its table
 */
export function seatOf({ kind, name, level, words }) {
  const named = name?.trim() ? ` name='${name.trim().replaceAll("'", "")}'` : "";
  if (kind === "person") return `human${named}`;
  if (kind === "guest") return `remote${named}`;
  if (kind === "program") return words;
  return (level ?? "adaptive") === "adaptive" ? "builtin" : `builtin 'option.Skill Level=${level}'`;
}

/** Describes a level of the engine, from the table's list or the game's. */
export function levelWords(levels, level) {
  if (level === null || level === undefined) return "";
  return levels?.find((known) => known.level === level)?.words ?? `level ${level}`;
}

/** Describes the level at a table in a sentence. */
export function levelNote(table) {
  const rest = table.is_adaptive ? ", which follows your results" : "";
  return `Engines play at ${levelWords(table.levels, table.level)}${rest}.`;
}

/** Creates the options of a selection of levels, none without levels; `chosen` is the value of the selected one. */
export function levelOptions(levels, chosen) {
  if (levels.length === 0) return [];
  const option = (value, words) => el("option", { value, selected: value === chosen }, words);
  return [
    ...levels.map(({ level, words }) => option(level, words)),
    option("adaptive", "adaptive: follows your results"),
  ];
}

/** Returns the value of a selection of levels: a number or `adaptive`; `null` if there are no levels. */
export function levelOf(value) {
  if (value === "") return null;
  return value === "adaptive" ? value : Number(value);
}

/** `true` if a name is the server's default for people without a name. */
export function isUnnamed(name) {
  return /^human( #2)?$/.test(name);
}

/** Describes the player of a seat in a few words. */
export function describe(table, game, side) {
  const seat = table.seat(side);
  if (seat.partners) return table.turnSide === side ? `${table.player} is to move` : `${seat.partners.length} partners`;
  if (seat.by === "engine") {
    const level = levelWords(table.levels ?? game?.levels, seat.level ?? table.level);
    return ["engine", level, table.is_adaptive && "adaptive"].filter(Boolean).join(", ");
  }
  if (seat.sitter === "guest") return "guest";
  if (seat.sitter === "away-guest") return "guest, not connected";
  if (isUnnamed(seat.name)) return "";
  return table.mySides.length === 1 && table.mySides[0] === side ? "you" : "here";
}
