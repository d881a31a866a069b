/** Animates the piece of the last move, unless the system prefers reduced motion. */

import { centre, contains, middle } from "./geometry.js";

const MILLISECONDS = 180;

/**
 * Slides the piece of the last move from its previous place.
 * @param {string|null} code the last move
 * @param {object} before the diagram in which the move was legal
 */
export function slide(board, code, before) {
  if (!code || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const spots = before.gestures.find((gesture) => gesture.code === code)?.spots;
  if (!spots) return;
  const [from, to] = [board.spot(spots[0]) ?? before.spots.find((spot) => spot.id === spots[0]), board.spot(spots.at(-1))];
  if (!from || !to) return;
  const [start, end] = [centre(from.outline), centre(to.outline)];
  const frames = spots.length > 1
    ? [{ transform: `translate(${start[0] - end[0]}px, ${start[1] - end[1]}px)` }, { transform: "none" }]
    : [{ opacity: 0.2 }, { opacity: 1 }];
  for (const element of piecesOf(board, to)) element.animate(frames, { duration: MILLISECONDS, easing: "ease-out" });
}

/** Returns the elements of the piece on a spot, on every surface. */
function piecesOf(board, spot) {
  const isThere = (shape) => ["piece", "sign"].includes(shape.role) && contains(spot.outline, middle(shape));
  const places = board.diagram.shapes.flatMap((shape, i) => (isThere(shape) ? [i] : []));
  return board.surfaces.flatMap((surface) => places.map((i) => surface.shapes.children[i]));
}
