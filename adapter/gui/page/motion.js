/** Animates the last move, unless the system prefers reduced motion. */

import { centre, contains, distance, middle } from "./geometry.js";
import { PARTS, puck } from "./pieces.js";

const MILLISECONDS = 180;

/**
 * Slides the piece of the last move from its previous place, or draws its line.
 * @param {string|null} code the last move
 * @param {Diagram} before the diagram in which the move was legal
 */
export function slide(board, code, before) {
  if (!code || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  if (puck(board.diagram)) {
    drawLine(board, puck(before));
    return;
  }
  const spots = before.gestures.find((gesture) => gesture.code === code)?.spots;
  if (!spots) return;
  const [from, to] = [
    board.spot(spots[0]) ?? before.spots.find((spot) => spot.id === spots[0]),
    board.spot(spots.at(-1)),
  ];
  if (!from || !to) return;
  const [start, end] = [centre(from.outline), centre(to.outline)];
  const frames =
    spots.length > 1
      ? [{ transform: `translate(${start[0] - end[0]}px, ${start[1] - end[1]}px)` }, { transform: "none" }]
      : [{ opacity: 0.2 }, { opacity: 1 }];
  for (const element of piecesOf(board, to)) element.animate(frames, { duration: MILLISECONDS, easing: "ease-out" });
}

/** Draws the last line from its start to its end, with the puck at its tip, if the puck was at its start before. */
function drawLine({ diagram, surface }, before) {
  const line = diagram.shapes.findIndex(({ role }) => role === "last-trail");
  const [start, end] = diagram.shapes[line]?.lines[0] ?? [];
  if (!start || !before || distance(before.centre, start) > 0.01) return;
  const path = surface.shapes.children[line].querySelector("path");
  const stone = surface.shapes.children[diagram.shapes.indexOf(puck(diagram))];
  const begin = performance.now();
  const draw = (now) => {
    const part = Math.min(Math.max((now - begin) / MILLISECONDS, 0), 1);
    const [x, y] = [0, 1].map((i) => start[i] + (end[i] - start[i]) * part);
    path.setAttribute("d", `M${start}L${x},${y}`);
    stone.setAttribute("transform", `translate(${x - end[0]} ${y - end[1]})`);
    if (part < 1 && path.isConnected) requestAnimationFrame(draw);
  };
  draw(begin);
}

/** Returns the elements of the piece on a spot. */
function piecesOf(board, spot) {
  const isThere = (shape) => PARTS.has(shape.role) && contains(spot.outline, middle(shape));
  const places = board.diagram.shapes.flatMap((shape, i) => (isThere(shape) ? [i] : []));
  return places.map((i) => board.surface.shapes.children[i]);
}
