/** The dialog that changes the player of a side and the level of engines. */

import { button, el } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { invite } from "./invite.js";
import { nameField, setPlayerName } from "./names.js";
import { labelled } from "./new-game.js";
import { isUnnamed, levelOf, levelOptions, seatOf } from "./seats.js";
import { SIDES } from "./table.js";

export function showSeat(app, table, side, name) {
  openDialog(`Who plays ${name}`, (close) => new SeatForm(app, table, side, close).element, { id: "seat-dialog" });
}

class SeatForm {
  constructor(app, table, side, close) {
    this.app = app;
    this.table = table;
    this.side = side;
    this.close = close;
    this.before = kindOf(table, side);
    const seat = table.seat(side);
    const choice = (value, words) => el("option", { value, selected: value === this.before }, words);
    this.kind = el(
      "select",
      { id: "seat-kind", onchange: () => this.#show() },
      choice("person", "A person here"),
      choice("engine", "The engine"),
      choice("program", "Another engine"),
      choice("guest", "A guest, by a link"),
    );
    const { levels } = app.game(table.game.name);
    this.hasLevels = levels.length > 0;
    this.level = el(
      "select",
      { id: "seat-level" },
      el("option", { value: "" }, "as before"),
      levelOptions(levels, levelBefore(table)),
    );
    this.name = nameField("seat-name", isUnnamed(seat.name) || seat.by === "engine" ? "" : seat.name);
    this.program = el("input", {
      id: "seat-words",
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      placeholder: "cmd=./my-engine st=1",
    });
    this.rest = el("div", {});
    this.error = el("p", { class: "error", role: "alert", hidden: true });
    this.element = el(
      "form",
      { onsubmit: (event) => this.#submit(event) },
      labelled("Who plays", this.kind),
      this.rest,
      this.error,
      el(
        "div",
        { class: "buttons" },
        el("button", { type: "submit", class: "primary", id: "seat-change" }, "Change"),
        table.isGuest(side) && button("Link for the guest", () => this.#invite(), { id: "invite" }),
        button("Cancel", close),
      ),
    );
    this.#show();
  }

  #show() {
    const name = labelled("Name", this.name);
    const fields = {
      person: [name],
      engine: this.hasLevels ? [labelled("Strength of the engines", this.level)] : [],
      program: [labelled("Command", this.program)],
      guest: [name],
    };
    this.rest.replaceChildren(...fields[this.kind.value]);
  }

  async #submit(event) {
    event.preventDefault();
    try {
      await this.#change(this.kind.value);
      this.close();
    } catch (error) {
      this.error.hidden = false;
      this.error.textContent = error.message;
    }
  }

  async #change(kind) {
    const { app, table } = this;
    const isSame = kind === this.before;
    if (kind === "person" && !this.isOtherPerson) setPlayerName(this.name.value);
    if (kind === "engine" && this.level.value !== "" && levelOf(this.level.value) !== levelBefore(table))
      await app.socket.command("set-level", { level: levelOf(this.level.value) });
    // A seat is given to its new player, whose name the records then contain.
    if (kind !== "engine" || !isSame) await this.#seat(kind);
    if (kind === "guest") await this.#invite();
  }

  /** `true` if another person plays at this screen too, so that a name is not this user's. */
  get isOtherPerson() {
    return SIDES.some((side) => side !== this.side && kindOf(this.table, side) === "person");
  }

  /** Assigns the seat to another player with its current clock. */
  #seat(kind) {
    const { limit } = this.table.clocks[SIDES.indexOf(this.side)];
    return this.app.socket.ask("seat", {
      side: this.side,
      seat: seatOf({ kind, name: kind === "engine" ? "" : this.name.value.trim(), engine: this.program.value.trim() }),
      level: kind === "engine" ? this.#level() : null,
      clock: /^(tc|st)=/.test(limit) ? limit : "-",
    });
  }

  #level() {
    return ["", "adaptive"].includes(this.level.value) ? this.table.level : Number(this.level.value);
  }

  async #invite() {
    this.close();
    await invite(this.app, [this.side]);
  }
}

/** Returns the selected level: a number, `adaptive`, or nothing. */
function levelBefore(table) {
  return table.is_adaptive ? "adaptive" : table.level;
}

/** Returns the current kind of player, as the dialog names it. */
function kindOf(table, side) {
  if (table.seat(side).by === "engine") return "engine";
  return table.isGuest(side) ? "guest" : "person";
}
