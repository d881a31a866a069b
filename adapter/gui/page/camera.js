/**
 * The camera of a board whose spots are too small if all of it is shown: the visible part of the board. It follows the
 * game until the person zooms or pans, and then keeps the person's scale. Lengths on the screen are in pixels.
 */

import { el, iconButton, refill, set, svg } from "./dom.js";
import { bounds, centreOf, distance, middle } from "./geometry.js";
import { Motion } from "./motion.js";
import { colourOf } from "./pieces.js";

/** The board needs a camera if its focus is smaller than this share of it. */
const SMALL = 0.5;
/** Least pixels of a board unit at which spots one unit apart can be chosen and their letters read, by mouse and by finger. */
const LEAST = { fine: 22, coarse: 24 };
/** Most pixels of a board unit. */
const MOST = 80;
/** Change of the scale by a key or a button. */
const STEP = 1.25;
/** Distance from the focus to the edge after the camera has moved, in board units, so that it moves seldom. */
const AROUND = 3;
/** Distance from an arrow to the edge. */
const INSET = 26;
/** Length of a step by key or button. */
const PAN = 80;
/** Radius of the puck on the map, relative to the board's longer side. */
const MAP_PUCK = 0.025;
const GLIDE_MS = 260;

export class Camera {
  /** @param board the board, with its `surface` */
  constructor(board) {
    this.board = board;
    this.isOn = false;
    /** The centre of the visible part, and the pixels of a board unit; `null` before the first view. */
    this.at = null;
    /** `true` if the person has zoomed or panned. */
    this.isFree = false;
    this.size = [0, 0];
    this.motion = new Motion();
    /** Places of the fingers on the board, by pointer. */
    this.fingers = new Map();
    this.#build();
    const { svg: picture } = board.surface;
    new ResizeObserver(() => this.#resize()).observe(picture);
    picture.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    for (const name of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
      picture.addEventListener(name, (event) => this.#finger(event));
    }
  }

  /** `true` until the visible part has reached its place. */
  get isMoving() {
    return this.isOn && (this.motion.isRunning || this.at === null);
  }

  /**
   * Shows a diagram.
   * @param {string|null} side the player whose goal is kept in view; `null` for the nearest goal
   * @param {boolean} isOver the whole line is shown, with the goal next to its end
   */
  show(diagram, side, isOver) {
    this.field = fieldOf(diagram);
    this.focus = diagram.focus;
    this.isOn = needsCamera(diagram, this.field);
    this.board.element.classList.toggle("has-camera", this.isOn);
    this.buttons.hidden = !this.isOn;
    if (!this.isOn) {
      this.at = null;
      this.board.surface.showWhole(diagram);
      return;
    }
    const away = (goal) => distance(middle(goal), centreOf(this.focus));
    this.goals = diagram.shapes
      .filter(({ role, form }) => role === "goal" && form === "polygon")
      .sort((one, other) => away(one) - away(other));
    const mine = this.goals.find(({ colour }) => side === null || colour === colourOf(diagram, side));
    this.goalArea = mine ? bounds(mine.points) : null;
    this.end = isOver ? [...lineOf(diagram), ...(this.goals[0]?.points ?? [])] : [];
    this.names = diagram.names;
    this.board.surface.svg.style.setProperty("--aspect", this.field.size[0] / this.field.size[1]);
    if (this.at === null) this.#open();
    else if (this.isFree) this.#glide(this.#holding(this.at));
    else this.#follow();
    this.#showMap();
  }

  /** Moves the board by pixels. @param {Point} by */
  pan([x, y]) {
    const { at } = this;
    this.#free({ ...at, x: at.x - x / at.scale, y: at.y - y / at.scale });
  }

  /** Moves the visible part one step in a direction: `up`, `down-left`, … */
  step(direction) {
    const by = (one, other) => PAN * (direction.includes(one) - direction.includes(other));
    this.pan([by("left", "right"), by("up", "down")]);
    return true;
  }

  /** Zooms around a point on the screen, relative to the centre. @param {Point} place */
  zoom(factor, place = [0, 0]) {
    const [x, y] = place;
    const { at } = this;
    const scale = Math.min(Math.max(at.scale * factor, this.#whole()), MOST);
    const by = 1 / at.scale - 1 / scale;
    this.#free({ x: at.x + x * by, y: at.y + y * by, scale });
  }

  /** Shows the whole board. */
  showWhole() {
    this.#free({ ...this.at, scale: this.#whole() });
  }

  /** Follows the game again. */
  follow() {
    this.isFree = false;
    this.#mark();
    this.#glide(this.#best());
  }

  /** Handles a key. @returns {boolean} `true` if it was used */
  onKey(key) {
    if (!this.isOn || this.at === null) return false;
    if (key === "+" || key === "=") this.zoom(STEP);
    else if (key === "-") this.zoom(1 / STEP);
    else if (key === "0" && this.isFree) this.follow();
    else if (key === "0") this.showWhole();
    else return false;
    return true;
  }

  #build() {
    this.followButton = iconButton("follow", "Follow the game", () => this.follow(), { id: "camera-follow" });
    this.buttons = el(
      "div.camera",
      { role: "group", "aria-label": "Part of the board", hidden: true },
      iconButton("minus", "Smaller", () => this.zoom(1 / STEP), { id: "camera-out" }),
      iconButton("plus", "Larger", () => this.zoom(STEP), { id: "camera-in" }),
      iconButton("whole", "The whole board", () => this.showWhole(), { id: "camera-whole" }),
      this.followButton,
    );
    this.puck = svg("circle");
    const field = svg("use", { href: `#${this.board.surface.shapes.id}` });
    this.map = svg("svg.camera-map", { "aria-hidden": "true", hidden: true }, field, this.puck);
    this.#mark();
  }

  #mark() {
    this.followButton.setAttribute("aria-pressed", String(!this.isFree));
  }

  /** Shows the puck, and next to it a map with the own goal, if that is too far away for both to be in view. */
  #open() {
    this.#set(this.#best());
    if (this.at === null) return;
    this.first = this.at;
    this.#showMap();
  }

  /** Shows the map until the first view is left. */
  #showMap() {
    const isFirst = this.at === this.first && this.end.length === 0 && !this.#shows(this.at, this.goalArea);
    set(this.map, "hidden", !isFirst);
    if (!isFirst) return;
    const { low, size } = this.field;
    const [cx, cy] = centreOf(this.focus);
    set(this.map, "viewBox", [...low, ...size].join(" "));
    for (const [name, value] of Object.entries({ cx, cy, r: MAP_PUCK * Math.max(...size) }))
      set(this.puck, name, value);
    // It is not on the side of the puck.
    this.map.classList.toggle("is-left", cx > this.at.x);
    this.map.classList.toggle("is-top", cy > this.at.y);
  }

