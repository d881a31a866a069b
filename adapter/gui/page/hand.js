/** The display of a move being entered: the held piece, and a preview at its target. */

import { svg } from "./dom.js";
import { drawShape, hairline } from "./shapes.js";
import { centre, innerRadius, middle } from "./geometry.js";
import { PARTS, colourOf, pieceOn, piecesOf, puck } from "./pieces.js";

/**
 * Shows the held piece and the preview on a surface.
 * @param surface the surface to draw on
 * @param diagram its diagram
 * @param {string} side the player to move
 * @param {{from: Spot|null, to: Spot|null, pointer: Point|null}} hand the source spot, the spot under the
 *     pointer if it is a legal target, and the position of the pointer
 */
export function showHand(surface, diagram, side, { from, to, pointer }) {
  const lifted = from ? pieceOn(diagram, from.outline) : [];
  const parts = [];
  if (to) parts.push(...landing(diagram, side, lifted, to));
  if (lifted.length > 0 && pointer) parts.push(moved(diagram, lifted, pointer, "lifted"));
  const away = new Set(pointer ? lifted : []);
  diagram.shapes.forEach((shape, i) => {
    if (PARTS.has(shape.role)) surface.shapes.children[i].style.visibility = away.has(shape) ? "hidden" : "";
  });
  surface.hand.replaceChildren(...parts);
}

/** Draws the move from one spot, or from none, to another as if it were played. */
export function showPlayed(surface, diagram, side, from, to) {
  const lifted = from ? pieceOn(diagram, from.outline) : [];
  for (const shape of lifted) surface.shapes.children[diagram.shapes.indexOf(shape)].style.visibility = "hidden";
  const parts = landing(diagram, side, lifted, to);
  for (const part of parts) part.classList.replace("landing", "played");
  surface.hand.replaceChildren(...parts);
}

function landing(diagram, side, lifted, to) {
  const start = puck(diagram);
  if (start) return [stroke(diagram, side, start, to)];
  const piece = lifted.length > 0 ? lifted : (piecesOf(diagram, colourOf(diagram, side)).at(-1) ?? []);
  if (piece.length > 0) return [moved(diagram, piece, centre(to.outline), "landing")];
  const [cx, cy] = centre(to.outline);
  const colour = ["one", "two"][colourOf(diagram, side) - 1];
  return [
    svg("circle", {
      cx,
      cy,
      r: 0.72 * innerRadius(to.outline),
      class: `shape piece landing ${colour}`,
      "stroke-width": 0.05 * innerRadius(to.outline),
    }),
  ];
}

/** Draws the line that a move would draw. */
function stroke(diagram, side, start, to) {
  const form = {
    form: "path",
    role: "last-trail",
    colour: colourOf(diagram, side),
    lines: [[start.centre, centre(to.outline)]],
    width: start.radius,
  };
  const line = drawShape(form, hairline(diagram));
  line.classList.add("landing");
  return line;
}

/** Copies shapes, moved so that the centre of the first one is at a point. @param {Point} to */
function moved(diagram, shapes, to, name) {
  const [x, y] = to;
  const [left, up] = middle(shapes[0]);
  const copies = shapes.map((shape) => drawShape(shape, hairline(diagram)));
  return svg("g", { class: name, transform: `translate(${x - left} ${y - up})` }, copies);
}
