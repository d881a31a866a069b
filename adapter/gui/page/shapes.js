/** Shapes of a diagram as SVG. A role becomes a class; the style sheet has the colours. Lengths are in board units. */

import { svg } from "./dom.js";

/** Thickness of a border, relative to the board's longer side. */
const HAIRLINE = 0.0022;
/** Thickness of a disc's border, relative to its radius. */
const RIM = 0.09;
/** Thickness of borders by role, relative to the normal one. */
const THICKNESS = { from: 1.6, to: 1.6, sign: 4.5, "ghost-sign": 4.5, danger: 1.4, decisive: 1.3, goal: 2, jump: 0.6 };
/** Roles with dashed borders, as a warning. */
const DASHED = new Set(["danger", "threat", "ruled-out", "covered"]);
const TRAILS = new Set(["trail", "last-trail"]);
/** Size of the end of a player's line, relative to its width, where the style sheet sets none. */
const CAP = 2.4;
const COLOURS = ["", "one", "two"];
/** Age from which lines are equally pale. */
const OLD = 5;

/** Fades the older lines of the players, as much as the style sheet says: two at a time are of the same age. */
export function fade(shapes, elements) {
  const trails = elements.filter((_, i) => shapes[i].role === "trail" && shapes[i].colour);
  for (const [i, element] of trails.reverse().entries()) {
    const age = String(Math.min(Math.floor(i / 2), OLD));
    if (element.style.getPropertyValue("--age") !== age) element.style.setProperty("--age", age);
  }
}

/** Returns the thickness of a normal border on this board. */
export function hairline(diagram) {
  return HAIRLINE * Math.max(diagram.width, diagram.height);
}

/** Creates the element of one shape. */
export function drawShape(shape, border) {
  const draw = { circle, polygon, path, text }[shape.form];
  const element = draw(shape, border);
  element.setAttribute("class", `shape ${shape.role} ${COLOURS[shape.colour ?? 0]}`.trim());
  if (shape.spot) element.dataset.shows = shape.spot;
  return element;
}

/** Creates the outline of a spot, a circle or a polygon. */
export function drawOutline(outline, attributes = {}) {
  if (outline.form === "circle") {
    const [cx, cy] = outline.centre;
    return svg("circle", { cx, cy, r: outline.radius, ...attributes });
  }
  return svg("polygon", { points: pointList(outline.points), ...attributes });
}

/** Draws a disc, with an inner rim for pieces of colour 2. The border is inside, so it does not enlarge the disc. */
function circle(shape) {
  const { centre, radius } = shape;
  const [cx, cy] = centre;
  const width = RIM * (THICKNESS[shape.role] ?? 1) * radius;
  const stroke = { "stroke-width": width, "stroke-dasharray": dashes(shape, width) };
  const disc = svg("circle", { cx, cy, r: radius - width / 2, ...stroke });
  if (shape.role !== "piece" || shape.colour !== 2) return disc;
  const rim = svg("circle.rim", { cx, cy, r: 0.8 * radius, "stroke-width": width / 2 });
  return svg("g", disc, rim);
}

function polygon(shape, border) {
  return svg("polygon", { points: pointList(shape.points), "stroke-width": border * (THICKNESS[shape.role] ?? 1) });
}

function path(shape) {
  const d = shape.lines.map((line) => `M${line.map((point) => point.join(",")).join("L")}`).join("");
  const line = svg("path", { d, "stroke-width": shape.width, "stroke-dasharray": dashes(shape, shape.width) });
  if (!TRAILS.has(shape.role) || !shape.colour) return line;
  // A line of length 0 consists of its cap: a dot of colour 1, a square of colour 2.
  const ends = shape.lines.map((points) => `M${points.at(-1).join(",")}h0`).join("");
  return svg("g", line, svg("path.caps", { d: ends, "stroke-width": CAP * shape.width }));
}

function text(shape) {
  const [x, y] = shape.at;
  // Shifts the text from its vertical centre to its baseline.
  return svg("text", { x, y: y + 0.35 * shape.size, "font-size": shape.size }, shape.text);
}

/** Returns dashes for warnings. */
function dashes({ role }, width) {
  return DASHED.has(role) ? `${1.8 * width} ${1.9 * width}` : null;
}

function pointList(points) {
  return points.map((point) => point.join(",")).join(" ");
}
