/** Puzzles: positions with a forced win. One a day counts for the streak, which is kept in the browser. */

import { openDialog } from "./dialogs.js";
import { counted, el } from "./dom.js";
import { aboutOf, withCodes } from "./guide.js";
import { stored } from "./settings.js";
import { sideName } from "./strips.js";
import { StudyView } from "./study.js";

/** Storage key of the solved puzzles: `{solved: {GAME: [NUMBER, ...]}, day, streak}`. */
const PUZZLES_KEPT = "linesman-puzzles";

const DAY_MS = 86_400_000;

/** Returns the number of the current day, in the local time zone. */
function today() {
  const now = new Date();
  return Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / DAY_MS);
}

/** Returns the number of days in a row with a solved puzzle of the day. */
function streak() {
  const { day, streak: days } = kept();
  return day >= today() - 1 ? days : 0;
}

/** Returns the puzzle of the day: its game, of those that have puzzles, and its number; `null` without puzzles. */
export function dailyPuzzle(games) {
  const some = games.filter(({ puzzles }) => puzzles > 0);
  const game = some[today() % some.length];
  return game ? { game, number: today() % game.puzzles } : null;
}

/** Describes the days with a solved puzzle of the day. */
export function dailyWords() {
  const days = streak();
  const solved = kept().day === today() ? "Solved today. " : "";
  if (days === 0) return "One a day counts for your streak.";
  return `${solved}Puzzles of the day: ${days} ${days === 1 ? "day" : "days in a row"}.`;
}

/** Beginning of the path of a puzzle. */
const PATH = "/puzzle/";

/** Opens a puzzle of a game; by default that of the day, or the next one that is not solved. */
export function showPuzzle(app, game, number) {
  const daily = today() % game.puzzles;
  const solved = kept().solved[game.name] ?? [];
  const after = (i) => (daily + i) % game.puzzles;
  const first = [...Array(game.puzzles).keys()].map(after).find((it) => !solved.includes(it)) ?? daily;
  const view = new PuzzleView(app, game, daily);
  const dialog = openDialog(`Puzzles: ${aboutOf(game).title}`, () => view.element, { wide: true, id: "puzzle" });
  dialog.addEventListener("close", () => {
    if (location.pathname.startsWith(PATH)) history.back();
    app.view?.showName?.();
  });
  view.go(number ?? first);
}

class PuzzleView extends StudyView {
  constructor(app, game, daily) {
    super(app, game, "puzzle");
    this.daily = daily;
  }

  /** Shows a puzzle. */
  async go(number) {
    setAddress(`${PATH}${this.game.name}/${number + 1}`);
    this.tries = 1;
    this.isHelped = false;
    this.help = [
      this.button("hint", "Hint", () => this.#hint()),
      this.button("solve", "Show the solution", () => this.#solve()),
    ];
    const count = this.game.puzzles;
    this.next = this.button("next", "Another one", () => this.go((number + 1) % count));
    const task = el("p.task#puzzle-task");
    const title = el("p.soft", `Puzzle ${number + 1} of ${count}${number === this.daily ? ", today's" : ""}`);
    const below = [el("p.soft", streakWords())];
    const done = await this.pose(number, { above: [title, task], buttons: [this.help, this.next], below });
    if (!done) return;
    const within = counted(Math.ceil(done.plies / 2), "move");
    task.textContent = `You play ${sideName(done.view, done.view.side)}: win in ${within}, whatever the answers.`;
  }

  onWrong() {
    this.tries += 1;
  }

  onRight({ isSolved, moves, why }) {
    if (isSolved) this.#finish(why);
    else this.result.replaceChildren(...withCodes(`Right. The answer is \`${moves[1]}\`: go on.`));
  }

  #finish(why) {
    const tries = this.tries === 1 ? "at the first try" : `with ${this.tries} tries`;
    if (!this.isHelped) keepSolved(this.game.name, this.number, this.number === this.daily);
    this.result.textContent = `Solved ${this.isHelped ? "with help" : tries}${why ? `: ${why}` : ""}. ${streakWords()}`;
    this.#end();
  }

  #end() {
    for (const help of this.help) help.hidden = true;
    this.next.classList.add("primary");
    this.next.focus();
  }

  #hint() {
    this.isHelped = true;
    this.hint();
  }

  async #solve() {
    const line = await this.findSolution();
    if (!line) return;
    this.again.hidden = true;
    this.result.replaceChildren(...withCodes(`The solution: ${line.map((code) => `\`${code}\``).join(" ")}`));
    this.#end();
    await this.playLine(line);
  }
}

/** Sets the address of the shown puzzle, in place of that of another one. */
function setAddress(path) {
  if (location.pathname === path) return;
  const isPuzzle = location.pathname.startsWith(PATH);
  history[isPuzzle ? "replaceState" : "pushState"](null, "", path);
}

function streakWords() {
  const days = streak();
  return days > 1 ? `${days} days in a row.` : "";
}

function kept() {
  const state = { day: null, streak: 0, ...stored(PUZZLES_KEPT) };
  return { ...state, solved: Object(state.solved) };
}

function keepSolved(game, number, isDaily) {
  const state = kept();
  state.solved[game] = [...new Set([...(state.solved[game] ?? []), number])];
  const daily = isDaily && state.day !== today() ? { streak: streak() + 1, day: today() } : {};
  localStorage.setItem(PUZZLES_KEPT, JSON.stringify({ ...state, ...daily }));
}
