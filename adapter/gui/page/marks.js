/** Moves marked on the board: the best ones of an analysis with their scores, or a hint. */

import { svg } from "./dom.js";
import { centre, innerRadius } from "./geometry.js";
import { puck } from "./pieces.js";

/** Size of the arrow of a hint from the puck, as the inner radius of a spot. */
const PUCK_ARROW = 1.4;

/**
 * Draws marks on a surface.
 * @param {Mark[]} marks the best first, with rank 0
 */
export function drawMarks(surface, diagram, marks) {
  const spots = new Map(diagram.spots.map((spot) => [spot.id, spot]));
  const start = puck(diagram)?.centre;
  const [arrows, badges] = [[], []];
  const taken = new Set();
  for (const mark of marks) {
    const ids = mark.spots ?? diagram.gestures.find(({ code }) => code === mark.code)?.spots;
    const path = ids?.map((id) => spots.get(id));
    if (!path?.every(Boolean)) continue;
    // Of several moves to one spot, the best one has its score there.
    const isFirst = !taken.has(path.at(-1).id);
    taken.add(path.at(-1).id);
    const group = markOf(mark);
    if (path.length > 1) arrows.unshift(drawArrow(markOf(mark), path, mark));
    // The spots of a puck are small: a hint has an arrow from it.
    if (start && !mark.score)
      group.append(arrow(start, centre(path[0].outline), PUCK_ARROW, innerRadius(path[0].outline)));
    if (isFirst) badges.unshift(drawBadge(group, path.at(-1), mark, path.length > 1));
  }
  // No arrow covers a score.
  surface.marks.replaceChildren(...arrows, ...badges);
}

/**
 * Draws a person's own marks on a surface: rings on spots, and arrows between them.
 * @param {string[][]} pairs ids of the first and the last spot, the same for a ring
 */
export function drawOwn(surface, diagram, pairs) {
  const spots = new Map(diagram.spots.map((spot) => [spot.id, spot]));
  const drawn = pairs.map((pair) => {
    const [from, to] = pair.map((id) => spots.get(id));
    if (!from || !to) return null;
    const [[cx, cy], r] = [centre(to.outline), innerRadius(to.outline)];
    if (from === to) return svg("circle", { cx, cy, r: 0.84 * r, "stroke-width": 0.1 * r });
    return arrow(centre(from.outline), [cx, cy], r, 0);
  });
  surface.own.replaceChildren(...drawn.filter(Boolean));
}

function markOf({ code, rank }) {
  return svg("g", { class: `mark rank-${Math.min(rank, 3)}`, "data-mark": code });
}

/** @param {Mark} mark */
function drawArrow(group, path, mark) {
  const to = path.at(-1);
  const r = innerRadius(to.outline);
  group.append(arrow(centre(path[0].outline), centre(to.outline), r, mark.score ? 0.72 * r : 0));
  return group;
}

function drawBadge(group, to, mark, hasArrow) {
  const [x, y] = centre(to.outline);
  const r = innerRadius(to.outline);
  if (!hasArrow) group.append(svg("circle", { cx: x, cy: y, r: 0.84 * r, "stroke-width": 0.1 * r, class: "disc" }));
  if (mark.score) group.append(...badge(x, y, r, mark));
  return group;
}

/** The score on a plate in which its text fits. */
function badge(x, y, r, { score, more }) {
  const size = Math.min((more ? 0.5 : 0.56) * r, (1.25 * r) / (0.72 * score.length));
  const texts = [svg("text", { x, y: y + (more ? -0.02 : 0.35) * size, "font-size": size, class: "score" }, score)];
  if (more) texts.push(svg("text", { x, y: y + 0.46 * r, "font-size": 0.36 * r, class: "more" }, more));
  return [svg("circle", { cx: x, cy: y, r: 0.72 * r, class: "plate" }), ...texts];
}

/** Draws an arrow between the centres of two spots, ending `gap` before the second. */
function arrow([x1, y1], [x2, y2], r, gap) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const end = Math.max(length - gap, 0);
  const [ex, ey] = [x1 + dx * end, y1 + dy * end];
  const [w, h] = [0.34 * r, 0.5 * r];
  const head = [
    [ex, ey],
    [ex - dx * h - dy * w, ey - dy * h + dx * w],
    [ex - dx * h + dy * w, ey - dy * h - dx * w],
  ];
  return svg(
    "g",
    { class: "arrow" },
    svg("line", {
      x1: x1 + dx * 0.3 * r,
      y1: y1 + dy * 0.3 * r,
      x2: ex - dx * h * 0.9,
      y2: ey - dy * h * 0.9,
      "stroke-width": 0.14 * r,
    }),
    svg("polygon", { points: head.map((point) => point.join(",")).join(" ") }),
  );
}
