/** What is drawn over a board: a move being entered, the moves of an analysis or a hint, and a person's own marks. */

import { svg } from "./dom.js";
import { centre, innerRadius, middle } from "./geometry.js";
import { PARTS, colourOf, pieceOn, piecesOf, puck } from "./pieces.js";
import { drawShape, hairline } from "./shapes.js";

/** Size of the arrow of a hint from the puck, as the inner radius of a spot. */
const PUCK_ARROW = 1.4;

/** Draws marks on a surface. @param {Mark[]} marks the best first, with rank 0 */
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
    const [x, y] = centre(path.at(-1).outline);
    const r = innerRadius(path.at(-1).outline);
    if (path.length > 1) {
      arrows.unshift(markOf(mark));
      arrows[0].append(arrow(centre(path[0].outline), [x, y], r, mark.score ? 0.72 * r : 0));
    } else group.append(svg("circle.disc", { cx: x, cy: y, r: 0.84 * r, "stroke-width": 0.1 * r }));
    // The spots of a puck are small: a hint has an arrow from it.
    if (start && !mark.score) group.append(arrow(start, [x, y], PUCK_ARROW, r));
    if (mark.score) group.append(...badge(x, y, r, mark));
    if (isFirst) badges.unshift(group);
  }
  // No arrow covers a score.
  surface.marks.replaceChildren(...arrows, ...badges);
}

/** Draws a person's own marks: rings on spots, and arrows between them. @param {string[][]} pairs equal ids for a ring */
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
  return svg(`g.mark.rank-${Math.min(rank, 3)}`, { "data-mark": code });
}

/** The score on a plate in which its text fits. @param {Mark} mark */
function badge(x, y, r, mark) {
  const { score, more } = mark;
  const size = Math.min((more ? 0.5 : 0.56) * r, (1.25 * r) / (0.72 * score.length));
  const texts = [svg("text.score", { x, y: y + (more ? -0.02 : 0.35) * size, "font-size": size }, score)];
  if (more) texts.push(svg("text.more", { x, y: y + 0.46 * r, "font-size": 0.36 * r }, more));
  return [svg("circle.plate", { cx: x, cy: y, r: 0.72 * r }), ...texts];
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
  const shaft = `M${x1 + dx * 0.3 * r},${y1 + dy * 0.3 * r}L${ex - dx * h * 0.9},${ey - dy * h * 0.9}`;
  const line = svg("path", { d: shaft, "stroke-width": 0.14 * r });
  return svg("g.arrow", line, svg("polygon", { points: head.map((point) => point.join(",")).join(" ") }));
}

/**
 * Shows the held piece and the preview on a surface with a diagram, for the player to move.
 * @param {{from: Spot|null, to: Spot|null, pointer: Point|null}} hand the source spot, the spot under the pointer if it is
 *     a legal target, and the position of the pointer
 * @param {boolean} isPlayed the move is drawn as if it were played
 */
export function showHand(surface, diagram, side, hand, isPlayed = false) {
  const { from, to, pointer } = hand;
  const lifted = from ? pieceOn(diagram, from.outline) : [];
  const parts = to ? landing(diagram, side, lifted, to, isPlayed ? "played" : "landing") : [];
  if (lifted.length > 0 && pointer) parts.push(moved(diagram, lifted, pointer, "lifted"));
  const away = new Set(pointer || isPlayed ? lifted : []);
  diagram.shapes.forEach((shape, i) => {
    if (PARTS.has(shape.role)) surface.shapes.children[i].style.visibility = away.has(shape) ? "hidden" : "";
  });
  surface.hand.replaceChildren(...parts);
}

/** Draws the end of a move, with a class. */
function landing(diagram, side, lifted, to, name) {
  const start = puck(diagram);
  if (start) return [stroke(diagram, side, start, to, name)];
  const piece = lifted.length > 0 ? lifted : (piecesOf(diagram, colourOf(diagram, side)).at(-1) ?? []);
  if (piece.length > 0) return [moved(diagram, piece, centre(to.outline), name)];
  const radius = 0.72 * innerRadius(to.outline);
  const disc = { form: "circle", role: "piece", colour: colourOf(diagram, side), centre: centre(to.outline), radius };
  return [withClass(drawShape(disc, hairline(diagram)), name)];
}

/** Draws the line that a move would draw. */
function stroke(diagram, side, start, to, name) {
  const form = {
    form: "path",
    role: "last-trail",
    colour: colourOf(diagram, side),
    lines: [[start.centre, centre(to.outline)]],
    width: start.radius,
  };
  return withClass(drawShape(form, hairline(diagram)), name);
}

function withClass(element, name) {
  element.classList.add(name);
  return element;
}

/** Copies shapes, moved so that the centre of the first one is at a point. @param {Point} to */
function moved(diagram, shapes, to, name) {
  const [x, y] = to;
  const [left, up] = middle(shapes[0]);
  const copies = shapes.map((shape) => drawShape(shape, hairline(diagram)));
  return svg("g", { class: name, transform: `translate(${x - left} ${y - up})` }, copies);
}
