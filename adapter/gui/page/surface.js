/** A picture of a board, in layers: of an interactive one, a static one, or an exported one. */

import { el, set, svg } from "./dom.js";
import { drawOutline, drawShape, fade, hairline } from "./shapes.js";
import { centre, innerRadius } from "./geometry.js";

/** Number of surfaces so far, for the ids of their layers. */
let nSurfaces = 0;

export class Surface {
  constructor() {
    nSurfaces += 1;
    const layer = (name) => svg(`g.${name}`, { "aria-hidden": "true" });
    /** Copies of the layers beyond the edges of the board. */
    this.copies = layer("copies");
    this.shapes = svg(`g.shapes#shapes-${nSurfaces}`);
    /** Names of the cells of a board that is rolled. */
    this.codes = layer("codes");
    this.marks = layer("marks");
    this.own = layer("own");
    this.spots = svg("g.spots");
    this.hand = layer(`hand#hand-${nSurfaces}`);
    this.signs = layer("signs");
    /** All that is in board units. */
    const layers = [this.copies, this.shapes, this.codes, this.marks, this.own, this.spots, this.hand];
    this.world = svg("g.world", layers);
    this.svg = svg("svg.board", { focusable: "false" }, this.world, this.signs);
    this.pictures = [this.svg];
    this.worlds = [this.world];
    /** Selectable spots: id -> element. */
    this.elements = new Map();
    /** The elements of the last diagram by its shapes and spots, which the next one repeats where it is the same. */
    this.drawn = new Map();
    this.made = new Map();
  }

  /**
   * Moves the board and its pieces to a picture below the spots, so that a browser does not paint them again for what a
   * pointer changes.
   * @returns {HTMLElement} both pictures
   */
  split() {
    const world = svg("g.world", this.copies, this.shapes, this.codes);
    this.pictures.push(svg("svg.board.ground", { "aria-hidden": "true" }, world));
    this.worlds.push(world);
    this.lit = svg("g.lit-cell");
    this.above = svg("g", { id: `above-${nSurfaces}` }, this.lit, this.hand);
    this.aboveCopies = svg("g.copies", { "aria-hidden": "true" });
    this.world.prepend(this.aboveCopies);
    this.world.append(this.above);
    return el("div.pictures", this.pictures);
  }

  /** Draws a diagram. @param {Spot[]} spots the spots that can be chosen */
  draw(diagram, spots) {
    for (const picture of this.pictures) {
      picture.style.setProperty("--aspect", diagram.width / diagram.height);
      picture.dataset.one = diagram.names[0];
      picture.dataset.two = diagram.names[1];
    }
    const border = hairline(diagram);
    if (this.border !== border) this.drawn.clear();
    this.border = border;
    for (const element of this.drawn.values()) restore(element);
    this.drawn = redraw(this.shapes, this.drawn, diagram.shapes, (shape) => drawShape(shape, border));
    fade(diagram.shapes, [...this.shapes.children]);
    this.hand.replaceChildren();
    this.made = redraw(this.spots, this.made, spots, (spot) => this.#spot(spot));
    this.elements = new Map(spots.map((spot) => [spot.id, this.made.get(spot)]));
  }

  /**
   * Shows all of a diagram, or its middle, larger.
   * @param {{width: number, height: number}} size that of the diagram
   * @param {number} zoom 1 for all of it
   */
  showWhole({ width, height }, zoom = 1) {
    const [left, top] = [width, height].map((length) => (length / 2) * (1 - 1 / zoom));
    const box = [left, top, width / zoom, height / zoom].join(" ");
    for (const picture of this.pictures) set(picture, "viewBox", box);
    for (const world of this.worlds) world.style.transform = "";
    this.signs.replaceChildren();
  }

  /** Shows a point in the centre. `size` is that of the picture and `scale` that of a board unit, in pixels. */
  look({ x, y, scale }, size) {
    for (const picture of this.pictures) picture.removeAttribute("viewBox");
    const [left, top] = [size[0] / 2 - x * scale, size[1] / 2 - y * scale];
    for (const world of this.worlds) world.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
    // In steps, since each change of it is one of the style of all lines.
    const px = 2 ** (Math.round(4 * Math.log2(scale)) / 4);
    if (this.px !== px) for (const picture of this.pictures) picture.style.setProperty("--px", String(px));
    this.px = px;
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
      "g.spot",
      { role: "button", tabindex: "-1", "data-spot": spot.id, "aria-label": spot.label },
      svg("title"),
      drawOutline(spot.outline, { class: "outline" }),
      svg("circle.dot", { cx, cy, r: 0.26 * r }),
      svg("circle.ring", { cx, cy, r: 0.86 * r, "stroke-width": 0.12 * r }),
    );
  }
}

/** Undoes what a move being entered, or its animation, has changed. */
function restore(element) {
  element.style.visibility = "";
  if (element.classList.contains("lit")) element.classList.remove("lit");
  element.removeAttribute("transform");
}

/**
 * Makes the elements of items the children of a layer, in their order. The elements of the same items are kept.
 * @param {Map<object, Element>} old what the last call returned: the elements by their items
 */
function redraw(layer, old, items, make) {
  const elements = items.map((item) => {
    const kept = old.get(item);
    old.delete(item);
    return kept ?? make(item);
  });
  const stays = new Set(elements);
  for (const child of [...layer.children]) if (!stays.has(child)) child.remove();
  let at = layer.firstChild;
  for (const element of elements) {
    if (element === at) at = at.nextSibling;
    else layer.insertBefore(element, at);
  }
  return new Map(items.map((item, i) => [item, elements[i]]));
}

/** A picture of a diagram, with an accessible name. */
export class Picture {
  constructor(diagram, name = diagram.caption || "the board") {
    this.surface = new Surface();
    this.surface.svg.setAttribute("aria-hidden", "true");
    this.element = el("div.picture", { role: "img", "aria-label": name }, this.surface.svg);
    this.show(diagram);
  }

  /** Shows another diagram. */
  show(diagram) {
    this.surface.draw(diagram, []);
    this.surface.showWhole(diagram);
  }
}

/** Returns the picture of a position of a game, which the server draws. */
export async function pictureAt(socket, { name, options }, position) {
  const done = await socket.ask("diagram", { game: name, options: Object.fromEntries(options), position });
  return new Picture(done.view.diagram).element;
}

/** Loads an image from the text of an SVG file. */
export async function imageOf(text) {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
  return image;
}

/** Returns a canvas with an image, at twice its size. */
export function canvasOf(image) {
  const canvas = el("canvas", { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Completes the lists of a diagram, which may be described by those of the last one. */
export function whole(last, diagram) {
  for (const [name, { changes }] of Object.entries(diagram).filter(([, value]) => value?.changes)) {
    diagram[name] = changes.flatMap((part) =>
      Array.isArray(part) ? last[name].slice(part[0], part[0] + part[1]) : [part],
    );
  }
  return diagram;
}
