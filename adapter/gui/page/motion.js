/** Animations, of which there are none if the system prefers reduced motion. */

import { centre, distance } from "./geometry.js";
import { pieceOn, puck } from "./pieces.js";

const SLIDE_MS = 180;

/** `true` if the system prefers reduced motion. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Returns a promise of the end of a time. @param {number} ms */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A running animation, which another one replaces. */
export class Motion {
  #frame = null;

  get isRunning() {
    return this.#frame !== null;
  }

  /** Calls `draw` in each frame with the share of the time that has passed, the last time with 1. */
  run(ms, draw) {
    this.stop();
    if (isStill()) {
      draw(1);
      return;
    }
    const start = performance.now();
    const step = (now) => {
      const part = Math.min(Math.max((now - start) / ms, 0), 1);
      this.#frame = part < 1 ? requestAnimationFrame(step) : null;
      draw(part);
    };
    this.#frame = requestAnimationFrame(step);
  }

  stop() {
    if (this.isRunning) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }
}

/** Slides the piece of the last move from its place in the diagram before, or draws its line. @param {Diagram} before */
export function slide(board, code, before) {
  if (!code || isStill()) return;
  if (puck(board.diagram)) {
    drawLine(board, puck(before));
    return;
  }
  const spots = before.gestures.find((gesture) => gesture.code === code)?.spots;
  if (!spots) return;
  const from = board.spot(spots[0]) ?? before.spots.find((spot) => spot.id === spots[0]);
  const to = board.spot(spots.at(-1));
  if (!from || !to) return;
  const [start, end] = [centre(from.outline), centre(to.outline)];
  const frames =
    spots.length > 1
      ? [{ transform: `translate(${start[0] - end[0]}px, ${start[1] - end[1]}px)` }, { transform: "none" }]
      : [{ opacity: 0.2 }, { opacity: 1 }];
  for (const shape of pieceOn(board.diagram, to.outline)) {
    const element = board.surface.shapes.children[board.diagram.shapes.indexOf(shape)];
    element.animate(frames, { duration: SLIDE_MS, easing: "ease-out" });
  }
}

/** Draws the last line from its start to its end, with the puck at its tip, if the puck was at its start before. */
function drawLine({ diagram, surface }, before) {
  const line = diagram.shapes.findIndex(({ role }) => role === "last-trail");
  const [start, end] = diagram.shapes[line]?.lines[0] ?? [];
  if (!start || !before || distance(before.centre, start) > 0.01) return;
  const path = surface.shapes.children[line].querySelector("path");
  const stone = surface.shapes.children[diagram.shapes.indexOf(puck(diagram))];
  const draw = (part) => {
    // Another position may be shown meanwhile, which keeps the puck's element.
    if (!path.isConnected) return;
    const [x, y] = [0, 1].map((i) => start[i] + (end[i] - start[i]) * part);
    path.setAttribute("d", `M${start}L${x},${y}`);
    stone.setAttribute("transform", `translate(${x - end[0]} ${y - end[1]})`);
  };
  draw(0);
  new Motion().run(SLIDE_MS, draw);
}
