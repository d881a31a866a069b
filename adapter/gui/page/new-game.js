/** The dialog for a new game: options, seats, levels, clock and opening. */

import { aboutOf } from "./guide.js";
import { button, el } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { Editor } from "./editor.js";
import { invite } from "./invite.js";
import { nameField, playerName, setPlayerName } from "./names.js";
import { SIDES } from "./table.js";
import { levelOf, levelOptions, seatOf } from "./seats.js";

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

/**
 * Opens the dialog for a new game.
 * @param {string} [name] the preselected game
 * @param {{options?: object, opening?: string}} [given] initial values
 */
export function newGame(app, name = app.hello?.games[0]?.name, given = {}) {
  if (!app.hello) return;
  openDialog("New game", (close) => new Form(app, name, given, close).element, { id: "new-game-dialog" });
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
  constructor(app, name, given, close) {
    this.app = app;
    this.given = given;
    this.close = close;
    this.fields = el("div", { class: "fields" });
    this.error = el("p", { class: "error", role: "alert", hidden: true });
    const games = app.hello.games.map((game) =>
      el("option", { value: game.name, selected: game.name === name }, aboutOf(game).title),
    );
    this.game = el("select", { id: "field-game", onchange: () => this.#fill({}) }, games);
    this.element = el(
      "form",
      { onsubmit: (event) => this.#submit(event) },
      labelled("Game", this.game),
      this.fields,
      this.error,
      el(
        "div",
        { class: "buttons" },
        el("button", { type: "submit", class: "primary", id: "start-game" }, "Start"),
        button("Cancel", close),
      ),
    );
    this.#fill(given);
  }

  #fill(given) {
    const game = this.app.game(this.game.value);
    this.seats = SIDES.map((side, i) => new SeatFields(this.app, game, side, i));
    this.minutes = el("input", { id: "field-minutes", type: "number", min: "0", max: "600", step: "any", value: "10" });
    this.increment = el("input", {
      id: "field-increment",
      type: "number",
      min: "0",
      max: "600",
      step: "any",
      value: "5",
    });
    const other = el(
      "div",
      { class: "option-fields", hidden: true },
      labelled("Minutes", this.minutes),
      labelled("Seconds for each move", this.increment),
    );
    const choices = CLOCKS.map(([value, words]) => el("option", { value }, words));
    const onchange = () => {
      other.hidden = this.clock.value !== "other";
    };
    this.clock = el("select", { id: "field-clock", onchange }, choices);
    this.opening = el("textarea", {
      id: "field-opening",
      rows: "2",
      spellcheck: "false",
      placeholder: "the default start; or a position, or startpos moves …",
    });
    this.opening.value = given.opening ?? "";
    const first = game.diagram.names[game.diagram.owners.indexOf("p1")];
    this.begins = el(
      "select",
      { id: "field-begins" },
      BEGINS.map(([value, words]) => el("option", { value }, words)),
    );
    this.options = game.options.map((option) => new OptionField(option, given.options?.[option.name]));
    this.fields.replaceChildren(
      el(
        "div",
        { class: "seat-fields" },
        this.seats.map((seat) => seat.element),
      ),
      labelled(first === "p1" ? "Who begins" : `Who begins, as ${first}`, this.begins),
      labelled("Clock", this.clock),
      other,
      el(
        "div",
        { class: "option-fields" },
        this.options.map((field) => field.element),
      ),
      el(
        "details",
        { open: Boolean(given.opening) },
        el("summary", {}, "Other start position"),
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
    const onChange = (position) => {
      this.opening.value = position;
    };
    const editor = new Editor(ask, onChange, this.app.game(this.game.value).diagram);
    const content = (close) => [
      editor.element,
      el("div", { class: "buttons" }, button("Done", close, { class: "primary", id: "set-up-done" })),
    ];
    openDialog("Set up the board", content, { wide: true, id: "set-up-dialog" });
    editor.show(this.opening.value.trim() || null);
  }

  /** Returns the options that differ from their defaults. */
  #chosen() {
    return Object.fromEntries(
      this.options.filter((field) => field.isChanged).map((field) => [field.option.name, field.value]),
    );
  }

  /** Returns the common level of the engines, `adaptive` if one follows the results; `null` if they differ. */
  #level() {
    const levels = this.seats.filter((seat) => seat.kind.value === "engine").map((seat) => levelOf(seat.level.value));
    if (levels.includes("adaptive")) return "adaptive";
    return levels.every((level) => level === levels[0]) ? (levels[0] ?? null) : null;
  }

  /** Returns the time limit in the server's syntax. */
  #clock() {
    if (this.clock.value !== "other") return this.clock.value;
    return `tc=${60 * Number(this.minutes.value)}+${Number(this.increment.value)}`;
  }

  async #submit(event) {
    event.preventDefault();
    if (this.isOpening) return;
    this.isOpening = true;
    const level = this.#level();
    const people = this.seats.filter((seat) => seat.kind.value === "person");
    if (people.length === 1) setPlayerName(people[0].person.value);
    const options = this.#chosen();
    const isTurned = { p1: false, p2: true, lot: Math.random() < 0.5 }[this.begins.value];
    const seats = isTurned ? this.seats.toReversed() : this.seats;
    try {
      const done = await this.app.socket.ask("open", {
        game: this.game.value,
        options,
        seats: seats.map((seat) => seat.words(level === null)),
        level,
        clock: this.#clock(),
        opening: this.opening.value.trim() || null,
      });
      this.close();
      this.app.enter(done.table);
      const guests = SIDES.filter((_, i) => seats[i].kind.value === "guest");
      if (guests.length > 0) invite(this.app, guests);
    } catch (error) {
      this.error.hidden = false;
      this.error.textContent = error.message;
    } finally {
      this.isOpening = false;
    }
  }
}

