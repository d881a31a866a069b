/** Rolling a board that continues beyond its edge, so that another spot is in the centre. */

import { centre, distance } from "./geometry.js";

/** `true` if a view can be rolled: a shape repeats a spot beyond the edge, or the board is rolled already. */
export function canRoll(view) {
  return Boolean(view.centre) || view.diagram.shapes.some((shape) => shape.spot);
}

/**
 * Returns the spot that a drag moves to the centre.
 * @returns {{id: string, by: number[]}|null} its id and the shift of the board; `null` while the centre is unchanged
 */
export function dragged(diagram, start, now) {
  const middle = [diagram.width / 2, diagram.height / 2];
  const here = nearest(diagram.spots, middle);
  const there = nearest(diagram.spots, [middle[0] - now[0] + start[0], middle[1] - now[1] + start[1]]);
  if (here === there) return null;
  const [from, to] = [centre(there.outline), centre(here.outline)];
  return { id: there.id, by: [to[0] - from[0], to[1] - from[1]] };
}

/** Returns the spot that moves to the centre if the board rolls one step. The pieces move in the direction of the key. */
export function rolledBy(diagram, direction) {
  const here = nearest(diagram.spots, [diagram.width / 2, diagram.height / 2]);
  return here.neighbours[OPPOSITE[direction]] ?? null;
}

const OPPOSITE = {
  up: "down",
  down: "up",
  left: "right",
  right: "left",
  "up-left": "down-right",
  "up-right": "down-left",
  "down-left": "up-right",
  "down-right": "up-left",
};

function nearest(spots, point) {
  const away = (spot) => distance(centre(spot.outline), point);
  return spots.reduce((best, spot) => (away(spot) < away(best) ? spot : best));
}
