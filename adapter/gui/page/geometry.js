/** Points, outlines and rectangles in board units. A point is `[x, y]`; y grows downwards. */

/** Returns the centre of an outline's bounding box. */
export function centre(outline) {
  if (outline.form === "circle") return outline.centre;
  return centreOf(bounds(outline.points));
}

/** Returns the corners of the bounding box of points. */
export function bounds(points) {
  const [xs, ys] = [0, 1].map((i) => points.map((point) => point[i]));
  return { low: [Math.min(...xs), Math.min(...ys)], high: [Math.max(...xs), Math.max(...ys)] };
}

/** Returns the centre of a box. */
export function centreOf({ low, high }) {
  return [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
}

/** Returns the approximate radius of the largest circle in an outline. */
export function innerRadius(outline) {
  if (outline.form === "circle") return outline.radius;
  const { low, high } = bounds(outline.points);
  return Math.min(high[0] - low[0], high[1] - low[1]) / 2;
}

/** `true` if a point is in an outline. */
export function contains(outline, point) {
  if (outline.form === "circle") return distance(outline.centre, point) <= outline.radius;
  const [x, y] = point;
  let inside = false;
  const { points } = outline;
  points.forEach(([x1, y1], i) => {
    const [x2, y2] = points[(i + 1) % points.length];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  });
  return inside;
}

/** @param {Point} one @param {Point} other */
export function distance(one, other) {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}

/** Returns the spot at a point: the one that contains it, else the nearest within `reach`, else `null`. */
export function spotAt(spots, point, reach) {
  const inside = spots.find((spot) => contains(spot.outline, point));
  if (inside) return inside;
  let best = null;
  for (const spot of spots) {
    const away = distance(centre(spot.outline), point);
    if (away <= reach) [best, reach] = [spot, away];
  }
  return best;
}

/** Returns the centre of a shape; for lines and polygons, the mean of the points. */
export function middle(shape) {
  if (shape.centre) return shape.centre;
  if (shape.at) return shape.at;
  const points = shape.points ?? shape.lines.flat();
  const mean = (i) => points.reduce((sum, point) => sum + point[i], 0) / points.length;
  return [mean(0), mean(1)];
}
