/** The dialogs for a new game, with options, seats, levels, clock and opening, and for another player of a side. */

import { openDialog, openForm } from "./dialogs.js";
import { button, checkbox, el, labelled, select, textField } from "./dom.js";
import { Editor } from "./editor.js";
import { aboutOf } from "./guide.js";
import { invite } from "./invite.js";
import { SeatFields, isUnnamed, levelChoices } from "./seats.js";
import { SIDES } from "./table.js";
import { playerName, setPlayerName } from "./settings.js";

/** Time limits in the server's syntax, with their names. */
const CLOCKS = [
  ["-", "No clock"],
  ["tc=60+1", "1 minute and 1 second per move"],
  ["tc=180+2", "3 minutes and 2 seconds per move"],
  ["tc=300+3", "5 minutes and 3 seconds per move"],
  ["tc=900+10", "15 minutes and 10 seconds per move"],
  ["st=30", "30 seconds per move"],
  ["other", "Other"],
];

/** Who begins: a player, or one chosen by lot. */
const BEGINS = [
  ["p1", "Player 1"],
  ["p2", "Player 2"],
  ["lot", "By lot"],
];

/** Opens the dialog for a new game. @param {{options?: object, opening?: string}} [given] initial values */
export function newGame(app, name = app.hello?.games[0]?.name, given = {}) {
  if (!app.hello) return;
  const form = new Form(app, name, given);
  openForm("New game", "new-game-dialog", form.elements, ["Start", "start-game"], (close) => form.start(close));
}

/** Opens the dialog for the position in an address: `#game=susan&Size=4&position=…`. */
export function openPosition(app, hash) {
  const fields = new URLSearchParams(hash.slice(1));
  const name = fields.get("game");
  if (!app.game(name)) return;
  const opening = fields.get("position") ?? "";
  for (const key of ["game", "position"]) fields.delete(key);
  newGame(app, name, { options: Object.fromEntries(fields), opening });
}

class Form {
  constructor(app, name, given) {
    this.app = app;
    this.fields = el("div.fields");
    const games = app.hello.games.map((game) => [game.name, aboutOf(game).title]);
    this.game = select("field-game", games, name, { onchange: () => this.#fill({}) });
    this.elements = [labelled("Game", this.game), this.fields];
    this.#fill(given);
  }

  #fill(given) {
    const game = this.app.game(this.game.value);
    const levels = levelChoices(game.levels);
    const { engines } = this.app.hello;
    this.seats = [
      new SeatFields("field-p1", "person", { person: playerName() }, levels, engines),
      new SeatFields("field-p2", "engine", {}, levels, engines),
    ];
    const number = { type: "number", min: "0", max: "600", step: "any" };
    this.minutes = textField("field-minutes", { ...number, value: "10" });
    this.increment = textField("field-increment", { ...number, value: "5" });
    const times = [labelled("Minutes", this.minutes), labelled("Seconds for each move", this.increment)];
    const other = el("div.option-fields", { hidden: true }, times);
    const onchange = () => {
      other.hidden = this.clock.value !== "other";
    };
    this.clock = select("field-clock", CLOCKS, "-", { onchange });
    const placeholder = "the default start; or a position, or startpos moves …";
    this.opening = el("textarea#field-opening", { rows: "2", spellcheck: "false", placeholder });
    this.opening.value = given.opening ?? "";
    const first = game.diagram.names[game.diagram.owners.indexOf("p1")];
    this.begins = select("field-begins", BEGINS);
    this.options = game.options.map((option) => new OptionField(option, given.options?.[option.name]));
    const players = this.seats.map((seat, i) => el("fieldset", el("legend", `Player ${i + 1}`), seat.elements));
    this.fields.replaceChildren(
      el("div.seat-fields", players),
      labelled(first === "p1" ? "Who begins" : `Who begins, as ${first}`, this.begins),
      labelled("Clock", this.clock),
      other,
      el(
        "div.option-fields",
        this.options.map((field) => field.element),
      ),
      el(
        "details",
        { open: Boolean(given.opening) },
        el("summary", "Other start position"),
        labelled("Opening", this.opening),
        button("Set up the board", () => this.#setUp(), { id: "set-up" }),
      ),
    );
  }

  /** Shows a board on which the start position is set up by clicks. */
  #setUp() {
    const ask = async (position) => {
      const board = { game: this.game.value, options: this.#chosen(), position };
      return (await this.app.socket.ask("diagram", board)).view;
    };
    let done;
    // Start would refuse a position that the game does not allow.
    const onChange = (position) => {
      done.disabled = position === null;
      if (position !== null) this.opening.value = position;
    };
    const editor = new Editor(ask, onChange, this.app.game(this.game.value).diagram);
    const content = (close) => {
      done = button("Done", close, { class: "primary", id: "set-up-done" });
      return [editor.element, el("div.buttons", done)];
    };
    openDialog("Set up the board", content, { wide: true, id: "set-up-dialog" });
    editor.show(this.opening.value.trim() || null);
  }

  /** Returns the options that differ from their defaults. */
  #chosen() {
    return Object.fromEntries(
      this.options.filter((field) => field.isChanged).map((field) => [field.option.name, field.value]),
    );
  }

  /** Opens the game. */
  async start(close) {
    // The common level of the engines, or of those that follow the results.
    const levels = this.seats.filter(({ kind }) => kind === "engine").map(({ level }) => level);
    const isCommon = levels.every((level) => level === levels[0]);
    const level = levels.includes("adaptive") ? "adaptive" : isCommon ? (levels[0] ?? null) : null;
    const tc = `tc=${60 * Number(this.minutes.value)}+${Number(this.increment.value)}`;
    const people = this.seats.filter(({ kind }) => kind === "person");
    if (people.length === 1) setPlayerName(people[0].name);
    const isTurned = { p1: false, p2: true, lot: Math.random() < 0.5 }[this.begins.value];
    const seats = isTurned ? this.seats.toReversed() : this.seats;
    const { table } = await this.app.socket.ask("open", {
      game: this.game.value,
      options: this.#chosen(),
      seats: seats.map((seat) => seat.seat(level === null ? seat.level : null)),
      level,
      clock: this.clock.value === "other" ? tc : this.clock.value,
      opening: this.opening.value.trim() || null,
    });
    close();
    this.app.enter(table);
    const guests = SIDES.filter((_, i) => seats[i].kind === "guest");
    if (guests.length > 0) invite(this.app, guests);
  }
}

/** Field for an option of the game. */
class OptionField {
  constructor(option, given) {
    this.option = option;
    const { kind, name, min, max, values } = option;
    const id = `option-${name.replaceAll(/\W/g, "-")}`;
    const value = given ?? option.default;
    const words = option.question ?? spaced(name);
    if (kind === "check") {
      this.element = checkbox(id, words, String(value) === "true");
      this.input = this.element.querySelector("input");
      return;
    }
    this.input =
      kind === "combo"
        ? select(
            id,
            values.map((choice) => [choice, choice]),
            value,
          )
        : textField(id, { type: kind === "spin" ? "number" : "text", min, max, value });
    this.element = labelled(words, this.input);
  }

