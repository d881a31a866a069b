/** The lens: an enlarged view of a diagram's focus, for boards whose spots are too small to click. */

import { bounds } from "./geometry.js";

/** The focus is enlarged if its width and height are below this share of the board's. */
const SMALL = 0.5;

/**
 * Returns the part of the board under the lens, a square around the focus within the board; `null` without one. `least`
 * is the previous side of the square, which keeps the scale while the focus is cut off at an edge.
 */
export function lensOf(diagram, least = 0) {
  const { focus } = diagram;
  if (!focus) return null;
  const [from, end] = ground(diagram);
  const [width, height] = [end[0] - from[0], end[1] - from[1]];
  const [across, down] = [focus.high[0] - focus.low[0], focus.high[1] - focus.low[1]];
  if (across > SMALL * width || down > SMALL * height) return null;
  const side = Math.min(Math.max(across, down, least), width, height);
  const low = [0, 1].map((i) => {
    const middle = (focus.low[i] + focus.high[i]) / 2;
    return Math.min(Math.max(middle - side / 2, from[i]), end[i] - side);
  });
  return { low, high: [low[0] + side, low[1] + side] };
}

/** Returns the corners of the board itself, without the margin of its picture. */
function ground({ shapes, width, height }) {
  const board = shapes.find(({ role, form }) => role === "board" && form === "polygon");
  return board ? bounds(board) : [[0, 0], [width, height]];
}
