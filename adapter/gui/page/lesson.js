/** The lesson of a game: positions with one thing to do in each. */

import { aboutOf } from "./about.js";
import { openDialog } from "./dialogs.js";
import { button, el } from "./dom.js";
import { Exercise } from "./exercise.js";
import { withCodes } from "./guide.js";
import { sideName } from "./strips.js";

/** Storage key of the games whose lessons were done or declined, separated by blanks. */
const KEPT = "linesman-lessons";

/** `true` if a game has a lesson that this user has neither done nor declined. */
export function isLessonDue(game) {
  return Boolean(game?.lesson?.steps.length) && !known().includes(game.name);
}

/** Remembers that the lesson of a game was done or declined. */
export function endLesson(name) {
  localStorage.setItem(KEPT, [...new Set([...known(), name])].join(" "));
}

/** Opens the lesson of a game. @param {() => void} [onPlay] starts a game after the last step */
export function showLesson(app, game, onPlay) {
  const { title } = aboutOf(game);
  const lesson = new Lesson(app, game, onPlay);
  lesson.dialog = openDialog(`Learn ${title}`, () => lesson.element, { wide: true, id: "lesson" });
  lesson.go(0);
}

class Lesson {
  constructor(app, game, onPlay) {
    this.app = app;
    this.game = game;
    this.onPlay = onPlay;
    this.element = el("div", { class: "study" });
  }

  /** Shows a step. */
  go(at) {
    const { steps } = this.game.lesson;
    this.at = at;
    if (at >= steps.length) {
      this.#end();
      return;
    }
    const { text, task } = steps[at];
    const which = { game: this.game.name, lesson: at };
    const exercise = new Exercise(this.app, which, (attempt) => this.#onTry(attempt));
    this.exercise = exercise;
    this.result = el("p", { class: "result", role: "status" });
    this.again = button("Try again", () => this.#again(), { id: "lesson-again", hidden: true });
    this.next = button("Skip", () => this.go(at + 1), { id: "lesson-next" });
    const hint = button("Hint", () => exercise.hint(), { id: "lesson-hint" });
    const side = el("span", {});
    const words = el(
      "div",
      { class: "study-words" },
      el("p", { class: "soft" }, `Step ${at + 1} of ${steps.length}`, side),
      el("p", {}, withCodes(text)),
      el("p", { class: "task" }, withCodes(task)),
      this.result,
      el("div", { class: "buttons" }, this.again, hint, this.next),
    );
    this.element.replaceChildren(exercise.element, words);
    exercise.show().then((done) => done && (side.textContent = `. You play ${sideName(done.view, done.view.side)}.`));
  }

  #onTry({ is_right: isRight, isSolved, moves, why }) {
    const { exercise, result } = this;
    result.classList.toggle("is-right", isRight);
    if (!isRight) result.replaceChildren(...withCodes(wrongWords(moves, why)));
    else result.textContent = isSolved ? `Right${why ? `: ${why}` : ""}.` : "Right so far: now the next move.";
    this.again.hidden = isRight;
    if (!isRight) this.again.focus();
    if (!isSolved) return;
    this.next.textContent = "Next";
    this.next.classList.add("primary");
    this.next.focus();
    exercise.isUsable = false;
  }

  #again() {
    this.again.hidden = true;
    this.result.textContent = "";
    this.exercise.show();
  }

  #end() {
    endLesson(this.game.name);
    const start = () => {
      this.dialog.close();
      this.onPlay();
    };
    const last = "You know the rules. The engine begins easily, and “How to play” has the details.";
    const close = button("Close", () => this.dialog.close(), { id: "lesson-close" });
    const play = this.onPlay && button("Play", start, { class: "primary", id: "lesson-play" });
    const words = [el("p", { class: "lead" }, last), el("div", { class: "buttons" }, play, close)];
    this.element.replaceChildren(el("div", { class: "study-words" }, words));
    (play ?? close).focus();
  }
}

/** Says why a move is not the one asked for. */
export function wrongWords([code, reply], why) {
  if (reply) return `Not \`${code}\`: the answer \`${reply}\` wins${why ? `, ${why}` : ""}.`;
  return why ? `Not \`${code}\`: ${why}.` : `Not \`${code}\`.`;
}

function known() {
  return (localStorage.getItem(KEPT) ?? "").split(" ").filter(Boolean);
}
