/** Replay of a finished game of a match. */

import { el, iconButton } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { pictureAt } from "./picture.js";
import { positionOf } from "./running.js";

/** Time per ply during automatic replay, in milliseconds. */
const STEP = 900;

/**
 * Opens a dialog with a game.
 * @param {import("./socket.js").Socket} socket
 * @param {{name: string, options: [string, string][]}} game the game with its options
 * @param record as the server answers `replay`
 */
export function openReplay(socket, game, record) {
  const replay = new Replay(socket, game, record);
  const dialog = openDialog(`Game ${record.game}: ${record.p1} vs ${record.p2}`, () => replay.element, {
    wide: true,
    id: "replay",
  });
  dialog.addEventListener("close", () => replay.stop());
  dialog.addEventListener("keydown", (event) => replay.onKey(event));
  return dialog;
}

class Replay {
  constructor(socket, game, record) {
    this.socket = socket;
    this.game = game;
    this.record = record;
    // `moves` contains all moves of the game, including those of the opening.
    this.base = record.opening.split(/ moves(?: |$)/)[0];
    this.ply = record.moves.length;
    this.timer = null;
    this.asked = 0;
    this.board = el("div", { class: "replay-board" });
    this.said = el("p", { class: "soft", "aria-live": "polite" });
    this.range = el("input", {
      type: "range",
      min: "0",
      max: String(this.ply),
      step: "1",
      "aria-label": "Ply",
      oninput: () => this.go(Number(this.range.value)),
    });
    this.list = el(
      "ol",
      { class: "replay-moves" },
      record.moves.map((code, index) => this.#move(code, index + 1)),
    );
    const controls = el(
      "div",
      { class: "buttons" },
      iconButton("first", "First position", () => this.go(0)),
      iconButton("back", "One move back", () => this.go(this.ply - 1)),
      iconButton("play", "Play or pause", () => this.toggle()),
      iconButton("forward", "One move forward", () => this.go(this.ply + 1)),
      iconButton("last", "Last position", () => this.go(record.moves.length)),
    );
    this.element = el(
      "div",
      { class: "match-replay" },
      el("div", {}, this.board, this.range, controls, this.said),
      this.list,
    );
    this.go(this.ply);
  }

  go(ply) {
    this.ply = Math.max(0, Math.min(ply, this.record.moves.length));
    this.range.value = String(this.ply);
    const { moves, result, reason } = this.record;
    const isEnd = this.ply === moves.length;
    this.said.textContent = isEnd ? `${result} ${reason}` : `${this.ply} of ${moves.length} moves`;
    for (const button of this.list.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const current = this.list.querySelector(`[data-ply="${this.ply}"]`);
    current?.setAttribute("aria-current", "true");
    current?.scrollIntoView?.({ block: "nearest" });
    this.#draw();
  }

  toggle() {
    if (this.timer !== null) {
      this.stop();
      return;
    }
    if (this.ply === this.record.moves.length) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.ply + 1);
      if (this.ply === this.record.moves.length) this.stop();
    }, STEP);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
  }

  onKey(event) {
    const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.record.moves.length }[event.key];
    if (to === undefined || event.target === this.range) return;
    event.preventDefault();
    this.go(to);
  }

  #move(code, ply) {
    return el(
      "li",
      {},
      el("button", { type: "button", class: "link", "data-ply": String(ply), onclick: () => this.go(ply) }, code),
    );
  }

  /** Draws the position. Ignores the answer if a newer request was sent in the meantime. */
  async #draw() {
    this.asked += 1;
    const number = this.asked;
    if (this.game.name === "any") return;
    const position = positionOf(this.base, this.record.moves.slice(0, this.ply));
    try {
      const drawn = await pictureAt(this.socket, this.game, position);
      if (number === this.asked) this.board.replaceChildren(drawn);
    } catch (error) {
      if (number === this.asked) this.board.textContent = error.message;
    }
  }
}
