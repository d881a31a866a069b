/** The workers of a match that is played by a fleet. */

import { el, refill } from "./dom.js";

/**
 * Columns: title, `true` if shown in narrow windows, and the text for a worker.
 * @type {[string, boolean, (worker: any) => string][]}
 */
const COLUMNS = [
  ["Games at once", false, ({ concurrency, cores }) => `${concurrency} on ${cores} cores`],
  ["Pairs", true, ({ pairs }) => String(pairs)],
  ["An hour", true, ({ rate }) => rate.toFixed(0)],
  ["Now", false, ({ playing }) => String(playing)],
  ["Time limits", false, ({ scale }) => `× ${scale.toFixed(2)}`],
  ["Load", false, ({ load }) => load.toFixed(1)],
  ["Last seen", true, ({ seen, is_gone: isGone }) => (isGone ? `lost ${ago(seen)} ago` : `${ago(seen)} ago`)],
];

export class Workers {
  constructor() {
    this.summary = el("p", { class: "soft" });
    this.rows = el("tbody");
    const head = COLUMNS.map(([title, isNarrow]) => el("th", { scope: "col", class: isNarrow ? null : "wide" }, title));
    const table = el(
      "table",
      {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Machine"), head)),
      this.rows,
    );
    this.element = el(
      "section",
      { class: "workers", "aria-labelledby": "workers-title", hidden: true },
      el("h2", { id: "workers-title" }, "Workers"),
      this.summary,
      table,
    );
  }

  /** Shows the current workers: a part of `total`. */
  show({ workers, total }) {
    this.element.hidden = false;
    const playing = workers.filter((worker) => !worker.is_gone && !worker.refused);
    const sum = (value) => playing.reduce((all, worker) => all + value(worker), 0);
    const games = sum(({ concurrency }) => concurrency);
    const rate = sum((worker) => worker.rate).toFixed(0);
    const more = total > workers.length ? `; ${total - workers.length} more are not shown` : "";
    this.summary.textContent = total
      ? `${counted(playing.length, "worker")}, ${counted(games, "game")} at once, ${rate} pairs an hour${more}`
      : "No worker yet. Each machine runs linesman worker.";
    refill(this.rows, workers, () => workers.map(row));
  }

  /** Hides the list when the match is over. */
  clear() {
    this.element.hidden = true;
  }
}

function row(worker) {
  const { name, machine, cpu, refused, is_gone: isGone } = worker;
  const about = el("th", { scope: "row", title: name }, el("bdi", {}, machine), el("bdi", { class: "soft" }, cpu));
  const cells = refused
    ? el("td", { colspan: String(COLUMNS.length) }, `refused: ${refused}`)
    : COLUMNS.map(([, isNarrow, text]) => el("td", { class: isNarrow ? null : "wide" }, text(worker)));
  return el("tr", { "data-worker": name, class: isGone || refused ? "gone" : null }, about, cells);
}

function counted(n, noun) {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}

function ago(seconds) {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
