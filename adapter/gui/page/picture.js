/** Boards that are only looked at. */

import { el } from "./dom.js";
import { Surface } from "./surface.js";

/** A still picture of a diagram; its caption is what a screen reader says. */
export function picture(diagram, attributes = {}) {
  const surface = new Surface("whole");
  surface.draw(diagram, { low: [0, 0], high: [diagram.width, diagram.height] }, []);
  surface.svg.setAttribute("aria-hidden", "true");
  return el("div", { role: "img", "aria-label": diagram.caption || "the board", ...attributes, class: `picture ${attributes.class ?? ""}`.trim() }, surface.svg);
}
