/** The lens: an enlarged picture of a diagram's focus, where the whole board is too large to aim at. */

/** A focus is shown enlarged if its width and height are below this share of the board's. */
const SMALL = 0.5;

/**
 * The part of the board under the lens, a square around the focus that stays within the board; `null` without one.
 * `least` is the side that the square had before: the lens keeps its scale while the focus is cut off at an edge.
 */
export function lensOf({ focus, width, height }, least = 0) {
  if (!focus) return null;
  const [across, down] = [focus.high[0] - focus.low[0], focus.high[1] - focus.low[1]];
  if (across > SMALL * width || down > SMALL * height) return null;
  const side = Math.min(Math.max(across, down, least), width, height);
  const start = (i, end) => {
    const middle = (focus.low[i] + focus.high[i]) / 2;
    return Math.min(Math.max(middle - side / 2, 0), end - side);
  };
  const low = [start(0, width), start(1, height)];
  return { low, high: [low[0] + side, low[1] + side] };
}
