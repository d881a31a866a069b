/** Static boards, and images of exported ones. */

import { el } from "./dom.js";
import { Surface } from "./surface.js";

/** A picture of a diagram, with the caption of the first one as accessible name. */
export class Picture {
  constructor(diagram, attributes = {}) {
    this.surface = new Surface();
    this.surface.svg.setAttribute("aria-hidden", "true");
    this.element = el(
      "div",
      {
        role: "img",
        "aria-label": diagram.caption || "the board",
        ...attributes,
        class: `picture ${attributes.class ?? ""}`.trim(),
      },
      this.surface.svg,
    );
    this.show(diagram);
  }

  /** Shows another diagram. */
  show(diagram) {
    this.surface.draw(diagram, []);
    this.surface.showWhole(diagram);
  }
}

/** Creates the element of a picture. */
export function picture(diagram, attributes = {}) {
  return new Picture(diagram, attributes).element;
}

/** Returns the picture of a position of a game, which the server draws. */
export async function pictureAt(socket, { name, options }, position) {
  const done = await socket.ask("diagram", { game: name, options: Object.fromEntries(options), position });
  return picture(done.view.diagram);
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
