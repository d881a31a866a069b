/** Mouse, pen and touch input on a board: clicks on the spots of a move, or drags from the first to the last. */

import { distance, spotAt } from "./geometry.js";

/** Distance in pixels within which a touch selects the nearest spot. */
const REACH = 22;
/** Time for which a finger rests on a spot to learn its name, in milliseconds. */
const REST_MS = 500;
/** Maximum movement of a pointer during a click, in pixels. */
const STILL = 6;

export class Pointer {
  constructor(board) {
    this.board = board;
    /** The current press. */
    this.press = null;
    /** The spot at which the secondary button was pressed. */
    this.drawing = null;
    /** The place of the mouse on the board. */
    this.hover = null;
    const { svg: element } = board.surface;
    element.addEventListener("pointerdown", (event) => this.#down(event));
    // Keeps the page from scrolling while a finger drags a piece or rolls the board.
    element.addEventListener("touchstart", (event) => this.#isDragging() && event.preventDefault(), { passive: false });
    element.addEventListener("pointermove", (event) => this.#move(event));
    element.addEventListener("pointerup", (event) => this.#up(event));
    element.addEventListener("pointercancel", () => this.drop());
    element.addEventListener("pointerleave", () => this.#leave());
    element.addEventListener("click", (event) => this.#click(event));
    element.addEventListener("contextmenu", (event) => this.#aside(event));
  }

  /** `true` if the current press may become a drag on the board. */
  #isDragging() {
    const { board, press } = this;
    return Boolean(press) && (press.isBegun || board.gestures.isHalf || board.roll.isOn || board.camera.isOn);
  }

  #down(event) {
    if (event.button === 2 && this.board.diagram) this.drawing = this.#find(event);
    if (event.button !== 0 || !event.isPrimary || !this.board.diagram) return;
    const { surface } = this.board;
    const spot = this.#find(event);
    this.press = {
      pointer: event.pointerId,
      spot,
      start: surface.point(event),
      at: [event.clientX, event.clientY],
      isBegun: this.#begins(spot),
    };
    if (this.press.isBegun) this.board.choose(spot.id);
    clearTimeout(this.resting);
    if (event.pointerType === "touch" && spot) this.resting = setTimeout(() => this.#name(this.press), REST_MS);
    surface.svg.setPointerCapture(event.pointerId);
  }

  /** `true` if a press on a spot begins a move, or another one. A second press on the same spot cancels it. */
  #begins(spot) {
    if (!spot) return false;
    const { gestures } = this.board;
    return gestures.begins(spot.id) && !gestures.next().get(spot.id) && !gestures.chosen.includes(spot.id);
  }

  /** Names the spot under a resting finger. */
  #name(press) {
    if (!press || press.isDrag) return;
    press.isNamed = true;
    this.board.hooks.onName?.(this.board.nameOf(press.spot));
  }

  #move(event) {
    const { board, press } = this;
    if (!board.diagram) return;
    const spot = this.#find(event);
    board.light(spot?.id);
    if (event.pointerType === "mouse") {
      this.hover = { clientX: event.clientX, clientY: event.clientY, pointerType: "mouse" };
      board.hooks.onHover?.(spot);
    }
    if (press) {
      press.isDrag ||= distance(press.at, [event.clientX, event.clientY]) > STILL;
      if (press.isDrag && !board.gestures.isHalf && this.#roll(event)) return;
    }
    const isNear = event.pointerType === "mouse" || press?.isDrag;
    if (!isNear) return;
    board.showHand(spot, board.surface.point(event));
  }

  #up(event) {
    const { board, press } = this;
    if (event.button === 2) this.#draw(event);
    if (!press || event.pointerId !== press.pointer) return;
    this.press = null;
    clearTimeout(this.resting);
    if (press.isRoll && board.roll.isOn) board.roll.release();
    if (press.isRoll || (press.isNamed && !press.isDrag)) return;
    // A click counts for the picture on which it was made: the board may glide meanwhile.
    const spot = press.isDrag ? this.#find(event) : press.spot;
    const isSame = spot?.id === press.spot?.id;
    if (isSame && press.isBegun) return;
    const isLegal = spot && board.gestures.isHalf && board.gestures.next().has(spot.id);
    if (spot && (isSame || isLegal)) board.choose(spot.id);
    else if (isSame || (press.isDrag && board.gestures.isHalf)) board.refuse(spot?.id ?? null);
    else board.cancel();
  }

  /** Ends the current press without a click. */
  drop() {
    clearTimeout(this.resting);
    this.press = null;
    this.board.showHand(null, null);
  }

  /** Names the spot under the resting mouse again, after the board has changed. */
  renew() {
    if (this.hover) this.board.hooks.onHover?.(this.#find(this.hover));
  }

  #leave() {
    this.hover = null;
    if (this.press) return;
    this.board.light(undefined);
    this.board.hooks.onHover?.(null);
    if (this.board.diagram) this.board.showHand(null, null);
  }

  /** Handles clicks without a pointer: of a screen reader or a script. For those of a pointer, `detail` is above 0. */
  #click(event) {
    const id = event.target.closest("[data-spot]")?.dataset.spot;
    if (event.detail === 0 && id !== undefined) this.board.choose(id);
  }

  /** Keeps the browser's menu away from spots. A resting finger learns the name of the spot instead. */
  #aside(event) {
    if (event.pointerType === "touch" || this.#find(event)) event.preventDefault();
  }

  /** Draws an own mark with the secondary button, unless a click with it has another use. */
  #draw(event) {
    const { board, drawing } = this;
    const to = this.#find(event);
    this.drawing = null;
    if (!drawing || !to || (drawing === to && board.hooks.onAside?.(to.id))) return;
    board.toggleOwn(drawing.id, to.id);
  }

  /** Moves the board under its camera, or rolls it if it continues beyond its edge. */
  #roll(event) {
    const { board, press } = this;
    if (!board.camera.isOn && !board.roll.isOn) return false;
    const at = [event.clientX, event.clientY];
    const by = [0, 1].map((i) => at[i] - press.at[i]);
    if (board.camera.isOn) board.camera.pan(by);
    else if (press.isRoll) board.roll.pan(by.map((length) => length * board.surface.unit));
    // A press that drifts within its cell is still a click.
    else if (this.#find(event) === press.spot && press.spot) return true;
    press.at = at;
    press.isRoll = true;
    return true;
  }

  /** Returns the spot under the pointer. A ghost cell counts as its spot. */
  #find(event) {
    const { surface, spots, roll } = this.board;
    const at = surface.point(event);
    const copied = roll.isOn ? roll.spotAt(at) : null;
    if (copied) return copied;
    const reach = event.pointerType === "touch" ? REACH * surface.unit : 0;
    const found = spotAt(spots, at, reach);
    if (found) return found;
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    const shown = under.find((element) => element.hasAttribute("data-shows"));
    return shown ? this.board.spot(shown.getAttribute("data-shows")) : null;
  }
}
