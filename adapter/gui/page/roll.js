/**
 * A board that continues beyond its edges: copies of it lie around it, and it is rolled by a drag, with inertia, or by
 * keys. All that is shown of the board is moved by one map, a `DOMMatrix` that keeps lengths but may mirror. The copy
 * nearest to the middle of the picture becomes the board itself.
 */

import { refill, set, svg } from "./dom.js";
import { centre, contains, distance, middle } from "./geometry.js";
import { Motion, isStill } from "./motion.js";
import { pieceOn } from "./pieces.js";
import { drawShape } from "./shapes.js";

const IDENTITY = new DOMMatrix();
/** Time in which inertia slows to a third, and the speed at which it ends, in board units per second. */
const SLOWING_MS = 300;
const LEAST_SPEED = 0.4;
/** Time since the last movement of a drag after which there is no inertia. */
const STILL_MS = 80;
/** Duration of a step by key, or of the way back. */
const ROLL_MS = 180;
/** Duration of the roll that shows a newcomer that the board continues, and its length in cells. */
const TOUR_MS = 3500;
const TOUR = 2.5;
/** Most enlargement by two fingers. */
const MOST_ZOOM = 4;
/** How much nearer than the board a copy must be to take its place, in board units, so that they do not alternate. */
const NEARER = 0.5;
/** Least distance between the middles of two copies, relative to the radius of the board; nearer ones overlap. */
const APART = 1.6;
/** Font size of the codes of cells, relative to a cell's radius. */
const CODE = 0.5;

export class Roll {
  /** @param board the board, with its `surface` */
  constructor(board) {
    this.board = board;
    this.isOn = false;
    this.map = IDENTITY;
    /** How much larger than the whole board it is shown. */
    this.zoom = 1;
    this.wasAway = false;
    this.isTouring = false;
    this.motion = new Motion();
    this.drawn = new Map();
    /** The codes of empty cells, on the board (-1) and its copies: `{element, texts, turn}`. */
    this.codes = new Map();
    new ResizeObserver(() => this.isOn && this.#apply()).observe(board.surface.svg);
  }

  get isMoving() {
    return this.motion.isRunning;
  }

  /** `true` if the board is not where it was drawn first, or larger. */
  get isAway() {
    if (this.isTouring) return false;
    if (this.zoom > 1) return this.isOn;
    return this.isOn && partsOf(this.map).some((value, i) => Math.abs(value - partsOf(IDENTITY)[i]) > 0.01);
  }

  /** Shows a diagram, which the surface has drawn. */
  show(diagram) {
    const copies = (diagram.copies ?? []).map(matrixOf).filter(Boolean);
    const key = JSON.stringify([diagram.copies, diagram.width, diagram.height]);
    const isSame = this.key === key;
    this.key = key;
    this.isOn = copies.length > 0 && diagram.spots.length > 0;
    this.board.element.classList.toggle("rolls", this.isOn);
    const { surface } = this.board;
    surface.shapes.classList.toggle("rolls", this.isOn);
    if (!isSame || !this.isOn) {
      this.#stop();
      this.map = IDENTITY;
      this.zoom = 1;
      this.wasAway = false;
      this.drawn.clear();
      this.codes.clear();
      for (const layer of [surface.copies, surface.aboveCopies, surface.codes, surface.lit]) layer.replaceChildren();
      for (const world of surface.worlds) world.removeAttribute("transform");
    }
    if (!this.isOn) return;
    this.size = [diagram.width, diagram.height];
    if (!isSame) {
      this.copies = copies;
      this.#measure(diagram);
      this.around = this.#ring();
    }
    this.empty = new Set(
      diagram.spots.filter(({ outline }) => pieceOn(diagram, outline).length === 0).map(({ id }) => id),
    );
    for (const { texts } of this.codes.values()) this.#hide(texts);
    this.cells = rollingCells(diagram);
    surface.showWhole(diagram, this.zoom);
    this.#apply();
    if (!isSame && this.board.view.ply === 0 && this.board.mySide !== null && !isStill()) this.#tour();
  }

  /** Rolls the board slowly away and back. */
  #tour() {
    this.motion.run(TOUR_MS, (part) => {
      this.isTouring = part < 1;
      this.map = IDENTITY.translate(-TOUR * this.pitch * Math.sin(Math.PI * part) ** 2, 0);
      this.#apply();
    });
  }

  /** Returns the spot at a point of the board, or the spot whose copy is there; `null` if there is none. */
  spotAt(point) {
    for (const copy of [IDENTITY, ...this.around]) {
      const at = through(copy.inverse(), point);
      const found = this.board.spots.find(({ outline }) => contains(outline, at));
      if (found) return found;
    }
    return null;
  }

  /** Moves the board by a length on the picture. */
  pan(by) {
    this.#stop();
    this.#move(by);
    const now = performance.now();
    const since = Math.max(now - (this.movedAt ?? now), 1);
    const share = Math.min(since / 60, 1);
    const speed = by.map((length) => (1000 * length) / since);
    this.speed = (since > STILL_MS ? [0, 0] : (this.speed ?? [0, 0])).map((old, i) => old + share * (speed[i] - old));
    this.movedAt = now;
  }

