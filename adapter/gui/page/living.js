/** The boards of the lobby, each with a recorded game of its game, move by move. */

import { button } from "./dom.js";
import { isStill } from "./motion.js";
import { change, settings } from "./settings.js";
import { whole } from "./socket.js";

/** Time until the games are requested, which is after the first paint, and between two moves on a board. */
export const START_MS = 1000;
const MOVE_MS = 1800;
/** Number of moves for which the end of a game is shown. */
const REST = 3;

export class LivingBoards {
  constructor(app) {
    this.app = app;
    /** Boards by the name of their game: `{picture, frames, at, isSeen}`. */
    this.boards = new Map();
    this.timer = null;
    /** The browser reports the boards in view, so that no position on the page is measured. */
    this.sight = new IntersectionObserver((entries) => this.#see(entries));
    this.switch = button("", () => this.#toggle(), { class: "link", id: "living-switch", hidden: true });
    this.onHidden = () => this.#schedule();
    document.addEventListener("visibilitychange", this.onHidden);
    this.start = setTimeout(() => this.begin(), START_MS);
  }

  /** Adds a board. @param {import("./picture.js").Picture} picture */
  add(name, picture) {
    this.boards.set(name, { picture, frames: [], at: 0, isSeen: false });
    this.sight.observe(picture.element);
  }

  close() {
    clearTimeout(this.start);
    clearTimeout(this.timer);
    this.sight.disconnect();
    document.removeEventListener("visibilitychange", this.onHidden);
  }

  /** Requests the games, unless the system prefers reduced motion. */
  async begin() {
    if (isStill()) return;
    const found = await this.app.socket.ask("recorded").catch(() => null);
    for (const [name, { diagram, frames }] of Object.entries(found?.games ?? {})) {
      const board = this.boards.get(name);
      if (!board) continue;
      let last = diagram;
      board.frames = frames.map(({ changes }) => {
        last = whole(last, { ...diagram, shapes: { changes } });
        return last;
      });
      board.at = Math.floor(frames.length / 2);
    }
    this.switch.hidden = !found;
    this.#schedule();
  }

  #toggle() {
    change({ lives: !settings().lives });
    this.#schedule();
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #see(entries) {
    for (const { target, isIntersecting } of entries)
      for (const board of this.boards.values()) if (board.picture.element === target) board.isSeen = isIntersecting;
    this.#schedule();
  }

  /** Moves on the boards in turn, while they are seen. */
  #schedule() {
    clearTimeout(this.timer);
    this.timer = null;
    this.switch.textContent = settings().lives ? "Pause the boards" : "Let the boards play";
    const seen = [...this.boards].filter(([, { frames, isSeen }]) => isSeen && frames.length > 0);
    if (seen.length === 0 || document.hidden || !settings().lives) return;
    this.timer = setTimeout(() => {
      // The board that moved last becomes the last one.
      const [[name, board]] = seen;
      this.boards.delete(name);
      this.boards.set(name, board);
      // A dialog covers the boards.
      if (!document.querySelector("dialog[open]")) this.#move(board);
      this.#schedule();
    }, MOVE_MS / seen.length);
  }

  #move(board) {
    board.at = (board.at + 1) % (board.frames.length + REST);
    const frame = board.frames[board.at];
    if (frame) board.picture.show(frame);
  }
}
