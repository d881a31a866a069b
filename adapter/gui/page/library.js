/** The games of this folder with their boards, to resume or to look at again, and its matches with their reports. */

import { aboutOf } from "./guide.js";
import { button, counted, el } from "./dom.js";
import { pictureAt } from "./picture.js";
import { isBuiltIn, isUnnamed, plainName } from "./seats.js";

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
