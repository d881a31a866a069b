/** Analysis of a table's positions: results, running analyses, and their display. */

import { button, el, refill, set } from "./dom.js";
import { format, judge, short } from "./scores.js";

/** Maximum number of lines. */
const MOST_LINES = 8;
/** Seconds per move in a review. */
const REVIEW_SECONDS = 0.5;
/**
 * Delay in milliseconds before a newly shown position is analysed, so that stepping through a game starts no engine for
 * each move.
 */
const PAUSE_MS = 150;
/** Maximum number of moves shown of a line. */
const SHOWN_MOVES = 14;
/** Maximum number of lines whose first moves are marked on the board. */
const MARKED_LINES = 4;

export class Analysis {
  /**
   * @param {object} hooks
   * @param {(command: string, fields?: object) => Promise<boolean>} hooks.command sends a command to the table
   * @param {(line: string[]) => void} hooks.onLine previews a line from the current node
   * @param {(node: number) => void} hooks.onGo shows a node
   * @param {(ply: any) => void} hooks.onInstead shows the better move instead of a ply
   * @param {() => void} hooks.onToggle called after the analysis was started or stopped
   * @param {() => void} hooks.onSigns called when the annotations of moves have changed
   */
  constructor(hooks) {
    this.hooks = hooks;
    /** Deepest result by node: `{side, depth, nodes, nps, lines}`. */
    this.results = new Map();
    /** Review by node: its `reviewed` ply. */
    this.reviewed = new Map();
    this.isOn = false;
    /** Reusable rows of the list of lines. */
    this.rows = [];
    /** Number of requested analyses that have not started yet; each ends the previous one. */
    this.starting = 0;
    this.node = null;
    this.#build();
  }

  /** Handles an event. @returns {boolean} `true` if it belongs to an analysis */
  onEvent(event) {
    if (event.event === "snapshot") this.#restore(event);
    else if (event.event === "analysed") this.#take(event);
    else if (event.event === "reviewed") this.#review(event);
    else if (event.event === "analysis-ended") this.#end(event);
    else return false;
    this.#show();
    return event.event !== "snapshot";
  }

  /** Selects another node; `null` for a position outside the tree. */
  look(node, isPlayable) {
    const isNew = node !== this.node;
    this.node = node;
    this.isPlayable = isPlayable;
    this.#show();
    if (!isNew || !this.isOn || node === null || !isPlayable) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.isOn && this.#start(), PAUSE_MS);
  }

  /** The best moves of the current node, as marks for the board. */
  get marks() {
    const result = this.results.get(this.node);
    if (!this.isOn || !result) return [];
    return result.lines.slice(0, MARKED_LINES).map((line, rank) => ({
      code: line.move,
      score: short(line.score),
      more: count(line.visits ?? line.nodes),
      rank,
    }));
  }

  /** Annotations of moves: node -> `{sign, words}`. */
  get signs() {
    const signs = new Map();
    for (const [node, ply] of this.reviewed) {
      const sign = ply.threw_away ? "??" : judge(ply.loss);
      if (sign)
        signs.set(node, {
          sign,
          words: `${ply.threw_away ? "threw the game away" : "not the best"}: ${ply.best ?? "another move"} was better`,
        });
    }
    return signs;
  }

  /** Starts or stops the analysis. */
  toggle() {
    this.isOn = !this.isOn;
    if (this.isOn) this.#start();
    else this.hooks.command("stop-analysis");
    this.#show();
    this.hooks.onToggle();
  }