/** Fields for a player. */
class SeatFields {
  constructor(app, game, side, i) {
    const id = (name) => `field-${side}-${name}`;
    this.kind = el(
      "select",
      { id: id("kind"), onchange: () => this.#show() },
      el("option", { value: "person", selected: i === 0 }, "A person here"),
      el("option", { value: "engine", selected: i === 1 }, "The built-in engine"),
      app.hello.rights === "host" && el("option", { value: "guest" }, "A guest, by a link"),
      app.hello.rights === "host" && el("option", { value: "program" }, "Another engine"),
    );
    this.level = el("select", { id: id("level") }, levelOptions(game.levels));
    this.person = nameField(id("person"), i === 0 ? playerName() : "");
    this.name = nameField(id("name"));
    this.program = el("input", {
      id: id("words"),
      type: "text",
      spellcheck: "false",
      placeholder: "cmd=./my-engine st=1",
    });
    this.more = {
      person: [labelled("Name", this.person)],
      engine: game.levels.length > 0 ? [labelled("Level", this.level)] : [],
      guest: [labelled("Name", this.name)],
      program: [labelled("Command", this.program)],
    };
    this.rest = el("div", {});
    this.element = el("fieldset", {}, el("legend", {}, `Player ${i + 1}`), labelled("Who plays", this.kind), this.rest);
    this.#show();
  }

  /** Returns the seat in the server's syntax, with or without a level. */
  words(hasLevel) {
    return seatOf({
      kind: this.kind.value,
      level: hasLevel ? levelOf(this.level.value) : undefined,
      name: (this.kind.value === "person" ? this.person : this.name).value.trim(),
      engine: this.program.value.trim(),
    });
  }

  #show() {
    this.rest.replaceChildren(...this.more[this.kind.value]);
  }
}

/** Field for an option of the game. */
class OptionField {
  constructor(option, given) {
    this.option = option;
    const id = `option-${option.name.replaceAll(" ", "-")}`;
    const value = given ?? option.default;
    if (option.kind === "check") {
      this.input = el("input", { id, type: "checkbox" });
      this.input.checked = String(value) === "true";
      this.element = el("label", { class: "check", for: id }, this.input, option.question ?? spaced(option.name));
      return;
    }
    this.input =
      option.kind === "combo"
        ? el(
            "select",
            { id },
            option.values.map((choice) => el("option", { value: choice }, choice)),
          )
        : el("input", { id, type: option.kind === "spin" ? "number" : "text", min: option.min, max: option.max });
    this.input.value = value;
    this.element = labelled(option.question ?? spaced(option.name), this.input);
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

/** Creates a field with its label above it. */
export function labelled(name, input) {
  return el("label", { class: "field", for: input.id }, el("span", {}, name), input);
}
