/** A picture of a board. Consists of layers. */

import { svg } from "./dom.js";
import { drawOutline, drawShapes } from "./shapes.js";
import { centre, innerRadius } from "./geometry.js";

/** Number of surfaces so far, for the ids of their layers. */
let count = 0;

export class Surface {
  constructor() {
    count += 1;
    /** Copies of the layers beyond the edges of the board. */
    this.copies = svg("g", { class: "copies", "aria-hidden": "true" });
    this.shapes = svg("g", { class: "shapes", id: `shapes-${count}` });
    this.marks = svg("g", { class: "marks", "aria-hidden": "true" });
    this.own = svg("g", { class: "own", "aria-hidden": "true" });
    this.spots = svg("g", { class: "spots" });
    this.hand = svg("g", { class: "hand", id: `hand-${count}`, "aria-hidden": "true" });
    this.signs = svg("g", { class: "signs", "aria-hidden": "true" });
    /** All that is in board units. */
    this.world = svg("g", { class: "world" }, this.copies, this.shapes, this.marks, this.own, this.spots, this.hand);
    this.svg = svg("svg", { class: "board", focusable: "false" }, this.world, this.signs);
    /** Selectable spots: id -> element. */
    this.elements = new Map();
  }

  /** Draws a diagram. @param {Spot[]} spots the spots that can be chosen */
  draw(diagram, spots) {
    this.svg.style.setProperty("--aspect", diagram.width / diagram.height);
    this.svg.dataset.one = diagram.names[0];
    this.svg.dataset.two = diagram.names[1];
    this.shapes.replaceChildren(...drawShapes(diagram));
    this.hand.replaceChildren();
    this.elements = new Map(spots.map((spot) => [spot.id, this.#spot(spot)]));
    this.spots.replaceChildren(...this.elements.values());
  }

  /** Shows all of a diagram. */
  showWhole({ width, height }) {
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.world.style.transform = "";
    this.signs.replaceChildren();
  }

  /** Shows a point in the centre. `size` is that of the picture and `scale` that of a board unit, in pixels. */
  look({ x, y, scale }, size) {
    this.svg.removeAttribute("viewBox");
    const [left, top] = [size[0] / 2 - x * scale, size[1] / 2 - y * scale];
    this.world.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
    if (this.scale !== scale) this.svg.style.setProperty("--px", scale);
    this.scale = scale;
  }

  /** Returns the point under a pointer, in board units. */
  point(event) {
    const matrix = this.world.getScreenCTM();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [x, y];
  }

  /** Board units per pixel. */
  get unit() {
    const { a, b } = this.world.getScreenCTM() ?? { a: 1, b: 0 };
    return 1 / Math.hypot(a, b);
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
