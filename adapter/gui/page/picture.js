/** Static boards, and images of exported ones. */

import { el } from "./dom.js";
import { Surface } from "./surface.js";

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
