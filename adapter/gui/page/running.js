/** Boards of the running games of a match, and the replay of a finished one. The server draws one at a time. */

import { button, el, iconButton, set } from "./dom.js";
import { sleep } from "./motion.js";
import { formatScore } from "./scores.js";
import { plainName } from "./seats.js";
import { pictureAt } from "./surface.js";
import { openDialog } from "./dialogs.js";

/** Maximum number of boards; further games are only counted. */
const MAX_BOARDS = 24;

/** Minimum time between two requests for boards, and between two pictures of the same board, in milliseconds. */
const PAUSE = 60;
const BOARD_PAUSE = 250;

export class RunningBoards {
  constructor(socket) {
    this.socket = socket;
    this.game = null;
    /** Games by number: `{moves, opening, card, drawn, …}`. */
    this.games = new Map();
    this.isDrawn = true;
    this.isOpen = true;
    this.list = el("ul.running-boards");
    this.more = el("p.soft", { hidden: true });
    const title = el("h2#running-title", "Running");
    this.element = el("section.running", { "aria-labelledby": title.id }, title, this.list, this.more);
    this.#draw();
  }

  /** Shows a match that begins or is joined. */
  begin(plan, running) {
    this.clear();
    this.game = plan.game;
    this.isDrawn = plan.game.name !== "any";
    for (const game of running) this.start(game);
  }

  start({ game, p1, p2, opening, moves }) {
    this.games.get(game)?.card?.element.remove();
    const names = [p1, p2].map(plainName);
    const entry = { game, opening, moves: [...moves], scores: ["", ""], names, drawn: "", shownAt: 0, card: null };
    this.games.set(game, entry);
  }

  play({ game, move, score, ply }) {
    const entry = this.games.get(game);
    if (!entry) return;
    entry.moves.push(move);
    // Player 1 makes the odd plies.
    if (score) entry.scores[(ply + 1) % 2] = formatScore(score);
    if (entry.card) this.#write(entry);
  }

  /** Ends a game. Its end stays on its card, until it was seen and another game needs the place. */
  end({ game, result }) {
    const entry = this.games.get(game);
    if (!entry?.card) {
      this.games.delete(game);
      return;
    }
    entry.result = result;
    this.#write(entry);
  }

  clear() {
    this.games.clear();
    this.#arrange();
    this.list.replaceChildren();
  }

  close() {
    this.isOpen = false;
    this.games.clear();
  }

  /** Shows the oldest games as cards, as many as are running. A new one takes the place of one that is over. */
  #arrange() {
    const all = [...this.games.values()];
    const waiting = all.filter(({ card }) => !card);
    const over = all.filter(({ result }) => result);
    const isSeen = (entry) => !this.isDrawn || (entry.drawn === positionOf(entry) && isRested(entry));
    const nRunning = all.length - over.length;
    const nNew = Math.min(nRunning, MAX_BOARDS) - (all.length - waiting.length);
    const places = [...over.filter(isSeen), ...Array(Math.max(nNew, 0)).fill(null)];
    for (const entry of waiting.splice(0, places.length)) {
      const last = places.shift();
      entry.card = card(entry);
      if (last) {
        // The end of the last game stays until the new one is drawn.
        entry.card.board.replaceChildren(...last.card.board.childNodes);
        last.card.element.replaceWith(entry.card.element);
        this.games.delete(last.game);
      } else this.list.append(entry.card.element);
      this.#write(entry);
    }
    this.more.hidden = nRunning <= MAX_BOARDS;
    this.more.textContent = `and ${nRunning - MAX_BOARDS} more games`;
    this.element.hidden = this.games.size === 0;
  }

  #write({ card, moves, scores, result }) {
    card.ply.textContent = result ?? `move ${Math.max(1, Math.ceil(moves.length / 2))}`;
    card.scores.forEach((cell, side) => {
      cell.textContent = scores[side];
    });
    if (!this.isDrawn) card.board.textContent = moves.slice(-12).join(" ");
  }

  /** Gives games their places and draws, again and again, the board that has waited longest. */
  async #draw() {
    while (this.isOpen) {
      this.#arrange();
      const isDue = (entry) => entry.card && isRested(entry) && entry.drawn !== positionOf(entry);
      const due = [...this.games.values()].filter(isDue).sort((a, b) => a.shownAt - b.shownAt);
      if (this.isDrawn && due.length > 0) await this.#ask(due[0]);
      await sleep(PAUSE);
    }
  }

  async #ask(entry) {
    const wanted = positionOf(entry);
    const drawn = await pictureAt(this.socket, this.game, wanted).catch(({ message }) => message);
    entry.shownAt = performance.now();
    entry.drawn = wanted;
    entry.card.board.replaceChildren(drawn);
  }
}

/** `true` if the last picture of a board was shown long enough. */
function isRested({ shownAt }) {
  return performance.now() - shownAt >= BOARD_PAUSE;
}

/** Joins an opening and the moves after it, in the server's syntax. */
export function positionOf({ opening, moves }) {
  if (!moves.length) return opening;
  const joint = / moves( |$)/.test(opening) ? " " : " moves ";
  return opening + joint + moves.join(" ");
}

function card({ game, names }) {
  const scores = names.map(() => el("span.score"));
  const ply = el("span.soft");
  const board = el("div.running-board");
  const player = (side) => el("p.player", el("bdi", { title: names[side] }, names[side]), scores[side]);
  const element = el("li", { "data-running": game }, player(1), board, player(0), el("p", `Game ${game} · `, ply));
  return { element, scores, ply, board };
}

/** Time per ply during automatic replay, in milliseconds. */
const REPLAY_STEP_MS = 900;

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
    }, REPLAY_STEP_MS);
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

  /** Draws the position, unless another one is requested in the meantime. */
  async #draw() {
    const { ply } = this;
    if (this.game.name === "any") return;
    const position = positionOf({ opening: this.base, moves: this.record.moves.slice(0, ply) });
    const drawn = await pictureAt(this.socket, this.game, position).catch(({ message }) => message);
    if (ply === this.ply) this.board.replaceChildren(drawn);
  }
}
