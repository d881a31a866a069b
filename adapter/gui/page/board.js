/** An interactive board: draws any diagram, and converts clicks, drags and keys to move codes. */

import { Camera } from "./camera.js";
import { el, set } from "./dom.js";
import { onKey } from "./keyboard.js";
import { drawMarks, drawOwn, showHand } from "./marks.js";
import { Pointer } from "./pointer.js";
import { colourOf, legend, marksOn, namedShapes, pieceOn } from "./pieces.js";
import { Roll } from "./roll.js";
import { slide } from "./motion.js";
import { Surface } from "./surface.js";

/** Time in which the server mostly answers a move. */
const LATE_MS = 200;

export class Board {
  /**
   * @param {Record<string, Function>} hooks `onMove(code)`: a complete move was entered; `onRefuse(chosen, id)`: a click or
   *     drop on a spot, or outside all (`null`), makes no move after the chosen ones. Those that can be left out:
   *     `onRoll()`: the board was rolled away, or back; `onAside(id)`: a click with the secondary button; `onEnter()`:
   *     returns `true` if it handled Enter; `onHalf()`: a partly entered move has changed; `onHover(spot)`: the mouse or
   *     the focus is on a spot, or on none; `onName(text)`: a finger rests on a spot with this name
   */
  constructor(hooks) {
    this.hooks = hooks;
    this.surface = new Surface();
    const attributes = { class: "stage", role: "application", "aria-label": "Board", "aria-describedby": "board-help" };
    this.element = el("div", attributes, this.surface.split());
    this.camera = new Camera(this);
    this.element.firstChild.append(this.camera.map);
    this.element.append(this.camera.buttons);
    this.roll = new Roll(this);
    /** The only side of this user, whose goal is kept in view; `null` for the nearest one. */
    this.mySide = null;
    this.gestures = new Gestures([]);
    /** `true` if a board that is rolled always has the names of its cells, as in a lesson that uses them. */
    this.showsCells = false;
    /** Names of marks by role, set by the owner. */
    this.names = {};
    /** @type {Spot[]} */
    this.spots = [];
    /** `true` if moves are entered in advance. */
    this.isAhead = false;
    /** The view that its owner showed last. */
    this.shown = null;
    /** This person's own rings and arrows by node: pairs of spots. They are kept as long as the page. */
    this.own = new Map();
    this.pointer = new Pointer(this);
    this.element.addEventListener("keydown", (event) => onKey(this, event));
    this.element.addEventListener("focusin", (event) => this.#onFocus(event));
    this.element.addEventListener("focusout", () => this.hooks.onHover?.(null));
  }

  /**
   * Shows a view from the server. If it is not usable, the spots can be read, but no move can be entered, except in
   * advance.
   * @param {View} view
   * @param {Gesture[]} premoves moves that can be entered in advance
   */
  show(view, isUsable, premoves = []) {
    const { view: old, gestures } = this;
    const hadFocus = this.element.contains(document.activeElement);
    this.view = view;
    this.diagram = view.diagram;
    this.spots = view.diagram.spots;
    this.isUsable = isUsable;
    this.gestures = new Gestures(isUsable ? view.diagram.gestures : premoves);
    if (old?.node === view.node || this.isAhead) this.gestures.keep(gestures.chosen);
    this.isAhead = premoves.length > 0;
    this.#draw();
    for (const picture of this.surface.pictures) picture.dataset.turn = colourOf(this.diagram, view.side);
    this.#mark();
    this.setMarks(this.marks ?? []);
    drawOwn(this.surface, this.diagram, this.own.get(view.node) ?? []);
    const first = this.spots.find(({ id }) => this.gestures.next().has(id)) ?? this.spots[0];
    this.#setCurrent(this.spot(this.current) ? this.current : first?.id);
    if (hadFocus) this.focus(this.current);
    if (old && old.node !== view.node && this.played !== view.last) slide(this, view.last, old.diagram);
    this.played = null;
    this.pointer.renew();
  }

  /** Sets the moves marked on the board, the best first. @param {Mark[]} marks */
  setMarks(marks) {
    this.marks = marks;
    if (this.diagram) drawMarks(this.surface, this.diagram, marks);
  }

  /** Draws an arrow between two spots, or a ring on one, or removes it again. */
  toggleOwn(from, to) {
    const { node } = this.view;
    const pairs = this.own.get(node) ?? [];
    const others = pairs.filter((pair) => pair[0] !== from || pair[1] !== to);
    this.own.set(node, others.length < pairs.length ? others : [...pairs, [from, to]]);
    drawOwn(this.surface, this.diagram, this.own.get(node));
  }

  /** Returns the spot with this id, or `null`. */
  spot(id) {
    return this.spots.find((spot) => spot.id === id) ?? null;
  }

  /** Chooses a spot, as a click does. */
  choose(id) {
    if (!this.spot(id)) return;
    const { chosen } = this.gestures;
    const code = this.gestures.choose(id);
    this.#setCurrent(id);
    this.#mark();
    this.showHand(null, null);
    this.hooks.onHalf?.();
    if (code !== null) this.hooks.onMove(code);
    else if (!this.gestures.isHalf && !chosen.includes(id)) this.hooks.onRefuse?.(chosen, id);
  }

  /** Cancels a partly entered move that ends at a spot where no legal move does; `null` is outside all spots. */
  refuse(id) {
    const { chosen } = this.gestures;
    this.cancel();
    this.hooks.onRefuse?.(chosen, id);
  }

  /** Draws a move at once, before the server shows its position. No other can be entered meanwhile. */
  showPlayed(code) {
    const gesture = this.gestures.gestures.find((other) => other.code === code);
    const spots = gesture?.spots?.map((id) => this.spot(id)) ?? [];
    this.setMarks([]);
    const { chosen } = this.gestures;
    this.gestures = new Gestures([]);
    this.isUsable = false;
    this.played = code;
    // All spots change, which takes long on large boards, and the server's answer mostly changes them back.
    this.#mark(this.spots.filter(({ id }) => chosen.includes(id)));
    this.marking = setTimeout(() => this.#mark(), LATE_MS);
    if (spots.length === 0 || !spots.every(Boolean)) return;
    const from = spots.length > 1 ? spots[0] : null;
    const hand = { from, to: spots.at(-1), pointer: null };
    showHand(this.surface, this.diagram, this.view.side, hand, true);
  }

  /** Cancels a partly entered move. Returns `true` if there was one. */
  cancel() {
    if (!this.gestures.clear()) return false;
    this.#mark();
    this.showHand(null, null);
    this.hooks.onHalf?.();
    return true;
  }

  /** Shows the held piece at the pointer, and a preview of it at its target. */
  showHand(to, pointer) {
    const from = this.spot(this.gestures.chosen[0]);
    const landing = to && this.gestures.next().get(to.id) ? to : null;
    const side = this.isAhead ? this.mySide : this.view.side;
    showHand(this.surface, this.diagram, side, { from, to: landing, pointer });
  }

  /** Highlights all shapes that show this spot in other places. */
  light(id) {
    for (const shape of this.element.querySelectorAll("[data-shows]")) {
      shape.classList.toggle("lit", shape.dataset.shows === id);
    }
    this.roll.light(id);
  }

  /** Returns the name of a spot, with those of its marks. */
  nameOf(spot) {
    return [spot.label, ...marksOn(this.named, spot.outline, this.names)].join("; ");
  }

  /** Lists the marks on the board. */
  get legend() {
    return legend(this.diagram, this.names);
  }

  /** Moves the keyboard focus to a spot. */
  focus(id) {
    this.#setCurrent(id);
    this.#element(id)?.focus({ preventScroll: true });
    if (this.roll.isOn && this.spot(id)) this.roll.reveal(this.spot(id));
  }

  #draw() {
    const { diagram } = this;
    this.surface.draw(diagram, this.spots);
    this.camera.show(diagram, this.mySide, Boolean(this.view.result));
    this.roll.show(diagram);
    this.named = namedShapes(diagram, this.names);
    for (const spot of this.spots) {
      const title = this.#element(spot.id).firstChild;
      const name = this.nameOf(spot);
      if (title.textContent !== name) title.textContent = name;
    }
  }

  /** Marks the spots that can be chosen now. @param {Spot[]} spots those that may have changed */
  #mark(spots = this.spots) {
    clearTimeout(this.marking);
    const next = this.gestures.next();
    const { chosen, isHalf } = this.gestures;
    this.element.classList.toggle("is-half", isHalf);
    for (const { id, outline } of spots) {
      const element = this.#element(id);
      const code = next.get(id);
      const isNext = code !== undefined;
      element.classList.toggle("next", isNext);
      element.classList.toggle("begins", this.gestures.begins(id));
      element.classList.toggle("chosen", chosen.includes(id));
      element.classList.toggle("taken", isHalf && isNext && pieceOn(this.diagram, outline).length > 0);
      set(element, "aria-disabled", String(!isNext && !chosen.includes(id)));
      set(element, "aria-pressed", String(chosen.includes(id)));
      set(element, "data-code", code);
    }
  }

