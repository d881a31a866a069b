/** Finds the shapes of a diagram that form the piece on a spot, or have names. */

import { contains, distance, middle } from "./geometry.js";
import { el, sentence, svg } from "./dom.js";
import { drawShape } from "./shapes.js";

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

/** Meanings of marks that are the same in every game, by role. */
const NAMES = {
  from: "where the last move began",
  to: "where the last move ended",
  "last-trail": "the last line",
  jump: "a move by an exception to the rules",
  puck: "the puck, which both sides move",
  target: "a legal move",
  "ruled-out": "a legal move that you ruled out",
};

/** Returns the names of a game's marks by role. @param {{lesson?: {marks: string[][]}}|null} game from the server */
export function markNames(game) {
  return { ...NAMES, ...Object.fromEntries(game?.lesson?.marks ?? []) };
}

/** Returns the shapes of a diagram that have names. @returns {Shape[]} */
export function namedShapes(diagram, names) {
  return diagram.shapes.filter(({ role }) => names[role]);
}

/** Returns the names of the shapes on a spot. @param {Shape[]} shapes as returned by `namedShapes` */
export function marksOn(shapes, outline, names) {
  const found = shapes.filter((shape) => points(shape).some((point) => contains(outline, point)));
  return [...new Set(found.map(({ role }) => names[role]))];
}

/** Lists the marks of a diagram with their names. */
export function legend(diagram, names) {
  /** @type {Map<string, Shape>} */
  const shown = new Map();
  for (const shape of namedShapes(diagram, names)) if (shape.form !== "text") shown.set(shape.role, shape);
  return [...shown].map(([role, shape]) => el("li", sample(shape), el("span", sentence(names[role]))));
}

/** Draws a mark alone, in a square of one unit. */
function sample(shape) {
  const { form, role, colour } = shape;
  const [left, right] = [-0.4, 0.4];
  const forms = {
    circle: { centre: [0, 0], radius: right },
    polygon: { points: [left, right].flatMap((y) => [left, right].map((x) => [y < 0 ? x : -x, y])) },
    path: { lines: [[left, right].map((x) => [x, 0])], width: 0.12 },
  };
  const drawn = drawShape({ form, role, colour, ...forms[form] }, 0.06);
  return svg("svg.sample", { viewBox: "-0.5 -0.5 1 1", "aria-hidden": "true" }, drawn);
}

/** The points by which a shape is found: the middle of an area, all points of a line. */
function points(shape) {
  return shape.form === "path" ? shape.lines.flat() : [middle(shape)];
}