  /** Returns the visible part that shows some points, as large as they allow. */
  #around(points) {
    const { low, high } = bounds(points);
    const area = { low: low.map((value) => value - 1), high: high.map((value) => value + 1) };
    const [x, y] = centreOf(area);
    return { x, y, scale: Math.max(this.#scaleOf(area), this.#whole()) };
  }

  /** Sets the visible part by the person's wish. */
  #free(at) {
    this.isFree = true;
    this.#mark();
    this.#set(at);
  }

  /** Keeps the visible part if it shows enough, else moves it. */
  #follow() {
    const best = this.#best();
    const isAsGood = (area) => this.#shows(this.at, area) || !this.#shows(best, area);
    const isEnough = this.end.length === 0 && best.scale === this.at.scale;
    if (!isEnough || ![this.focus, this.goalArea].every(isAsGood)) this.#glide(best);
  }

  /** Returns the best visible part: the focus in a usable size, and as much of the way to the goal as fits. */
  #best() {
    const least = LEAST[matchMedia("(pointer: coarse)").matches ? "coarse" : "fine"];
    if (this.end.length > 0) {
      const whole = this.#around(this.end);
      return this.#limited({ ...whole, scale: Math.min(whole.scale, least) });
    }
    const scale = Math.max(Math.min(least, this.#scaleOf(this.focus)), this.#whole());
    const [x, y] = centreOf(this.goalArea ?? this.focus);
    return this.#holding({ x, y, scale }, AROUND);
  }

  /** Returns the visible part of the same scale nearest to `at` that shows the focus. */
  #holding(at, around = 0) {
    const near = (i, place) => {
      const half = this.size[i] / at.scale / 2;
      const grow = Math.min(around, Math.max(0, half - (this.focus.high[i] - this.focus.low[i]) / 2));
      return between(this.focus.high[i] + grow - half, place, this.focus.low[i] - grow + half);
    };
    return this.#limited({ x: near(0, at.x), y: near(1, at.y), scale: at.scale });
  }

  /** Returns the visible part without what is beyond the board's edges. */
  #limited({ x, y, scale }) {
    const { low, high } = this.field;
    const limit = (i, place) => between(low[i] + this.size[i] / scale / 2, place, high[i] - this.size[i] / scale / 2);
    return { x: limit(0, x), y: limit(1, y), scale };
  }

  /** The scale at which a rectangle fills the screen. */
  #scaleOf({ low, high }) {
    return Math.min(...[0, 1].map((i) => this.size[i] / (high[i] - low[i])));
  }

  #whole() {
    return this.#scaleOf(this.field);
  }

  /** `true` if a rectangle is visible. */
  #shows({ x, y, scale }, area) {
    if (!area) return true;
    const isIn = (i, place) => Math.abs(place - [x, y][i]) <= this.size[i] / scale / 2 + 0.01;
    return [0, 1].every((i) => isIn(i, area.low[i]) && isIn(i, area.high[i]));
  }

  #resize() {
    const { clientWidth, clientHeight } = this.board.surface.svg;
    this.size = [clientWidth, clientHeight];
    if (!this.isOn) return;
    if (this.at === null || this.at === this.first) this.#open();
    else if (this.isFree) this.#set({ ...this.at, scale: Math.max(this.at.scale, this.#whole()) });
    else this.#set(this.#best());
  }

  /** Moves to a visible part smoothly. */
  #glide(to) {
    const from = this.at;
    this.motion.run(GLIDE_MS, (part) => {
      const eased = part * (2 - part);
      const mix = (name) => from[name] + (to[name] - from[name]) * eased;
      this.#apply({ x: mix("x"), y: mix("y"), scale: mix("scale") });
      if (part === 1) this.board.pointer.renew();
    });
  }

  #set(at) {
    this.motion.stop();
    if (this.size.every((length) => length > 0)) this.#apply(this.#limited(at));
  }

  #apply(at) {
    this.at = at;
    const { surface } = this.board;
    surface.look(at, this.size);
    const isHidden = (goal) => this.end.length === 0 && !this.#shows(at, { low: middle(goal), high: middle(goal) });
    const hidden = this.goals.filter(isHidden);
    refill(
      surface.signs,
      hidden.map(({ colour }) => colour),
      () => hidden.map((goal) => this.#arrow(goal)),
    );
    for (const [i, goal] of hidden.entries()) this.#point(surface.signs.children[i], middle(goal));
    this.#showMap();
  }

  /** Draws an arrow to a goal that is not visible. */
  #arrow({ colour }) {
    const head = svg("polygon", { points: "23,0 15,-7 15,7" });
    const title = svg("title", this.names[colour - 1]);
    return svg(`g.goal-arrow.${["one", "two"][colour - 1]}`, title, svg("circle", { r: 15 }), head);
  }

  /** Moves an arrow to the edge, on the way to a point. */
  #point(arrow, [x, y]) {
    const { at, size } = this;
    const way = [x - at.x, y - at.y];
    const reach = Math.min(...[0, 1].map((i) => (size[i] / 2 - INSET) / Math.max(Math.abs(way[i]), 0.001)));
    const turn = (Math.atan2(way[1], way[0]) * 180) / Math.PI;
    arrow.setAttribute("transform", `translate(${size[0] / 2 + way[0] * reach} ${size[1] / 2 + way[1] * reach})`);
    arrow.querySelector("polygon").setAttribute("transform", `rotate(${turn})`);
  }

  // The mouse wheel and two fingers.

  #wheel(event) {
    if (!this.isOn || this.at === null) return;
    event.preventDefault();
    this.zoom(1.0015 ** -event.deltaY, this.#fromCentre([event.clientX, event.clientY]));
  }

  #finger(event) {
    const { roll } = this.board;
    if (!(this.isOn || roll.isOn) || event.pointerType === "mouse") return;
    const { fingers } = this;
    const place = [event.clientX, event.clientY];
    if (event.type === "pointerdown") fingers.set(event.pointerId, place);
    else if (event.type !== "pointermove") fingers.delete(event.pointerId);
    if (fingers.size !== 2 || !fingers.has(event.pointerId)) return;
    this.board.pointer.drop();
    const before = [...fingers.values()];
    fingers.set(event.pointerId, place);
    const after = [...fingers.values()];
    const [from, to] = [before, after].map(([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    /** @type {Point} */
    const by = [to[0] - from[0], to[1] - from[1]];
    const factor = distance(after[0], after[1]) / (distance(before[0], before[1]) || 1);
    if (!this.isOn) {
      roll.pinch(by, factor);
      return;
    }
    this.pan(by);
    this.zoom(factor, this.#fromCentre(to));
  }

  /** @param {Point} place */
  #fromCentre([x, y]) {
    const box = this.board.surface.svg.getBoundingClientRect();
    return [x - box.left - box.width / 2, y - box.top - box.height / 2];
  }
}

/** `true` if the focus of a diagram is much smaller than its board. */
function needsCamera({ focus }, { size }) {
  return Boolean(focus) && [0, 1].every((i) => focus.high[i] - focus.low[i] <= SMALL * size[i]);
}

/** Returns the points of the lines of the players. */
function lineOf({ shapes }) {
  const lines = shapes.filter(({ role, colour }) => colour && (role === "trail" || role === "last-trail"));
  return lines.flatMap((shape) => shape.lines.flat());
}

/** Returns the rectangle of the board itself, without the margin of its picture. */
function fieldOf({ shapes, width, height }) {
  const board = shapes.find(({ role, form }) => role === "board" && form === "polygon");
  const { low, high } = board ? bounds(board.points) : { low: [0, 0], high: [width, height] };
  return { low, high, size: [high[0] - low[0], high[1] - low[1]] };
}

/** Returns the number nearest to `place` in a range, or its middle if it is empty. */
function between(low, place, high) {
  return low > high ? (low + high) / 2 : Math.min(Math.max(place, low), high);
}