  /** Rolls and enlarges the board as two fingers move. @param {Point} by in pixels */
  pinch(by, factor) {
    this.#stop();
    this.speed = null;
    const { surface } = this.board;
    this.#move(by.map((length) => length * surface.unit));
    this.zoom = Math.min(Math.max(this.zoom * factor, 1), MOST_ZOOM);
    surface.showWhole(this.board.diagram, this.zoom);
    this.#notify();
  }

  /** Continues a drag by inertia. */
  release() {
    const { speed } = this;
    this.speed = null;
    if (!speed || performance.now() - this.movedAt > STILL_MS || isStill()) return;
    // It slows down exponentially.
    const lasts = SLOWING_MS * Math.log(Math.hypot(...speed) / LEAST_SPEED);
    const way = (part) => (SLOWING_MS / 1000) * (1 - Math.exp((-part * lasts) / SLOWING_MS));
    if (lasts > 0) this.#glide(speed, lasts, way);
  }

  /** Rolls the board one step: the pieces move in this direction, such as `up-left`. */
  step(direction) {
    const [x, y] = vectorOf(direction);
    this.#glide([x * this.pitch, y * this.pitch]);
    return true;
  }

  /** Shows the board where it was drawn first. */
  home() {
    this.#stop();
    this.map = IDENTITY;
    this.zoom = 1;
    this.board.surface.showWhole(this.board.diagram);
    this.#apply();
    this.#notify();
  }

  /** Rolls the board as far as needed to have a spot in view. */
  reveal(spot) {
    const at = through(this.map, centre(spot.outline));
    const by = [0, 1].map((i) => Math.min(Math.max(at[i], this.pitch), this.size[i] - this.pitch) - at[i]);
    if (Math.hypot(...by) > 0.01) this.#glide(by);
  }

  /** Returns the next spot in a direction on the screen, beyond the edge too. */
  next(spot, direction) {
    const [a, b, c, d] = partsOf(this.map.inverse());
    const [x, y] = vectorOf(direction);
    const way = [a * x + c * y, b * x + d * y];
    const from = centre(spot.outline);
    const around = (copy) => this.board.spots.map((other) => [other, through(copy, centre(other.outline))]);
    const near = [IDENTITY, ...this.copies].flatMap(around).filter(([, at]) => {
      const away = distance(at, from);
      return away > 0.1 && away < 1.3 * this.pitch;
    });
    const along = ([, at]) => (at[0] - from[0]) * way[0] + (at[1] - from[1]) * way[1];
    return near.sort((one, other) => along(other) - along(one))[0]?.[0] ?? null;
  }

  /** Lights up a cell and its copies. */
  light(id) {
    const cell = this.isOn ? this.cells.get(id) : null;
    const border = this.board.surface.border;
    refill(this.board.surface.lit, cell ? id : null, () => (cell ? [drawShape({ ...cell, role: "lit" }, border)] : []));
  }

