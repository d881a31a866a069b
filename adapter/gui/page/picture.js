/** Static boards. */

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
