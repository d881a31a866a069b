/** Replay of a finished game of a match. */

import { button, el, iconButton, set } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { pictureAt } from "./picture.js";
import { positionOf } from "./running.js";
import { plainName } from "./seats.js";

/** Time per ply during automatic replay, in milliseconds. */
const STEP_MS = 900;

/** Opens a dialog with a game. @param game its name and options @param record as the server answers `replay` */
export function openReplay(socket, game, record) {
  const replay = new Replay(socket, game, record);
  const title = plainName(`Game ${record.game}: ${record.p1} vs ${record.p2}`);
  const dialog = openDialog(title, () => replay.element, { wide: true, id: "replay" });
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
    this.end = record.moves.length;
    this.timer = null;
    this.board = el("div.replay-board");
    this.said = el("p.soft", { "aria-live": "polite" });
    const oninput = () => this.go(Number(this.range.value));
    this.range = el("input", { type: "range", min: "0", max: this.end, step: "1", "aria-label": "Ply", oninput });
    this.moves = record.moves.map((code, i) =>
      button(code, () => this.go(i + 1), { class: "link", "data-ply": i + 1 }),
    );
    const controls = [
      iconButton("first", "First position", () => this.go(0)),
      iconButton("back", "One move back", () => this.go(this.ply - 1)),
      iconButton("play", "Play or pause", () => this.toggle()),
      iconButton("forward", "One move forward", () => this.go(this.ply + 1)),
      iconButton("last", "Last position", () => this.go(this.end)),
    ];
    const list = this.moves.map((move) => el("li", move));
    this.element = el(
      "div.match-replay",
      el("div", this.board, this.range, el("div.buttons", controls), this.said),
      el("ol.replay-moves", list),
    );
    this.go(this.end);
  }

  go(ply) {
    this.ply = Math.max(0, Math.min(ply, this.end));
    this.range.value = String(this.ply);
    const { result, reason } = this.record;
    this.said.textContent = this.ply === this.end ? `${result} ${reason}` : `${this.ply} of ${this.end} moves`;
    for (const [i, move] of this.moves.entries()) set(move, "aria-current", i + 1 === this.ply && "true");
    this.moves[this.ply - 1]?.scrollIntoView?.({ block: "nearest" });
    this.#draw();
  }

  toggle() {
    if (this.timer !== null) {
      this.stop();
      return;
    }
    if (this.ply === this.end) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.ply + 1);
      if (this.ply === this.end) this.stop();
    }, STEP_MS);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
  }

  onKey(event) {
    const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.end }[event.key];
    if (to === undefined || event.target === this.range) return;
    event.preventDefault();
    this.go(to);
  }

  /** Draws the position, unless another one is asked for in the meantime. */
  async #draw() {
    const { ply } = this;
    if (this.game.name === "any") return;
    const position = positionOf(this.base, this.record.moves.slice(0, ply));
    const drawn = await pictureAt(this.socket, this.game, position).catch(({ message }) => message);
    if (ply === this.ply) this.board.replaceChildren(drawn);
  }
}
