/** Seats as the server reads them, and levels in words. */

import { el, sentence } from "./dom.js";

/**
 * Returns a seat as the server reads it.
 * @param {{kind: string, name?: string, level?: number|string|null, engine?: string}} seat `kind` is `person`, `engine`,
 *     `guest` or `program`; an engine without a level plays at the level of its table
 */
export function seatOf({ kind, name, level, engine }) {
  if (kind === "program") return { kind, engine };
  if (kind === "engine") return { kind, level: Number.isInteger(level) ? level : null };
  return { kind, name: name?.trim() || null };
}

/** Describes the level at a table in a sentence. */
export function levelNote(table) {
  return `Engines play at level ${table.level}${table.is_adaptive ? ", which follows your results" : ""}.`;
}

/** Creates the options of a selection of levels, none without levels; `chosen` is the value of the selected one. */
export function levelOptions(levels, chosen) {
  if (levels.length === 0) return [];
  const option = (value, words) => el("option", { value, selected: value === chosen }, words);
  return [
    ...levels.map((words, level) => option(level, `${sentence(words)}, level ${level}`)),
    option("adaptive", "As strong as you"),
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

/** `true` if a name is that of the built-in engine in records, as in `Linesman susan 0.2.0`. */
export function isBuiltIn(name) {
  return name.startsWith("Linesman ");
}

/** Names the player of a seat: a person, an engine, or the level of the built-in engine in a word. */
export function titleOf(table, game, side) {
  const { by, name, sitter } = table.seat(side);
  if (by === "engine" && (isBuiltIn(name) || isUnnamed(name))) return sentence(game?.levels[table.level] ?? "engine");
  if (!isUnnamed(name)) return name;
  if (table.mySides.length === 1 && table.mySides[0] === side) return "You";
  const seated = (table.clients ?? []).find(({ role }) => role.player?.includes(side));
  if (seated) return sentence(seated.name);
  return sitter === "host" ? `Player ${side[1]}` : "Guest";
}

/** Describes the player of a seat in a few words. */
export function describe(table, side) {
  const seat = table.seat(side);
  if (seat.partners) return table.turnSide === side ? `${table.player} is to move` : `${seat.partners.length} partners`;
  if (seat.by === "engine") {
    const isOther = !isBuiltIn(seat.name) && !isUnnamed(seat.name);
    const level = table.level === null ? !isOther && "full strength" : `level ${table.level}`;
    return [isOther && "engine", level, table.is_adaptive && "follows your results"].filter(Boolean).join(", ");
  }
  if (seat.sitter === "guest") return "guest";
  if (seat.sitter === "away-guest") return "guest, not connected";
  if (isUnnamed(seat.name)) return "";
  return table.mySides.length === 1 && table.mySides[0] === side ? "you" : "here";
}
