/** The games of this folder and its matches, and the boards of the lobby, each with a recorded game. */

import { aboutOf } from "./guide.js";
import { button, counted, el } from "./dom.js";
import { isBuiltIn, isUnnamed, plainName } from "./seats.js";
import { pictureAt, whole } from "./surface.js";
import { isStill } from "./motion.js";
import { change, settings } from "./settings.js";

/** Least number of games with which they can be searched, and number of games shown at once. */
const SEARCHED = 6;
const SHOWN = 12;
/** Games of one move are not listed. */
const LEAST_PLIES = 2;

export class Library {
  constructor(app) {
    this.app = app;
    this.element = el("section.kept", { "aria-label": "Your games" });
    /** The game to resume: an open table, or the newest unfinished game. */
    this.first = el("section.kept", { "aria-label": "Continue" });
  }

  /** Lists the games: the open ones first, then the unfinished ones, each the newest first. */
  async show() {
    const found = await this.app.ask("games");
    if (!found) return;
    const { tables, games, matches } = found;
    const begun = games.filter(({ plies }) => plies > LEAST_PLIES);
    const unfinished = begun.filter(({ result }) => !result);
    const open = tables.map((table) => () => this.#table(table));
    const ofFile = (game) => () => this.#game(game);
    const finished = begun.filter(({ result }) => result).map(ofFile);
    const entries = [...open, ...unfinished.map(ofFile), ...finished];
    this.entries = entries.map((make) => make());
    if (entries.length > finished.length) {
      const first = entries[0]();
      this.first.replaceChildren(el("h2", "Continue"), el("ul.kept-list", first.element));
      first.draw?.();
    }
    this.count = SHOWN;
    const label = { placeholder: "name, game, date or result", "aria-label": "Search your games" };
    this.search = el("input#library-search", { type: "search", ...label, oninput: () => this.#fill() });
    this.list = el("ul.kept-list#library");
    this.more = button("More games", () => this.#grow(), { id: "library-more" });
    this.search.hidden = this.entries.length < SEARCHED;
    if (this.entries.length > 0) {
      this.element.append(el("h2", "Your games"), this.search, this.list, this.more);
      this.#fill();
    }
    if (matches.length > 0) {
      const list = matches.map((match) => this.#match(match));
      this.element.append(el("h2", "Matches"), el("ul.match-list#matches", list));
    }
  }

  #grow() {
    this.count += SHOWN;
    this.#fill();
  }

  /** Shows the games that contain all words of the search. */
  #fill() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.entries.filter(({ text }) => words.every((word) => text.includes(word)));
    const shown = found.slice(0, this.count);
    this.list.replaceChildren(...shown.map(({ element }) => element));
    if (found.length === 0) this.list.append(el("li.soft", "No game has these words."));
    this.more.hidden = found.length <= this.count;
    for (const entry of shown) entry.draw?.();
  }

  #table({ table, game }) {
    const title = button(gameTitle(this.app, game), () => this.app.attach(table), { class: "link" });
    const element = el("li", title, el("span.soft", "open now"));
    return { element, text: element.textContent.toLowerCase() };
  }

  #game({ path, game, names, plies, position, result, changed }) {
    const title = `${gameTitle(this.app, game)}: ${called(names).join(" and ")}`;
    const more = [resultWords(result, names), counted(Math.ceil(plies / 2), "move"), whenWords(changed)]
      .filter(Boolean)
      .join(" · ");
    const open = () => this.app.resume(path);
    const board = el("div.thumbnail", { "aria-hidden": "true", onclick: open });
    const words = el("div", button(title, open, { class: "link" }), el("span.soft", more));
    const element = el(result ? "li" : "li.unfinished", board, words);
    let isDrawn = false;
    const draw = async () => {
      if (isDrawn) return;
      isDrawn = true;
      const drawn = await pictureAt(this.app.socket, game, position.replace(/^fen /, "")).catch(() => "");
      board.replaceChildren(drawn);
    };
    return { element, draw, text: element.textContent.toLowerCase() };
  }

  #match({ path, id, game, names, changed }) {
    const engines = names.length === 2 ? names.map(plainName).join(" and ") : `${names.length} engines`;
    const title = `${gameTitle(this.app, game)}: ${engines}`;
    const show = () => this.app.showMatch(id, path);
    return el("li", button(title, show, { class: "link", "data-match": id }), el("span.soft", whenWords(changed)));
  }
}

/** Names a game, with the options that differ from their defaults. */
function gameTitle(app, { name, options }) {
  const game = app.game(name);
  return [game ? aboutOf(game).title : name, ...options.map((option) => option.join(" "))].join(", ");
}

/** The players of a game in words. */
function called(names) {
  const isAlone = names.filter(isUnnamed).length === 1;
  return names.map((name, i) => {
    if (isUnnamed(name)) return isAlone ? "you" : `player ${i + 1}`;
    return isBuiltIn(name) ? "the engine" : name;
  });
}

/** Describes a result: `You won`, `Ann won`, `a draw`, or nothing for an unfinished game. */
function resultWords(result, names) {
  if (!result) return "not finished";
  const winner = { "1-0": 0, "0-1": 1 }[result];
  if (winner === undefined) return result === "1/2-1/2" ? "a draw" : "no result";
  return `${called(names)[winner]} won`;
}

/** Formats a time in seconds since 1970. */
function whenWords(seconds) {
  return new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1000);
}

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

  /** Adds a board. @param {import("./surface.js").Picture} picture */
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
