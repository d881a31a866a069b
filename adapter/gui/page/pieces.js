/** Which shapes of a diagram are the piece on a spot. */

import { contains, distance } from "./geometry.js";

/** The topmost piece on a spot with the signs on it; empty if there is none. */
export function pieceOn(diagram, outline) {
  const on = (shape) => shape.role === "piece" && shape.form === "circle" && contains(outline, shape.centre);
  return withSigns(diagram, diagram.shapes.findLast(on));
}

/** A piece of a colour (1 or 2), to show what a move would put on a spot; empty if there is none on the board. */
export function pieceOf(diagram, colour) {
  const is = (shape) => shape.role === "piece" && shape.form === "circle" && shape.colour === colour;
  return withSigns(diagram, diagram.shapes.findLast(is));
}

/** The largest piece of a colour (1 or 2) with its signs; empty if there is none on the board. */
export function largestPieceOf(diagram, colour) {
  const pieces = diagram.shapes.filter((shape) => shape.role === "piece" && shape.form === "circle" && shape.colour === colour);
  return withSigns(diagram, pieces.reduce((best, piece) => (best && best.radius >= piece.radius ? best : piece), undefined));
}

/** The colour (1 or 2) that a side owns on this board. */
export function colourOf(diagram, side) {
  return diagram.owners.indexOf(side) + 1;
}

/** What both players move, if there is such a thing. */
export function puck(diagram) {
  return diagram.shapes.findLast((shape) => shape.role === "puck" && shape.form === "circle") ?? null;
}

/** The middle of a shape; of a broken line, that of its corners. */
export function middle(shape) {
  if (shape.centre) return shape.centre;
  if (shape.at) return shape.at;
  const points = shape.points ?? shape.lines.flat();
  const mean = (i) => points.reduce((sum, point) => sum + point[i], 0) / points.length;
  return [mean(0), mean(1)];
}

function withSigns(diagram, piece) {
  if (!piece) return [];
  const isOn = (shape) => shape.role === "sign" && distance(middle(shape), piece.centre) < 0.5 * piece.radius;
  return [piece, ...diagram.shapes.filter(isOn)];
}
