/** Seats as the server reads them, and levels in words. */

import { el, labelled, select, sentence, textField } from "./dom.js";
import { nameField } from "./settings.js";

/** Kinds of players that a person can choose. Those of the engines file have their names there. */
const KINDS = [
  ["person", "A person here"],
  ["engine", "The built-in engine"],
  ["guest", "A guest, by a link"],
  ["program", "Another engine"],
];

const PROTOCOLS = ["ugi", "uci", "uai", "cecp", "gtp"].map((name) => [name, name.toUpperCase()]);

/** The fields for a player. */
export class SeatFields {
  /**
   * @param {string} prefix beginning of the ids
   * @param {string} kind the kind that is selected
   * @param {Record<string, string>} names names by kind
   * @param {any[][]} levels choices of a level; empty if the engine has none
   * @param {string[]} engines names of the user's engines
   * @param {any} [level] the selected one
   */
  constructor(prefix, kind, names, levels, engines, level = levels[0]?.[0]) {
    this.names = names;
    const kinds = [...KINDS, ...engines.map((name) => [LISTED + name, name])];
    this.kindField = select(`${prefix}-kind`, kinds, kind, { onchange: () => this.#show() });
    this.levelField = select(`${prefix}-level`, levels, level);
    this.nameField = nameField(`${prefix}-name`);
    this.pathField = textField(`${prefix}-path`, { placeholder: "./my-engine" });
    this.argsField = textField(`${prefix}-args`, { placeholder: "separated by blanks" });
    this.protoField = select(`${prefix}-proto`, PROTOCOLS);
    this.secondsField = textField(`${prefix}-seconds`, { type: "number", min: "0", step: "any" });
    this.optionsField = el(`textarea#${prefix}-options`, { rows: "2", placeholder: "Hash=64, one on each line" });
    this.rest = el("div");
    this.elements = [labelled("Who plays", this.kindField), this.rest];
    this.#show();
  }

  get kind() {
    return this.kindField.value;
  }

  get name() {
    return this.nameField.value.trim();
  }

  /** The selected level: a number or `adaptive`; `null` for none. */
  get level() {
    const { value } = this.levelField;
    if (value === "") return null;
    return value === "adaptive" ? value : Number(value);
  }

  /** Returns the seat as the server reads it. @param {any} level of an engine; without one, it plays at that of its table */
  seat(level) {
    const { kind } = this;
    if (kind.startsWith(LISTED)) return { kind: "listed", name: kind.slice(LISTED.length) };
    if (kind === "program") return { kind, engine: this.#engine() };
    if (kind === "engine") return { kind, level: Number.isInteger(level) ? level : null };
    return { kind, name: this.name || null };
  }

  #engine() {
    const seconds = this.secondsField.value;
    return {
      name: this.name || null,
      program: {
        command: { path: this.pathField.value.trim(), args: this.argsField.value.split(/\s+/).filter(Boolean) },
      },
      proto: this.protoField.value,
      limit: seconds ? `st=${seconds}` : "-",
      // A button has no value.
      options: [...this.optionsField.value.matchAll(OPTION)].map(([, name, value = null]) => [name, value]),
    };
  }

  #show() {
    const { kind } = this;
    const hasName = kind === "person" || kind === "guest";
    if (hasName) this.nameField.value = this.names[kind] ?? "";
    const name = labelled("Name", this.nameField);
    const program = [
      labelled("Program", this.pathField),
      labelled("Arguments", this.argsField),
      name,
      labelled("Protocol", this.protoField),
      labelled("Seconds for each move", this.secondsField),
      labelled("Options", this.optionsField),
    ];
    const engine = this.levelField.options.length > 0 ? [labelled("Level", this.levelField)] : [];
    this.rest.replaceChildren(...(hasName ? [name] : ({ engine, program }[kind] ?? [])));
  }
}

/** Beginning of the kind of an engine of the engines file. */
const LISTED = "listed ";

/** An option of an engine in its line: `NAME=VALUE`, or the name of a button. */
const OPTION = /^[ \t]*([^=\n]*[^=\s])(?:=(.*))?$/gm;

/** Describes the level at a table in a sentence. */
export function levelNote(table) {
  return `Engines play at level ${table.level}${table.is_adaptive ? ", which follows your results" : ""}.`;
}

/** Returns the choices of a level, none without levels. @param {string[]} levels @returns {any[][]} */
export function levelChoices(levels) {
  if (levels.length === 0) return [];
  const choice = (words, level) => [level, `${sentence(words)}, level ${level}`];
  return [...levels.map(choice), ["adaptive", "As strong as you"]];
}

/** `true` if a name is the server's default for people without a name. */
export function isUnnamed(name) {
  return /^human( #2)?$/.test(name);
}

/** `true` if a name is that of the built-in engine in records, as in `Linesman susan 0.2.0`. */
export function isBuiltIn(name) {
  return name.startsWith("Linesman ");
}

/** Names the built-in engine in a text as people do, without the game and the version of its name in records. */
export function plainName(text) {
  return text.replace(/\bLinesman [\w-]+ \d+\.\d+\.\d+/g, "Linesman");
}

/** Names the player of a seat: a person, an engine, or the level of the built-in engine in a word. */
export function titleOf(table, game, side) {
  const { by, name, sitter, partners } = table.seat(side);
  if (by === "engine" && (isBuiltIn(name) || isUnnamed(name))) return sentence(game?.levels[table.level] ?? "engine");
  const seated = (table.clients ?? []).find(({ role }) => role.player?.includes(side));
  // A guest may have chosen another name than the host's.
  if (!isUnnamed(name)) return (!partners && seated?.name) || name;
  if (table.mySide === side) return "You";
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
  return table.mySide === side ? "you" : "here";
}
