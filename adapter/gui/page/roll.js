/** Rolling a board that goes on beyond its edge: another spot comes to the middle. */

import { centre, distance } from "./geometry.js";

/** Whether a view can be rolled: some shape shows a spot once more beyond the edge, or it is rolled already. */
export function canRoll(view) {
  return Boolean(view.centre) || view.diagram.shapes.some((shape) => shape.spot);
}

/**
 * The spot that a drag brings to the middle.
 * @returns {{id: string, by: number[]}|null} its id, and how far the board then moves; `null` while it stays
 */
export function dragged(diagram, start, now) {
  const middle = [diagram.width / 2, diagram.height / 2];
  const here = nearest(diagram.spots, middle);
  const there = nearest(diagram.spots, [middle[0] - now[0] + start[0], middle[1] - now[1] + start[1]]);
  if (here === there) return null;
  const [from, to] = [centre(there.outline), centre(here.outline)];
  return { id: there.id, by: [to[0] - from[0], to[1] - from[1]] };
}

/** The spot that comes to the middle if the board rolls one step; the pieces move the way of the key. */
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
