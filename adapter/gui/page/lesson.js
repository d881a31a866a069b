/** The lesson of a game: positions with one thing to do in each. */

import { openDialog } from "./dialogs.js";
import { button, el } from "./dom.js";
import { aboutOf, withCodes } from "./guide.js";
import { sideName } from "./strips.js";
import { StudyView } from "./study.js";

/** Storage key of the games whose lessons were done or declined, separated by blanks. */
const LESSONS_KEPT = "linesman-lessons";

/** `true` if a game has a lesson that this user has neither done nor declined. */
export function isLessonDue(game) {
  return Boolean(game?.lesson?.steps.length) && !known().includes(game.name);
}

/** `true` if this user has neither begun a game nor done or declined a lesson. */
export function isFirstVisit() {
  return localStorage.getItem(LESSONS_KEPT) === null;
}

/** Remembers that the lesson of a game was done or declined; without a name, that a game was begun. */
export function endLesson(name = "") {
  localStorage.setItem(LESSONS_KEPT, [...new Set([...known(), name])].join(" "));
}

/** Opens the lesson of a game. @param {() => void} [onPlay] starts a game after the last step */
export function showLesson(app, game, onPlay = undefined) {
  const { title } = aboutOf(game);
  const lesson = new Lesson(app, game, onPlay);
  lesson.dialog = openDialog(`Learn ${title}`, () => lesson.element, { wide: true, id: "lesson" });
  lesson.go(0);
}

class Lesson extends StudyView {
  constructor(app, game, onPlay) {
    super(app, game, "lesson");
    this.onPlay = onPlay;
    this.dialog = null;
    this.solved = new Set();
  }

  /** Shows a step. */
  async go(at) {
    const { steps } = this.game.lesson;
    if (at >= steps.length) {
      this.#end();
      return;
    }
    const { text, task } = steps[at];
    this.next = this.button("next", "Skip", () => this.go(at + 1));
    const hint = this.button("hint", "Hint", () => this.hint());
    const side = el("span");
    const count = el("p.soft", `Step ${at + 1} of ${steps.length}`, side);
    const above = [count, el("p", withCodes(text)), el("p.task", withCodes(task))];
    const done = await this.pose(at, { above, buttons: [hint, this.next] });
    if (done) side.textContent = `. You play ${sideName(done.view, done.view.side)}.`;
  }

  onRight({ isSolved, why }) {
    this.result.textContent = isSolved ? `Right${why ? `: ${why}` : ""}.` : "Right so far: now the next move.";
    if (!isSolved) return;
    this.solved.add(this.number);
    this.next.textContent = "Next";
    this.next.classList.add("primary");
    this.next.focus();
    this.isUsable = false;
  }

  #end() {
    endLesson(this.game.name);
    const start = () => {
      this.dialog.close();
      this.onPlay();
    };
    const last =
      this.solved.size === this.game.lesson.steps.length
        ? "You know the rules. The engine begins easily, and “How to play” has the details."
        : "That was the lesson. “How to play” has the rules that you skipped.";
    const close = button("Close", () => this.dialog.close(), { id: "lesson-close" });
    const play = this.onPlay && button("Play", start, { class: "primary", id: "lesson-play" });
    const words = [el("p.lead", last), el("div.buttons", play, close)];
    this.element.replaceChildren(el("div.study-words", words));
    (play ?? close).focus();
  }
}

function known() {
  return (localStorage.getItem(LESSONS_KEPT) ?? "").split(" ").filter(Boolean);
}