  #element(id) {
    return this.surface.elements.get(id) ?? null;
  }

  /** Makes one spot reachable by Tab; the arrow keys move from it to the others. */
  #setCurrent(id) {
    if (this.current !== id && this.#element(this.current)) set(this.#element(this.current), "tabindex", "-1");
    this.current = id;
    if (this.#element(id)) set(this.#element(id), "tabindex", "0");
  }

  #onFocus(event) {
    const id = event.target.closest?.("[data-spot]")?.dataset.spot;
    if (id !== undefined) this.#setCurrent(id);
    this.light(id);
    // A page that is used by keyboard names the spot as under a mouse.
    if (document.documentElement.classList.contains("by-keys")) this.hooks.onHover?.(this.spot(id));
  }
}

export class Gestures {
  /** @param {{code: string, spots?: string[], button?: string}[]} gestures as listed in a diagram */
  constructor(gestures) {
    this.gestures = gestures;
    /** Spots chosen so far. */
    this.chosen = [];
    this.starts = this.#choices([]);
  }

  /** Possible next spots: id -> the code of the completed move, or `null` if more spots are needed. */
  next() {
    return this.chosen.length === 0 ? this.starts : this.#choices(this.chosen);
  }

  /** `true` if a move is partly entered. */
  get isHalf() {
    return this.chosen.length > 0;
  }

