/** One picture of a board: all of it, or the part under the lens. Consists of layers. */

import { svg } from "./dom.js";
import { drawOutline, drawShapes, hairline } from "./shapes.js";
import { centre, innerRadius } from "./geometry.js";

export class Surface {
  /** @param {string} name class of the picture: `whole` or `lens` */
  constructor(name) {
    this.shapes = svg("g", { class: "shapes" });
    this.marks = svg("g", { class: "marks", "aria-hidden": "true" });
    this.spots = svg("g", { class: "spots" });
    this.hand = svg("g", { class: "hand", "aria-hidden": "true" });
    this.svg = svg("svg", { class: `board ${name}`, focusable: "false" }, this.shapes, this.marks, this.spots, this.hand);
    /** Selectable spots: id -> element. */
    this.elements = new Map();
  }

  /**
   * Draws a part of a diagram.
   * @param {{low: number[], high: number[]}} part the visible part
   * @param {object[]} spots the spots that can be chosen in this picture
   */
  draw(diagram, part, spots) {
    const [width, height] = [part.high[0] - part.low[0], part.high[1] - part.low[1]];
    this.size = Math.max(width, height);
    this.svg.setAttribute("viewBox", [...part.low, width, height].join(" "));
    this.svg.style.setProperty("--aspect", width / height);
    this.svg.dataset.one = diagram.names[0];
    this.svg.dataset.two = diagram.names[1];
    this.shapes.replaceChildren(...drawShapes(diagram));
    this.hand.replaceChildren();
    this.elements = new Map(spots.map((spot) => [spot.id, this.#spot(spot)]));
    this.spots.replaceChildren(...this.elements.values());
  }

  /** Draws a frame around the part that the lens shows. */
  frame(diagram, { low, high }) {
    const width = 2.5 * hairline(diagram);
    const [x, y] = low.map((start) => start + width / 2);
    const frame = svg("rect", { x, y, width: high[0] - width / 2 - x, height: high[1] - width / 2 - y, class: "frame", "stroke-width": width });
    this.shapes.append(frame);
  }

  /** Returns the point under a pointer, in board units. */
  point(event) {
    const matrix = this.svg.getScreenCTM();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [x, y];
  }

  /** Board units per pixel. */
  get unit() {
    return 1 / (this.svg.getScreenCTM()?.a || 1);
  }

  #spot(spot) {
    const [cx, cy] = centre(spot.outline);
    const r = innerRadius(spot.outline);
    return svg(
      "g",
      { class: "spot", role: "button", tabindex: "-1", "data-spot": spot.id, "aria-label": spot.label },
      drawOutline(spot.outline, { class: "outline" }),
      svg("circle", { class: "dot", cx, cy, r: 0.26 * r }),
      svg("circle", { class: "ring", cx, cy, r: 0.86 * r, "stroke-width": 0.12 * r }),
    );
  }
}
