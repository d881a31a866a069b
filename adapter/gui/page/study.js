/** An exercise on a board with its words and buttons, as lessons and puzzles show it. The server judges the moves. */

import { Board } from "./board.js";
import { button, el, refill } from "./dom.js";
import { withCodes } from "./guide.js";
import { sleep } from "./motion.js";
import { Refusal } from "./refusal.js";
import { markNames } from "./pieces.js";

/** Time for which each move of a solution is shown, in milliseconds. */
const SOLUTION_STEP_MS = 900;

export class StudyView {
  /** The reason why no move can be entered. */
  stateReason = "Try again, or go on to the next one.";

  /** @param {"lesson"|"puzzle"} kind beginning of the identifiers of buttons */
  constructor(app, game, kind) {
    this.app = app;
    this.game = game;
    this.kind = kind;
    this.element = el("div.study");
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
   * Shows an exercise in place of the last one, with elements above and below its result and with buttons.
   * @returns {Promise<any>} the server's answer; `undefined` if it failed or another exercise is shown meanwhile
   */
  async pose(number, { above, buttons, below = [] }) {
    this.number = number;
    /** The moves that led to the shown position, and those before a wrong one. */
    this.moves = [];
    this.isUsable = false;
    this.refusal = new Refusal((text) => this.app.say(text));
    this.board = new Board({
      onMove: (code) => this.play(code),
      onRefuse: (chosen, id) => this.refusal.show(this, chosen, id),
      onName: (text) => this.refusal.tell(text),
    });
    this.board.showsCells = this.kind === "lesson";
    this.board.names = markNames(this.game);
    // The copies of a rolled board repeat this layer without its ancestors.
    this.board.surface.shapes.classList.add("untold");
    this.moveButtons = el("div.buttons");
    this.result = el("p.result", { role: "status" });
    this.again = this.button("again", "Try again", () => this.#tryAgain());
    this.again.hidden = true;
    this.element.replaceChildren(
      el("div.exercise", this.board.element, this.moveButtons, this.refusal.element),
      el("div.study-words", above, this.result, el("div.buttons", this.again, buttons), below),
    );
    const { board } = this;
    const done = await this.#show();
    return this.board === board ? done : undefined;
  }

  /** Makes a move. A wrong one is shown with the reply that refutes it, until it is tried again. */
  async play(code) {
    const { board } = this;
    this.isUsable = false;
    board.showPlayed(code);
    const done = await this.#ask("try", { code });
    if (this.board !== board) return;
    if (!done) {
      this.#show();
      return;
    }
    const { is_right: isRight, is_over: isOver, moves, why } = done.attempt;
    const isSolved = isRight && (isOver || moves.length === 1);
    const all = [...this.moves, ...moves];
    if (isRight) this.moves = all;
    this.#draw(done.view, all.length, isRight && !isSolved);
    this.result.classList.toggle("is-right", isRight);
    this.again.hidden = isRight;
    if (isRight) {
      this.onRight({ isSolved, moves, why });
      return;
    }
    this.onWrong();
    this.result.replaceChildren(...withCodes(wrongWords(moves, why)));
    this.again.focus();
  }

  /** Marks the next move of the solution. */
  async hint() {
    const code = (await this.findSolution())?.[0];
    if (code) this.board.setMarks([{ code, rank: 0 }]);
    for (const move of this.moveButtons.children)
      move.classList.toggle("primary", move.getAttribute("data-code") === code);
  }

  /** Returns the moves of the solution that are left; `null` if there is none, after a message that says so. */
  async findSolution() {
    const line = (await this.#ask("solve"))?.line;
    if (line?.length) return line;
    this.result.textContent = "No solution was found from here: go on to another one.";
    return null;
  }

  /** Plays these moves one by one. */
  async playLine(line) {
    this.isUsable = false;
    const { board } = this;
    for (const code of line) {
      this.moves = [...this.moves, code];
      const shown = await this.#ask("show");
      if (!shown || this.board !== board || !board.element.isConnected) return;
      this.#draw(shown.view, this.moves.length, false);
      this.app.say(code);
      await sleep(SOLUTION_STEP_MS);
    }
  }

  /** Returns the reason why a move is illegal; `null` if there is none. */
  async why(code) {
    return (await this.#ask("why", { code }))?.why ?? null;
  }

  /** Shows the position after the right moves. @returns {Promise<any>} the server's answer */
  async #show() {
    const { board } = this;
    const done = await this.#ask("show");
    if (done && this.board === board) this.#draw(done.view, this.moves.length, true);
    return done;
  }

  #draw(view, node, isUsable) {
    this.view = { ...view, node };
    this.isUsable = isUsable && !view.result;
    this.refusal.hide();
    this.board.setMarks([]);
    this.board.show(this.view, this.isUsable);
    const moves = this.isUsable ? view.diagram.gestures.filter((gesture) => gesture.button) : [];
    refill(this.moveButtons, [node, moves], () =>
      moves.map(({ code, button: name }) => button(name, () => this.play(code), { "data-code": code })),
    );
  }

  #tryAgain() {
    this.again.hidden = true;
    this.result.textContent = "";
    this.#show();
  }

  #ask(act, fields = {}) {
    const which = { game: this.game.name, [this.kind]: this.number };
    return this.app.ask("exercise", { ...which, moves: this.moves, act, ...fields });
  }
}

/** Says why a move is not the one asked for. */
function wrongWords([code, reply], why) {
  if (reply) return `Not \`${code}\`: \`${reply}\` answers it, and ${why ?? "wins"}.`;
  return why ? `Not \`${code}\`: ${why}.` : `Not \`${code}\`.`;
}
