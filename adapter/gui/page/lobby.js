/** The lobby: choice of games, games to resume, and records to open. */

import { button, el } from "./dom.js";
import { askName, playerName } from "./names.js";
import { aboutOf, showGuide } from "./guide.js";
import { invite } from "./invite.js";
import { Library } from "./library.js";
import { LivingBoards, START_MS } from "./living.js";
import { endLesson, isFirstVisit, showLesson } from "./lesson.js";
import { newGame } from "./new-game.js";
import { Picture, picture } from "./picture.js";
import { dailyPuzzle, dailyWords, showPuzzle } from "./puzzle.js";
import { chooseFile, openRecord } from "./records.js";
import { seatOf } from "./seats.js";

export class LobbyView {
  constructor(app) {
    this.app = app;
    this.title = "";
    const { hello } = app;
    this.name = el("p", { class: "soft" });
    this.streak = el("p", { class: "origin" });
    this.living = new LivingBoards(app);
    this.showName();
    this.library = new Library(app);
    this.element = el(
      "div",
      { class: "lobby" },
      el("h1", {}, "Choose a game"),
      el("p", { class: "lead" }, "Each game has an engine. Start with one click, against an easy one."),
      this.name,
      this.library.first,
      el(
        "div",
        { class: "cards", id: "games" },
        hello.games.map((game) => this.#card(game)),
        this.#daily(),
      ),
      this.library.element,
      this.#records(),
      el("p", { class: "version" }, `Linesman ${hello.version}`),
    );
    this.library.show();
    this.drawing = setTimeout(() => this.drawDaily?.(), START_MS);
  }

  onEvent() {}

  onKey() {
    return false;
  }

  close() {
    clearTimeout(this.drawing);
    this.living.close();
  }

  #card(game) {
    const about = aboutOf(game);
    const level = game.levels.length > 0 ? 0 : null;
    // On the first visit, the main button teaches the game.
    const isFirst = isFirstVisit();
    const start = () => {
      endLesson();
      this.app.open({
        game: game.name,
        options: {},
        seats: [seatOf({ kind: "person", name: playerName() }), seatOf({ kind: "engine" })],
        level,
        clock: "-",
        opening: null,
      });
    };
    const [hasLesson, hasPuzzles] = [game.lesson.steps.length > 0, game.puzzles > 0];
    const meet = () => this.#playFriend(game);
    const learn = () => showLesson(this.app, game, start);
    const puzzle = () => showPuzzle(this.app, game);
    const picture = new Picture(game.diagram, { "aria-label": `A game of ${about.title}` });
    this.living.add(game.name, picture);
    const board = el("div", { class: "card-board", onclick: start }, picture.element);
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
        button("Play", start, {
          class: hasLesson && isFirst ? null : "primary",
          "data-play": game.name,
          "aria-label": `Play ${about.title}`,
        }),
        hasLesson &&
          button("Learn", learn, {
            class: isFirst ? "primary" : null,
            "data-learn": game.name,
            "aria-label": `Learn ${about.title}`,
          }),
        hasPuzzles && button("Puzzle", puzzle, { "data-puzzle": game.name, "aria-label": `Puzzle of ${about.title}` }),
      ),
      el(
        "div",
        { class: "buttons" },
        button("Play a friend", meet, {
          class: "quiet",
          "data-friend": game.name,
          "aria-label": `Play a friend: ${about.title}`,
        }),
        button("How to play", () => showGuide(this.app, game.name), {
          class: "quiet",
          "aria-label": `How to play ${about.title}`,
        }),
        button("Options", () => newGame(this.app, game.name), {
          class: "quiet",
          "aria-label": `Options for ${about.title}`,
        }),
      ),
    );
  }

  /** The card of the puzzle of the day. Its board is requested when the other cards start their games. */
  #daily() {
    const daily = dailyPuzzle(this.app.hello.games);
    if (!daily) return null;
    const { game, number } = daily;
    const solve = () => showPuzzle(this.app, game, number);
    const board = el("div", { class: "card-board", onclick: solve });
    this.drawDaily = async () => {
      const which = { game: game.name, puzzle: number, moves: [], act: "show" };
      const done = await this.app.ask("exercise", which);
      if (done) board.replaceChildren(picture(done.view.diagram));
    };
    return el(
      "article",
      { class: "card", id: "daily" },
      board,
      el("h2", {}, "Puzzle of the day"),
      el("p", { class: "idea" }, `${aboutOf(game).title}: find the moves that win against every answer.`),
      this.streak,
      el("div", { class: "buttons" }, button("Solve it", solve, { id: "daily-solve" })),
    );
  }

  /** Opens a game with a guest, and shows the links for the guest and for spectators. */
  async #playFriend(game) {
    const seats = [seatOf({ kind: "person", name: playerName() }), seatOf({ kind: "guest" })];
    const isOpen = await this.app.open({ game: game.name, options: {}, seats, level: null, clock: "-", opening: null });
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

  #records() {
    return el(
      "section",
      { class: "records" },
      el("h2", {}, "Open a record"),
      el("p", { class: "soft" }, "A ledger or PGN file of Linesman, a position string, or a drawn board."),
      el(
        "div",
        { class: "buttons" },
        button("Choose a file", () => chooseFile(this.app), { id: "open-file" }),
        button("Paste a text", () => openRecord(this.app), { id: "open-text" }),
      ),
    );
  }
}
