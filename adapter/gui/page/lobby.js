/** The lobby: choice of games, games to resume, and records to open. */

import { button, el } from "./dom.js";
import { aboutOf, showGuide } from "./guide.js";
import { invite } from "./invite.js";
import { Library, LivingBoards, START_MS } from "./library.js";
import { endLesson, isFirstVisit, showLesson } from "./lesson.js";
import { newGame } from "./new-game.js";
import { dailyPuzzle, dailyWords, showPuzzle } from "./puzzle.js";
import { chooseFile, openRecord } from "./records.js";
import { askName, playerName } from "./settings.js";
import { Picture } from "./surface.js";

export class LobbyView {
  constructor(app) {
    this.app = app;
    this.title = "";
    const { hello } = app;
    this.name = el("p.soft");
    this.streak = el("p.origin");
    this.living = new LivingBoards(app);
    this.showName();
    this.library = new Library(app);
    this.element = el(
      "div.lobby",
      el("h1", "Choose a game"),
      el("p.lead", "Each game has an engine. Start with one click, against an easy one."),
      this.name,
      this.library.first,
      el(
        "div.cards#games",
        hello.games.map((game) => this.#card(game)),
        this.#daily(),
      ),
      this.library.element,
      el(
        "section.records",
        el("h2", "Open a record"),
        el("p.soft", "A ledger or PGN file of Linesman, a position string, or a drawn board."),
        el(
          "div.buttons",
          button("Choose a file", () => chooseFile(app), { id: "open-file" }),
          button("Paste a text", () => openRecord(app), { id: "open-text" }),
        ),
      ),
      el("p.version", `Linesman ${hello.version}`),
    );
    this.library.show();
    this.drawing = setTimeout(() => this.drawDaily?.(), START_MS);
  }

  close() {
    clearTimeout(this.drawing);
    this.living.close();
  }

  #card(game) {
    const { app } = this;
    const about = aboutOf(game);
    // On the first visit, the main button teaches the game.
    const isFirst = isFirstVisit();
    const start = () => {
      endLesson();
      const seats = [ownSeat(), { kind: "engine" }];
      app.open({ game: game.name, seats, level: game.levels.length > 0 ? 0 : null });
    };
    const hasLesson = game.lesson.steps.length > 0;
    const picture = new Picture(game.diagram, `A game of ${about.title}`);
    this.living.add(game.name, picture);
    const act = (words, name, onclick, kind = null) =>
      button(words, onclick, {
        class: kind,
        [`data-${name}`]: game.name,
        "aria-label": `${words}: ${about.title}`,
      });
    return el(
      "article.card",
      { "data-game": game.name },
      el("div.card-board", { onclick: start }, picture.element),
      el("h2", about.title),
      el("p.idea", about.idea),
      el("p.origin", about.origin),
      el(
        "div.buttons",
        act("Play", "play", start, hasLesson && isFirst ? null : "primary"),
        hasLesson && act("Learn", "learn", () => showLesson(app, game, start), isFirst ? "primary" : null),
        game.puzzles > 0 && act("Puzzle", "puzzle", () => showPuzzle(app, game)),
      ),
      el(
        "div.buttons",
        act("Play a friend", "friend", () => this.#playFriend(game), "quiet"),
        act("How to play", "guide", () => showGuide(app, game.name), "quiet"),
        act("Options", "options", () => newGame(app, game.name), "quiet"),
      ),
    );
  }

  /** The card of the puzzle of the day. Its board is requested when the other cards start their games. */
  #daily() {
    const daily = dailyPuzzle(this.app.hello.games);
    if (!daily) return null;
    const { game, number } = daily;
    const solve = () => showPuzzle(this.app, game, number);
    const board = el("div.card-board", { onclick: solve });
    this.drawDaily = async () => {
      const which = { game: game.name, puzzle: number, moves: [], act: "show" };
      const done = await this.app.ask("exercise", which);
      if (done) board.replaceChildren(new Picture(done.view.diagram).element);
    };
    return el(
      "article.card#daily",
      board,
      el("h2", "Puzzle of the day"),
      el("p.idea", `${aboutOf(game).title}: find the moves that win against every answer.`),
      this.streak,
      el("div.buttons", button("Solve it", solve, { id: "daily-solve" })),
    );
  }

  /** Opens a game with a guest, and shows the links for the guest and for spectators. */
  async #playFriend(game) {
    const seats = [ownSeat(), { kind: "guest" }];
    const isOpen = await this.app.open({ game: game.name, seats, level: null });
    if (isOpen) invite(this.app, ["p2"]);
  }

  /** Shows the user's name, and the days with a solved puzzle of the day. */
  showName() {
    const name = playerName();
    const choose = () => askName(() => this.showName());
    this.streak.textContent = dailyWords();
    const change = name ? "Change the name" : "Choose your name";
    const called = name ? `You play as ${name}. ` : "";
    const naming = button(change, choose, { class: "link", id: "choose-name" });
    this.name.replaceChildren(called, naming, this.living.switch);
  }
}

/** The seat of this user. */
function ownSeat() {
  return { kind: "person", name: playerName() || null };
}
