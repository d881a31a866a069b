/** The lens: an enlarged view of a diagram's focus, for boards whose spots are too small to click. */

/** The focus is enlarged if its width and height are below this share of the board's. */
const SMALL = 0.5;

/**
 * Returns the part of the board under the lens, a square around the focus within the board; `null` without one. `least`
 * is the previous side of the square, which keeps the scale while the focus is cut off at an edge.
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