  #build() {
    this.switch = button("Analyse", () => this.toggle(), { id: "analyse", "aria-pressed": "false" });
    this.count = el("select", {
      id: "analysis-lines",
      "aria-label": "Number of lines",
      onchange: () => this.isOn && this.#start(),
    });
    for (let n = 1; n <= MOST_LINES; n += 1)
      this.count.append(el("option", { value: n, selected: n === 3 }, `${n} line${n === 1 ? "" : "s"}`));
    this.reviewButton = button("Find mistakes", () => this.startReview(), { id: "review" });
    this.facts = el("p", { class: "facts soft", id: "analysis-facts" });
    this.lines = el("ol", { class: "lines", id: "analysis-list" });
    this.mistakes = el("ul", { class: "mistakes", id: "mistakes" });
    this.progress = el("progress", { hidden: true, max: "1", "aria-label": "Review" });
    this.element = el(
      "div",
      { class: "analysis" },
      el("div", { class: "row" }, this.switch, this.count, this.reviewButton),
      this.progress,
      this.facts,
      this.lines,
      this.mistakes,
    );
  }

  async #start() {
    this.starting += 1;
    const done = await this.hooks.command("analyse", { node: this.node, lines: Number(this.count.value) });
    this.starting -= 1;
    if (!done) this.isOn = false;
    this.#show();
  }

  /** Starts a review of the moves of the line. */
  async startReview() {
    this.isOn = false;
    const isBegun = await this.hooks.command("review", { seconds: REVIEW_SECONDS });
    if (!isBegun) return;
    this.progress.hidden = false;
    this.progress.value = 0;
    this.#show();
  }

  /** Replaces the state by that of a snapshot. */
  #restore({ analysis, id }) {
    if (this.game !== id) {
      this.results.clear();
      this.reviewed.clear();
      this.game = id;
    }
    for (const result of analysis?.kept ?? []) this.results.set(result.node, result);
    for (const ply of analysis?.review ?? []) this.reviewed.set(ply.node, ply);
    this.isOn = analysis?.running?.what === "analysis";
    this.hooks.onSigns();
  }

  #take(result) {
    this.results.set(result.node, result);
  }

  #review({ done, total, ply }) {
    if (ply) this.reviewed.set(ply.node, ply);
    this.progress.hidden = done >= total;
    this.progress.max = total;
    this.progress.value = done;
    this.hooks.onSigns();
  }

  #end({ what }) {
    if (what === "review") this.progress.hidden = true;
    else if (this.starting === 0) this.isOn = false;
  }

  #show() {
    this.switch.setAttribute("aria-pressed", String(this.isOn));
    this.switch.textContent = this.isOn ? "Stop" : "Analyse";
    const result = this.results.get(this.node);
    set(this.element, "data-node", this.node);
    this.lines.style.setProperty("--lines", this.isOn ? this.count.value : 0);
    this.facts.textContent = result ? facts(result) : this.isOn ? "The engine is thinking …" : "";
    this.#showLines(result?.lines ?? []);
    this.#showMistakes();
  }

  /** Updates the rows in place, because a button must not be replaced while it is pressed. */
  #showLines(lines) {
    while (this.rows.length < lines.length) this.rows.push(new LineRow(this.hooks.onLine));
    for (const [i, line] of lines.entries()) this.rows[i].show(line);
    if (this.lines.childElementCount !== lines.length)
      this.lines.replaceChildren(...this.rows.slice(0, lines.length).map((row) => row.element));
  }

  #showMistakes() {
    const { signs } = this;
    const bad = [...this.reviewed.values()].filter((ply) => ["?", "??"].includes(signs.get(ply.node)?.sign));
    const item = (ply) =>
      el(
        "li",
        {},
        button(`${ply.move} ${signs.get(ply.node).sign}`, () => this.hooks.onGo(ply.node), {
          class: "link",
          "data-mistake": ply.node,
        }),
        el("span", { class: "soft" }, ply.is_exact ? " proven; " : " "),
        ply.best && button(`${ply.best} instead`, () => this.hooks.onInstead(ply), { class: "link" }),
      );
    const isWhole = this.reviewed.size > 0 && this.progress.hidden;
    const isScored = [...this.reviewed.values()].some((ply) => ply.after);
    const nothing = isScored ? "No mistakes were found." : "The engine gave no scores.";
    const none = isWhole && bad.length === 0 ? [el("li", { class: "soft" }, nothing)] : [];
    refill(this.mistakes, [bad, none.length], () => [...bad.map(item), ...none]);
  }
}

/** A row of the list of lines: score, depth and moves. */
class LineRow {
  /** @param {(line: string[]) => void} onLine previews the line up to a move */
  constructor(onLine) {
    this.score = el("b", { class: "score" });
    this.depth = el("span", { class: "soft depth" });
    this.moves = Array.from({ length: SHOWN_MOVES }, (_, i) =>
      button("", () => onLine(this.codes.slice(0, i + 1)), { class: "move" }),
    );
    this.element = el("li", {}, this.score, this.depth, el("span", { class: "line-moves" }, this.moves));
  }

  show({ line, move, score, depth }) {
    this.codes = line?.length ? line : [move];
    this.score.textContent = format(score);
    this.depth.textContent = depth ?? "";
    this.moves.forEach((button, i) => {
      const code = this.codes[i];
      button.hidden = code === undefined;
      button.textContent = code ?? "";
      button.dataset.lineMove = code ?? "";
    });
  }
}

function facts({ depth, nodes, nps }) {
  const parts = [depth && `depth ${depth}`, nodes && `${count(nodes)} nodes`, nps && `${count(nps)} a second`];
  return parts.filter(Boolean).join(" · ");
}

/** Abbreviates a number: `812`, `3.1k`, `24k`, `1.2M`. */
export function count(n) {
  if (n === undefined || n === null) return "";
  if (n < 1000) return String(n);
  const [value, unit] = n < 1e6 ? [n / 1e3, "k"] : n < 1e9 ? [n / 1e6, "M"] : [n / 1e9, "G"];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}${unit}`;
}