  get value() {
    if (this.option.kind === "check") return this.input.checked;
    return this.option.kind === "spin" ? Number(this.input.value) : this.input.value;
  }

  get isChanged() {
    return String(this.value) !== String(this.option.default);
  }
}

/** Splits the name of an option into words: `SlideLimit` becomes `Slide limit`. */
function spaced(name) {
  return name.replace(/([a-z])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`);
}

export function showSeat(app, table, side, name) {
  const before = kindOf(table, side);
  const seat = table.seat(side);
  const { levels } = app.game(table.game.name);
  const level = table.is_adaptive ? "adaptive" : table.level;
  const choices = levels.length > 0 ? [["", "as before"], ...levelChoices(levels)] : [];
  const names = isUnnamed(seat.name) ? {} : { [before]: seat.name };
  const fields = new SeatFields("seat", before, names, choices, app.hello.engines, level);
  // If another person plays at this screen too, a name is not this user's.
  const isAlone = !SIDES.some((other) => other !== side && kindOf(table, other) === "person");
  const change = async (close) => {
    const { kind } = fields;
    if (kind === "person" && isAlone) setPlayerName(fields.name);
    if (kind === "engine" && fields.level !== null && fields.level !== level)
      await app.socket.ask("table", { command: { command: "set-level", level: fields.level } });
    // A seat is given to its new player, whose name the records then contain.
    if (kind !== "engine" || kind !== before) {
      const { limit } = table.clocks[SIDES.indexOf(side)];
      await app.socket.ask("seat", {
        side,
        seat: fields.seat(null),
        level: kind === "engine" ? (Number.isInteger(fields.level) ? fields.level : table.level) : null,
        clock: /^(tc|st)=/.test(limit) ? limit : "-",
      });
    }
    close();
    if (kind === "guest") await invite(app, [side]);
  };
  const link = async () => {
    dialog.close();
    await invite(app, [side]);
  };
  const more = table.isGuest(side) && button("Link for the guest", link, { id: "invite" });
  const dialog = openForm(`Who plays ${name}`, "seat-dialog", fields.elements, ["Change", "seat-change"], change, more);
}

/** Returns the current kind of player, as the dialog names it. */
function kindOf(table, side) {
  if (table.seat(side).by === "engine") return "engine";
  return table.isGuest(side) ? "guest" : "person";
}