  /** `true` if a move of several spots begins here. */
  begins(id) {
    return this.starts.get(id) === null;
  }

  /**
   * Chooses a spot. Returns the code if this completes a move. A spot that does not continue the partly entered move
   * begins another one or cancels it.
   */
  choose(id) {
    const next = this.next();
    const code = next.get(id);
    if (code !== undefined && code !== null) {
      this.chosen = [];
      return code;
    }
    if (code === null) {
      this.chosen = [...this.chosen, id];
    } else {
      const isAgain = this.chosen.includes(id);
      this.chosen = !isAgain && this.begins(id) ? [id] : [];
    }
    return null;
  }

  /** Continues a partly entered move of other gestures, if it begins one of these too. */
  keep(chosen) {
    if (this.#choices(chosen).size > 0) this.chosen = chosen;
  }

  /** Cancels the partly entered move. Returns `true` if there was one. */
  clear() {
    const was = this.isHalf;
    this.chosen = [];
    return was;
  }

  /** Returns the codes of the moves that use a spot. */
  codesAt(id) {
    return this.gestures.filter((gesture) => gesture.spots?.includes(id)).map((gesture) => gesture.code);
  }

  #choices(chosen) {
    const choices = new Map();
    for (const { code, spots } of this.gestures) {
      if (!spots || !chosen.every((id, i) => spots[i] === id)) continue;
      const id = spots[chosen.length];
      if (id === undefined) continue;
      const isLast = spots.length === chosen.length + 1;
      if (!choices.has(id)) choices.set(id, isLast ? code : null);
    }
    return choices;
  }
}
