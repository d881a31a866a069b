/** Finds the shapes that form the piece on a spot. */

import { contains, distance, middle } from "./geometry.js";

/** Roles of the shapes that a piece consists of. */
export const PARTS = new Set(["piece", "hollow", "sign"]);

/** Returns the topmost piece on a spot with its signs; empty if there is none. */
export function pieceOn(diagram, outline) {
  const on = (shape) => shape.role === "piece" && shape.form === "circle" && contains(outline, shape.centre);
  return withSigns(diagram, diagram.shapes.findLast(on));
}

/** Returns the pieces of a colour (1 or 2) with their signs. */
export function piecesOf(diagram, colour) {
  const is = (shape) => shape.role === "piece" && shape.form === "circle" && shape.colour === colour;
  return diagram.shapes.filter(is).map((piece) => withSigns(diagram, piece));
}

/** Returns the largest piece of a colour (1 or 2) with its signs; empty if the board has none. */
export function largestPieceOf(diagram, colour) {
  const pieces = piecesOf(diagram, colour);
  return pieces.reduce((best, piece) => (best.length > 0 && best[0].radius >= piece[0].radius ? best : piece), []);
}

/** Returns the colour (1 or 2) that a side owns on this board. */
export function colourOf(diagram, side) {
  return diagram.owners.indexOf(side) + 1;
}

/** Returns the puck, which both players move, or `null`. */
export function puck(diagram) {
  return diagram.shapes.findLast((shape) => shape.role === "puck" && shape.form === "circle") ?? null;
}

function withSigns(diagram, piece) {
  if (!piece) return [];
  const isOn = (shape) =>
    PARTS.has(shape.role) && shape.role !== "piece" && distance(middle(shape), piece.centre) < 0.5 * piece.radius;
  return [piece, ...diagram.shapes.filter(isOn)];
}
