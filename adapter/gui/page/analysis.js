/** Analysis of a table's positions: results, running analyses, and their display. */

import { button, counted, el, refill, select, set } from "./dom.js";
import { formatScore, judge, short } from "./scores.js";

/** Maximum number of lines. */
const MOST_LINES = 8;
/** Seconds per move in a review. */
const REVIEW_SECONDS = 0.5;
/** Delay before a newly shown position is analysed, so that stepping through a game starts no engine for each move. */
const ANALYSIS_PAUSE_MS = 150;
/** Maximum number of moves shown of a line. */
const SHOWN_MOVES = 14;
/** Maximum number of lines whose first moves are marked on the board. */
const MARKED_LINES = 4;

export class Analysis {
  /** @param game the view of a table */
  constructor(game) {
    this.game = game;
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
    else if (event.event === "analysed") this.results.set(event.node, event);
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
    this.timer = setTimeout(() => this.isOn && this.#start(), ANALYSIS_PAUSE_MS);
  }

  /** The best moves of the current node, as marks for the board. */
  get marks() {
    const result = this.results.get(this.node);
    if (!this.isOn || !result) return [];
    return result.lines.slice(0, MARKED_LINES).map(({ move, score, visits, nodes }, rank) => {
      return { code: move, score: short(score), more: count(visits ?? nodes), rank };
    });
  }

  /** Annotations of moves: node -> `{sign, words}`. */
  get signs() {
    const signs = new Map();
    for (const [node, { threw_away: isThrown, loss, best }] of this.reviewed) {
      const sign = isThrown ? "??" : judge(loss);
      const words = `${isThrown ? "threw the game away" : "not the best"}: ${best ?? "another move"} was better`;
      if (sign) signs.set(node, { sign, words });
    }
    return signs;
  }

  /** Starts or stops the analysis. */
  toggle() {
    this.isOn = !this.isOn;
    if (this.isOn) this.#start();
    else this.game.app.command("stop-analysis");
    this.#show();
    this.game.scheduleShow();
  }

  #build() {
    this.switch = button("Analyse", () => this.toggle(), { id: "analyse", "aria-pressed": "false" });
    const choices = Array.from({ length: MOST_LINES }, (_, i) => [i + 1, counted(i + 1, "line")]);
    const onchange = () => this.isOn && this.#start();
    this.count = select("analysis-lines", choices, 3, { "aria-label": "Number of lines", onchange });
    const review = button("Find mistakes", () => this.startReview(), { id: "review" });
    this.facts = el("p.facts.soft#analysis-facts");
    this.lines = el("ol.lines#analysis-list");
    this.mistakes = el("ul.mistakes#mistakes");
    this.progress = el("progress", { hidden: true, max: "1", "aria-label": "Review" });
    const row = el("div.row", this.switch, this.count, review);
    this.element = el("div.analysis", row, this.progress, this.facts, this.lines, this.mistakes);
  }

  async #start() {
    this.starting += 1;
    const done = await this.game.app.command("analyse", { node: this.node, lines: Number(this.count.value) });
    this.starting -= 1;
    if (!done) this.isOn = false;
    this.#show();
  }

  /** Starts a review of the moves of the line. */
  async startReview() {
    this.isOn = false;
    const isBegun = await this.game.app.command("review", { seconds: REVIEW_SECONDS });
    if (!isBegun) return;
    this.progress.hidden = false;
    this.progress.value = 0;
    this.#show();
  }

  /** Replaces the state by that of a snapshot. */
  #restore({ analysis, id }) {
    if (this.tableId !== id) {
      this.results.clear();
      this.reviewed.clear();
      this.tableId = id;
    }
    for (const result of analysis?.kept ?? []) this.results.set(result.node, result);
    for (const ply of analysis?.review ?? []) this.reviewed.set(ply.node, ply);
    this.isOn = analysis?.running?.what === "analysis";
    this.game.signsChanged = true;
  }

  #review({ done, total, ply }) {
    if (ply) this.reviewed.set(ply.node, ply);
    this.progress.hidden = done >= total;
    this.progress.max = total;
    this.progress.value = done;
    this.game.signsChanged = true;
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
    const preview = (line) => this.game.look.set({ node: this.game.view.node, line });
    while (this.rows.length < lines.length) this.rows.push(new LineRow(preview));
    for (const [i, line] of lines.entries()) this.rows[i].show(line);
    if (this.lines.childElementCount !== lines.length)
      this.lines.replaceChildren(...this.rows.slice(0, lines.length).map((row) => row.element));
  }

  #showMistakes() {
    const { signs } = this;
    const bad = [...this.reviewed.values()].filter(({ node }) => signs.has(node));
    const item = (ply) => {
      const { node, move, best } = ply;
      const show = { class: "link", "data-mistake": node };
      return el(
        "li",
        button(`${move} ${signs.get(node).sign}`, () => this.game.go(node), show),
        el("span.soft", ply.is_exact ? " proven; " : " "),
        best && button(`${best} instead`, () => this.game.showInstead(ply), { class: "link" }),
      );
    };
    const isWhole = this.reviewed.size > 0 && this.progress.hidden;
    const isScored = [...this.reviewed.values()].some((ply) => ply.after);
    const nothing = isScored ? "No mistakes were found." : "The engine gave no scores.";
    const none = isWhole && bad.length === 0 ? [el("li.soft", nothing)] : [];
    refill(this.mistakes, [bad, none.length], () => [...bad.map(item), ...none]);
  }
}

/** A row of the list of lines: score, depth and moves. */
class LineRow {
  /** @param {(line: string[]) => void} onLine previews the line up to a move */
  constructor(onLine) {
    this.score = el("b.score");
    this.depth = el("span.soft.depth");
    this.moves = Array.from({ length: SHOWN_MOVES }, (_, i) =>
      button("", () => onLine(this.codes.slice(0, i + 1)), { class: "move" }),
    );
    this.element = el("li", this.score, this.depth, el("span.line-moves", this.moves));
  }

  show({ line, move, score, depth }) {
    this.codes = line?.length ? line : [move];
    this.score.textContent = formatScore(score);
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