  /** Finds the middle of the board, its radius, and the distance between neighbouring cells. */
  #measure({ spots }) {
    const points = spots.map(({ outline }) => centre(outline));
    const mean = (i) => points.reduce((sum, point) => sum + point[i], 0) / points.length;
    this.middle = [mean(0), mean(1)];
    this.radius = Math.max(...points.map((point) => distance(point, this.middle)));
    this.pitch = Math.min(...points.slice(1).map((point) => distance(point, points[0])));
  }

  /** Returns the copies around the board, and those around them, without those that lie on others. */
  #ring() {
    const all = [];
    const places = [this.middle];
    const next = this.copies.flatMap((one) => this.copies.map((other) => one.multiply(other)));
    for (const copy of [...this.copies, ...next]) {
      const at = through(copy, this.middle);
      if (places.some((place) => distance(place, at) < APART * this.radius)) continue;
      places.push(at);
      all.push(copy);
    }
    return all;
  }

  /**
   * Writes the codes of empty cells on the board or a copy, upright. Their positions are computed, since a browser needs
   * long to draw hundreds of texts with a transform each.
   * @param {number} i the copy; -1 for the board
   * @param {DOMMatrix} map its place on the picture
   */
  #write(i, map) {
    const isHidden = !this.board.showsCells && document.documentElement.classList.contains("no-cells");
    set(this.board.surface.codes, "hidden", isHidden);
    if (isHidden) return;
    const size = CODE * this.pitch * 0.5;
    let codes = this.codes.get(i);
    if (!codes) {
      const texts = this.board.spots.map(({ id }) => svg("text.shape.code", { "font-size": size }, id));
      codes = { element: svg("g", texts), texts, turn: "" };
      this.#hide(texts);
      this.codes.set(i, codes);
      this.board.surface.codes.append(codes.element);
    }
    const turning = turnOf(map);
    const turn = turning.toString();
    if (codes.turn !== turn) {
      for (const [k, { outline }] of this.board.spots.entries()) {
        const [x, y] = through(turning, centre(outline));
        set(codes.texts[k], "x", x);
        set(codes.texts[k], "y", y + 0.35 * size);
      }
      codes.turn = turn;
    }
    set(codes.element, "transform", `translate(${map.e} ${map.f})`);
  }

  #hide(texts) {
    for (const [k, { id }] of this.board.spots.entries()) set(texts[k], "hidden", !this.empty.has(id));
  }

  /** @param {Point} by */
  #move(by) {
    this.map = new DOMMatrix([1, 0, 0, 1, ...by]).multiply(this.map);
    const middleOfPicture = this.size.map((length) => length / 2);
    const at = through(this.map.inverse(), middleOfPicture);
    const away = (copy) => distance(through(copy, this.middle), at);
    const nearest = this.copies.reduce((best, copy) => (away(copy) < away(best) ? copy : best));
    if (away(nearest) + NEARER < away(IDENTITY)) this.map = this.map.multiply(nearest);
    this.#apply();
    this.#notify();
  }

  /** Notifies the owner when the board was rolled away, or back. */
  #notify() {
    if (this.isAway === this.wasAway) return;
    this.wasAway = this.isAway;
    this.board.hooks.onRoll?.();
  }

  /** Moves the board by a length, of which `way` gives the part after a share of the time. */
  #glide(by, ms = ROLL_MS, way = (part) => part) {
    this.#stop();
    let done = 0;
    this.motion.run(ms, (part) => {
      this.#move(by.map((length) => length * (way(part) - done)));
      done = way(part);
    });
  }

  #stop() {
    this.motion.stop();
    this.isTouring = false;
  }

  /** Draws the board at its place, with the copies that are in view. */
  #apply() {
    const { surface } = this.board;
    const { clientWidth: width, clientHeight: height } = surface.svg;
    const scale = Math.min(width / this.size[0], height / this.size[1]) || 1;
    const half = [width / scale / 2, height / scale / 2];
    for (const world of surface.worlds) set(world, "transform", this.map);
    // The CSS transform that shows a text upright.
    const turned = turnOf(this.map.inverse()).toString();
    if (this.turned !== turned) surface.world.style.setProperty("--upright", turned);
    this.turned = turned;
    set(surface.codes, "transform", this.map.inverse());
    this.#write(-1, this.map);
    const isSeen = (copy) => {
      const at = through(this.map.multiply(copy), this.middle);
      return [0, 1].every((i) => Math.abs(at[i] - this.size[i] / 2) < half[i] + this.radius + this.pitch);
    };
    for (const [i, copy] of this.around.entries()) {
      let element = this.drawn.get(i);
      if (!isSeen(copy)) {
        for (const layer of element ?? []) layer.remove();
        this.drawn.delete(i);
        this.codes.get(i)?.element.remove();
        this.codes.delete(i);
        continue;
      }
      if (!element) {
        element = [surface.shapes, surface.above].map(({ id }) => svg("use", { href: `#${id}`, transform: copy }));
        this.drawn.set(i, element);
        surface.copies.append(element[0]);
        surface.aboveCopies.append(element[1]);
      }
      this.#write(i, this.map.multiply(copy));
    }
  }
}

/** Returns the map of a copy; `null` if its points are on one line. */
function matrixOf({ from, to }) {
  const frame = ([p, q, r]) => new DOMMatrix([q[0] - p[0], q[1] - p[1], r[0] - p[0], r[1] - p[1], p[0], p[1]]);
  const start = frame(from);
  return Math.abs(start.a * start.d - start.b * start.c) < 1e-6 ? null : frame(to).multiply(start.inverse());
}

function partsOf({ a, b, c, d, e, f }) {
  return [a, b, c, d, e, f];
}

/** Returns the part of a map that moves no point but the origin, rounded. @param {DOMMatrix} map */
function turnOf(map) {
  const [a, b, c, d] = partsOf(map).map((value) => Number(value.toFixed(4)));
  return new DOMMatrix([a, b, c, d, 0, 0]);
}

/** Returns the place of a point under a map. @param {DOMMatrix} map @param {Point} at */
function through(map, at) {
  const [x, y] = at;
  const point = map.transformPoint({ x, y });
  return [point.x, point.y];
}

/** Returns the vector of length 1 in a direction such as `up` or `down-left`. */
function vectorOf(direction) {
  const part = (one, other) => direction.includes(one) - direction.includes(other);
  const [x, y] = [part("right", "left"), part("down", "up")];
  // The diagonals are those of hexagons.
  return x !== 0 && y !== 0 ? [x / 2, y * Math.sqrt(0.75)] : [x, y];
}

/** Returns the shapes of the cells by the ids of their spots. */
function rollingCells({ shapes, spots }) {
  const key = ([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`;
  const cells = new Map(shapes.filter(({ role }) => role === "cell").map((shape) => [key(middle(shape)), shape]));
  return new Map(spots.map(({ id, outline }) => [id, cells.get(key(centre(outline)))]));
}
