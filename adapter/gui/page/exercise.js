/** An exercise on a board: the server draws the position and judges the moves. */

import { Board } from "./board.js";
import { button, el, refill } from "./dom.js";
import { markNames } from "./legend.js";
import { Refusal } from "./refusal.js";

/** Time for which each move of a solution is shown, in milliseconds. */
const STEP_MS = 900;

export class Exercise {
  /**
   * @param app
   * @param {{game: string, lesson?: number, puzzle?: number}} which
   * @param {(attempt: {is_right: boolean, is_over: boolean, moves: string[], why: string|null}) => void} onTry
   */
  constructor(app, which, onTry) {
    this.app = app;
    this.which = which;
    this.onTry = onTry;
    /** The moves that led to the shown position, and those before a wrong one. */
    this.moves = [];
    this.isUsable = false;
    this.refusal = new Refusal((text) => app.say(text));
    this.board = new Board({
      onMove: (code) => this.play(code),
      onRefuse: (chosen, id) => this.refusal.show(this, chosen, id),
      onName: (text) => this.refusal.tell(text),
    });
    this.board.showsCells = which.lesson !== undefined;
    this.board.names = markNames(app.game(which.game));
    // The copies of a rolled board repeat this layer without its ancestors.
    this.board.surface.shapes.classList.add("untold");
    this.buttons = el("div", { class: "buttons" });
    this.element = el("div", { class: "exercise" }, this.board.element, this.buttons, this.refusal.element);
  }

  /** Shows the position after the right moves. @returns {Promise<any>} the server's answer */
  async show() {
    const done = await this.#ask("show");
    if (done) this.#draw(done.view, this.moves.length, true);
    return done;
  }

  /** Makes a move. A wrong one is shown with the reply that refutes it, until `show`. */
  async play(code) {
    this.isUsable = false;
    this.board.showPlayed(code);
    const done = await this.#ask("try", { code });
    if (!done) {
      this.show();
      return;
    }
    const { attempt } = done;
    const moves = [...this.moves, ...attempt.moves];
    const isSolved = attempt.is_right && (attempt.is_over || attempt.moves.length === 1);
    if (attempt.is_right) this.moves = moves;
    this.#draw(done.view, moves.length, attempt.is_right && !isSolved);
    this.onTry({ ...attempt, isSolved });
  }

  /** Marks the next move of the solution. */
  async hint() {
    const done = await this.#ask("solve");
    const code = done?.line[0];
    if (code) this.board.setMarks([{ code, rank: 0 }]);
    for (const move of this.buttons.children) move.classList.toggle("primary", move.getAttribute("data-code") === code);
  }

  /** Plays the rest of the solution, move by move. */
  async solve() {
    this.isUsable = false;
    const done = await this.#ask("solve");
    for (const code of done?.line ?? []) {
      this.moves = [...this.moves, code];
      const shown = await this.#ask("show");
      if (!shown || !this.element.isConnected) return;
      this.#draw(shown.view, this.moves.length, false);
      this.app.say(code);
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  }

  /** Returns the reason why a move is illegal; `null` if there is none. */
  async why(code) {
    return (await this.#ask("why", { code }))?.why ?? null;
  }

  /** The reason why no move can be entered. */
  get stateReason() {
    return "Try again, or go on to the next one.";
  }

  #draw(view, node, isUsable) {
    this.view = { ...view, node };
    this.isUsable = isUsable && !view.result;
    this.refusal.hide();
    this.board.setMarks([]);
    this.board.show(this.view, this.isUsable);
    const moves = this.isUsable ? view.diagram.gestures.filter((gesture) => gesture.button) : [];
    refill(this.buttons, [node, moves], () =>
      moves.map(({ code, button: name }) => button(name, () => this.play(code), { "data-code": code })),
    );
  }

  #ask(act, fields = {}) {
    return this.app.ask("exercise", { ...this.which, moves: this.moves, act, ...fields });
  }
}
