/** The score over a game as a clickable curve, and the bar next to the board. Both show player 1's point of view. */

import { el, svg } from "./dom.js";
import { colourOf } from "./pieces.js";
import { chance, formatScore } from "./scores.js";
import { sideName } from "./strips.js";

const HEIGHT = 60;

export class Graph {
  /** @param {(ply: number) => void} onGo shows a ply of the line; 0 is its start */
  constructor(onGo) {
    this.curve = svg("svg.curve", { preserveAspectRatio: "none", "aria-hidden": "true" });
    const oninput = () => onGo(Number(this.range.value));
    this.range = el("input", { type: "range", min: "0", step: "1", "aria-label": "Move of the game", oninput });
    this.element = el("div.graph#graph", { hidden: true }, this.curve, this.range);
  }

  /**
   * Shows a line of the game.
   * @param {({cp?: number, mate?: number}|null)[]} scores after each ply, from player 1's point of view
   * @param {number} at the shown ply
   * @param {Set<number>} marked plies with blunders
   */
  show(scores, at, marked) {
    const known = scores.flatMap((score, ply) => (score ? [[ply, HEIGHT * (1 - chance(score))]] : []));
    this.element.hidden = known.length < 2;
    if (this.element.hidden) return;
    const width = Math.max(scores.length - 1, 1);
    this.curve.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const line = known.map((point) => point.join(",")).join("L");
    const [first, last] = [known[0][0], known.at(-1)[0]];
    this.curve.replaceChildren(
      svg("path.above", { d: `M${first},${HEIGHT}L${line}L${last},${HEIGHT}Z` }),
      svg("path.even", { d: `M0,${HEIGHT / 2}H${width}` }),
      svg("path.score-line", { d: `M${line}` }),
      ...[...marked].map((ply) => svg("path.marked", { d: `M${ply},0V${HEIGHT}` })),
      svg("path.now", { d: `M${at},0V${HEIGHT}` }),
    );
    this.range.max = String(width);
    this.range.value = String(at);
    this.range.setAttribute(
      "aria-valuetext",
      `move ${at}${scores[at] ? `, ${formatScore(scores[at])} for player 1` : ""}`,
    );
  }
}

/** The bar next to the board. The winning chance of the side shown at the bottom fills it from below. */
export class Bar {
  constructor() {
    this.rest = svg("rect", { width: 10, height: 100 });
    this.fill = svg("rect", { x: 0, width: 10 });
    this.label = el("span.bar-label");
    const even = svg("path.even", { d: "M0,50H10" });
    const box = { viewBox: "0 0 10 100", preserveAspectRatio: "none", "aria-hidden": "true" };
    this.picture = svg("svg.board", box, this.rest, this.fill, even);
    this.element = el("div.bar#bar", { role: "img", hidden: true }, this.picture, this.label);
  }

  /** Shows a score from player 1's point of view, in the colours of a view. `isFlipped` if player 1 is at the top. */
  show(score, isFlipped, view) {
    this.element.hidden = !score;
    if (!score) return;
    const height = 100 * chance(score);
    this.fill.setAttribute("height", height);
    this.fill.setAttribute("y", isFlipped ? 0 : 100 - height);
    this.label.textContent = formatScore(score);
    this.label.classList.toggle("above", isFlipped);
    const { names } = view.diagram;
    Object.assign(this.picture.dataset, { one: names[0], two: names[1] });
    const colour = colourOf(view.diagram, "p1");
    for (const [i, rect] of [this.fill, this.rest].entries())
      rect.setAttribute("class", ["two", "one"][Number((colour === 1) === (i === 0))]);
    this.element.setAttribute("aria-label", `Score ${formatScore(score)} for ${sideName(view, "p1")}`);
  }
}
