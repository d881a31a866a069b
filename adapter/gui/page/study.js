/** An exercise with its words and buttons, as lessons and puzzles show it. */

import { button, el } from "./dom.js";
import { Exercise } from "./exercise.js";
import { withCodes } from "./guide.js";

export class StudyView {
  /** @param {string} kind beginning of the identifiers of buttons */
  constructor(app, game, kind) {
    this.app = app;
    this.game = game;
    this.kind = kind;
    this.element = el("div", { class: "study" });
  }

  /** Called after a right move. @param {any} _attempt `{isSolved, moves, why}` */
  onRight(_attempt) {}

  /** Called after a wrong move. */
  onWrong() {}

  /** A button of this view. */
  button(name, text, onClick) {
    return button(text, onClick, { id: `${this.kind}-${name}` });
  }

  /**
   * Shows an exercise in place of the last one.
   * @param {number} number
   * @param {{above: any[], buttons: any[], below?: any[]}} words
   * @returns {Promise<any>} the server's answer; `undefined` if it failed or another exercise is shown meanwhile
   */
  async pose(number, { above, buttons, below = [] }) {
    const which = { game: this.game.name, [this.kind]: number };
    const exercise = new Exercise(this.app, which, (attempt) => this.#onTry(attempt));
    this.exercise = exercise;
    this.result = el("p", { class: "result", role: "status" });
    this.again = this.button("again", "Try again", () => this.#tryAgain());
    this.again.hidden = true;
    const row = el("div", { class: "buttons" }, this.again, buttons);
    this.element.replaceChildren(exercise.element, el("div", { class: "study-words" }, above, this.result, row, below));
    const done = await exercise.show();
    return this.exercise === exercise ? done : undefined;
  }

  #onTry(attempt) {
    const { is_right: isRight, moves, why } = attempt;
    this.result.classList.toggle("is-right", isRight);
    this.again.hidden = isRight;
    if (isRight) {
      this.onRight(attempt);
      return;
    }
    this.onWrong();
    this.result.replaceChildren(...withCodes(wrongWords(moves, why)));
    this.again.focus();
  }

  #tryAgain() {
    this.again.hidden = true;
    this.result.textContent = "";
    this.exercise.show();
  }
}

/** Says why a move is not the one asked for. */
function wrongWords([code, reply], why) {
  if (reply) return `Not \`${code}\`: \`${reply}\` answers it, and ${why ?? "wins"}.`;
  return why ? `Not \`${code}\`: ${why}.` : `Not \`${code}\`.`;
}
