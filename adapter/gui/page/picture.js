/** Static boards, and images of exported ones. */

import { el } from "./dom.js";
import { Surface } from "./surface.js";

/** Creates a picture of a diagram, with its caption as accessible name. */
export function picture(diagram, attributes = {}) {
  const surface = new Surface();
  surface.draw(diagram, []);
  surface.showWhole(diagram);
  surface.svg.setAttribute("aria-hidden", "true");
  return el(
    "div",
    {
      role: "img",
      "aria-label": diagram.caption || "the board",
      ...attributes,
      class: `picture ${attributes.class ?? ""}`.trim(),
    },
    surface.svg,
  );
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
