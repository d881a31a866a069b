/** The display of a move being entered: the held piece, and a preview at its target. */

import { svg } from "./dom.js";
import { drawShape, hairline } from "./shapes.js";
import { centre, innerRadius, middle } from "./geometry.js";
import { PARTS, colourOf, pieceOn, piecesOf, puck } from "./pieces.js";

/**
 * Shows the held piece and the preview on a surface with a diagram, for the player to move.
 * @param {{from: Spot|null, to: Spot|null, pointer: Point|null}} hand the source spot, the spot under the pointer if it is
 *     a legal target, and the position of the pointer
 * @param {boolean} isPlayed the move is drawn as if it were played
 */
export function showHand(surface, diagram, side, hand, isPlayed = false) {
  const { from, to, pointer } = hand;
  const lifted = from ? pieceOn(diagram, from.outline) : [];
  const parts = to ? landing(diagram, side, lifted, to, isPlayed ? "played" : "landing") : [];
  if (lifted.length > 0 && pointer) parts.push(moved(diagram, lifted, pointer, "lifted"));
  const away = new Set(pointer || isPlayed ? lifted : []);
  diagram.shapes.forEach((shape, i) => {
    if (PARTS.has(shape.role)) surface.shapes.children[i].style.visibility = away.has(shape) ? "hidden" : "";
  });
  surface.hand.replaceChildren(...parts);
}

/** Draws the end of a move, with a class. */
function landing(diagram, side, lifted, to, name) {
  const start = puck(diagram);
  if (start) return [stroke(diagram, side, start, to, name)];
  const piece = lifted.length > 0 ? lifted : (piecesOf(diagram, colourOf(diagram, side)).at(-1) ?? []);
  if (piece.length > 0) return [moved(diagram, piece, centre(to.outline), name)];
  const radius = 0.72 * innerRadius(to.outline);
  const disc = { form: "circle", role: "piece", colour: colourOf(diagram, side), centre: centre(to.outline), radius };
  return [withClass(drawShape(disc, hairline(diagram)), name)];
}

/** Draws the line that a move would draw. */
function stroke(diagram, side, start, to, name) {
  const form = {
    form: "path",
    role: "last-trail",
    colour: colourOf(diagram, side),
    lines: [[start.centre, centre(to.outline)]],
    width: start.radius,
  };
  return withClass(drawShape(form, hairline(diagram)), name);
}

function withClass(element, name) {
  element.classList.add(name);
  return element;
}

/** Copies shapes, moved so that the centre of the first one is at a point. @param {Point} to */
function moved(diagram, shapes, to, name) {
  const [x, y] = to;
  const [left, up] = middle(shapes[0]);
  const copies = shapes.map((shape) => drawShape(shape, hairline(diagram)));
  return svg("g", { class: name, transform: `translate(${x - left} ${y - up})` }, copies);
}
