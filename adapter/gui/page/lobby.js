/** The lobby: choice of games, games to resume, and records to open. */

import { aboutOf } from "./about.js";
import { button, el } from "./dom.js";
import { askName, playerName } from "./names.js";
import { showGuide } from "./guide.js";
import { showLesson } from "./lesson.js";
import { newGame } from "./new-game.js";
import { picture } from "./picture.js";
import { showPuzzle, streak } from "./puzzle.js";
import { chooseFile, openRecord } from "./records.js";
import { isUnnamed, seatOf } from "./seats.js";

export class LobbyView {
  constructor(app) {
    this.app = app;
    this.title = "";
    const { hello } = app;
    this.name = el("p", { class: "soft" });
    this.showName();
    this.kept = el("section", { class: "kept", "aria-label": "Games to resume" });
    this.element = el(
      "div",
      { class: "lobby" },
      el("h1", {}, "Choose a game"),
      el("p", { class: "lead" }, `${counted(hello.games.length)}, each with an engine that plays it. Start with one click, against an easy engine.`),
      this.name,
      el("div", { class: "cards", id: "games" }, hello.games.map((game) => this.#card(game))),
      this.kept,
      this.#records(),
      el("p", { class: "version" }, `Linesman ${hello.version}`),
    );
    this.#showKept();
  }

  onEvent() {}

  onKey() {
    return false;
  }

  close() {}

  #card(game) {
    const about = aboutOf(game);
    const level = game.levels[0]?.level ?? 0;
    const start = () => this.app.open({ game: game.name, options: {}, seats: [seatOf({ kind: "person", name: playerName() }), seatOf({ kind: "engine" })], level, clock: "-", opening: null });
    const [hasLesson, hasPuzzles] = [game.lesson.steps.length > 0, game.puzzles > 0];
    const learn = () => showLesson(this.app, game, start);
    const puzzle = () => showPuzzle(this.app, game);
    const board = el("div", { class: "card-board", onclick: start }, picture(game.diagram));
    this.#showExample(game, about, board);
    return el(
      "article",
      { class: "card", "data-game": game.name },
      board,
      el("h2", {}, about.title),
      el("p", { class: "idea" }, about.idea),
      el("p", { class: "origin" }, [about.author, about.year].filter(Boolean).join(", ")),
      el(
        "div",
        { class: "buttons" },
        button("Play", start, { class: "primary", "data-play": game.name, "aria-label": `Play ${about.title}` }),
        hasLesson && button("Learn", learn, { "data-learn": game.name, "aria-label": `Learn ${about.title}` }),
        hasPuzzles && button("Puzzle", puzzle, { "data-puzzle": game.name, "aria-label": `Puzzle of ${about.title}` }),
      ),
      el(
        "div",
        { class: "buttons" },
        button("How to play", () => showGuide(this.app, game.name), { class: "quiet", "aria-label": `How to play ${about.title}` }),
        button("Options", () => newGame(this.app, game.name), { class: "quiet", "aria-label": `Options for ${about.title}` }),
      ),
    );
  }

  /** Replaces the empty board of a card by a position of the rules. */
  async #showExample(game, about, board) {
    const position = about.rules.find((rule) => rule.position)?.position;
    const done = position && (await this.app.ask("diagram", { game: game.name, options: {}, position }));
    if (done) board.replaceChildren(picture(done.view.diagram));
  }

  /** Shows the user's name, and the days with a solved puzzle. */
  showName() {
    const name = playerName();
    const choose = () => askName(() => this.showName());
    const days = streak();
    const solved = days > 0 ? `Puzzles of the day: ${days} ${days === 1 ? "day" : "days in a row"}. ` : "";
    const change = name ? "Change the name" : "Choose your name";
    const called = name ? `You play as ${name}. ` : "";
    this.name.replaceChildren(solved, called, button(change, choose, { class: "link", id: "choose-name" }));
  }

  /** Shows open tables, and recent games that can be resumed. */
  async #showKept() {
    const found = await this.app.ask("games");
    if (!found) return;
    const tables = found.tables.map((table) => this.#keptGame(table.title, "open now", () => this.app.attach(table.table)));
    const games = (found.games ?? []).slice(0, 8).map((game) => this.#keptGame(
      `${title(this.app, game.game)}: ${players(game.names)}`,
      [`${movesOf(game.plies)}`, game.is_over && "over", whenWords(game.changed)].filter(Boolean).join(" · "),
      () => this.#openFile(game.path),
    ));
    if (tables.length + games.length === 0) return;
    this.kept.replaceChildren(el("h2", {}, "Resume a game"), el("ul", { class: "kept-list" }, tables, games));
  }

  #keptGame(name, more, onclick) {
    return el("li", {}, button(name, onclick, { class: "link" }), el("span", { class: "soft" }, more));
  }

  async #openFile(path) {
    const done = await this.app.ask("open-file", { path });
    if (done) this.app.enter(done.table);
  }

  #records() {
    return el(
      "section",
      { class: "records" },
      el("h2", {}, "Open a record"),
      el("p", { class: "soft" }, "A ledger or PGN file of Linesman, a position string, or a drawn board."),
      el("div", { class: "buttons" }, button("Choose a file", () => chooseFile(this.app), { id: "open-file" }), button("Paste a text", () => openRecord(this.app), { id: "open-text" })),
    );
  }
}

/** Names the players of a game. */
function players(names) {
  const people = names.filter(isUnnamed);
  const called = (name, i) => (isUnnamed(name) ? (people.length === 1 ? "you" : `player ${i + 1}`) : name);
  return names.map(called).join(" and ");
}

/** Formats a number of plies as moves, of which one is both players' plies. */
function movesOf(plies) {
  const moves = Math.ceil(plies / 2);
  return `${moves} move${moves === 1 ? "" : "s"}`;
}

/** Formats a time in seconds since 1970. */
function whenWords(seconds) {
  return new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1000);
}

/** Formats the number of games as words. */
function counted(n) {
  const words = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"];
  return `${words[n] ?? n} board game${n === 1 ? "" : "s"}`;
}

function title(app, name) {
  const game = app.game(typeof name === "string" ? name : name.name);
  return game ? aboutOf(game).title : String(name);
}
