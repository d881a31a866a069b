/** Mouse, pen and finger on a board: click the spots of a move in order, or drag from the first to the last. */

import { distance, spotAt } from "./geometry.js";

/** A finger may miss a spot by so many pixels. */
const REACH = 22;
/** Pixels that a pointer may move in a click. */
const STILL = 6;

export class Pointer {
  constructor(board) {
    this.board = board;
    /** The press under way. */
    this.press = null;
    const { element } = board;
    element.addEventListener("pointerdown", (event) => this.#down(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    element.addEventListener("pointerup", (event) => this.#up(event));
    element.addEventListener("pointercancel", () => this.#end());
    element.addEventListener("pointerleave", () => this.#leave());
    element.addEventListener("click", (event) => this.#click(event));
    element.addEventListener("contextmenu", (event) => this.#aside(event));
  }

  #down(event) {
    if (event.button !== 0 || !event.isPrimary || !this.board.diagram) return;
    const surface = this.#surface(event);
    if (!surface) return;
    const spot = this.#find(event);
    this.press = {
      pointer: event.pointerId,
      spot,
      surface,
      start: surface.point(event),
      at: [event.clientX, event.clientY],
      isBegun: this.#begins(spot),
    };
    if (this.press.isBegun) this.board.choose(spot.id);
    surface.svg.setPointerCapture(event.pointerId);
  }

  /** Whether a press on a spot begins a move, or begins it anew; a second press on the same spot takes it back. */
  #begins(spot) {
    if (!spot) return false;
    const { gestures } = this.board;
    return gestures.begins(spot.id) && !gestures.next().get(spot.id) && !gestures.chosen.includes(spot.id);
  }

  #move(event) {
    const { board, press } = this;
    if (!board.diagram) return;
    const spot = this.#find(event);
    board.light(spot?.id);
    if (press) {
      press.isDrag ||= distance(press.at, [event.clientX, event.clientY]) > STILL;
      if (press.isDrag && !board.gestures.isHalf && this.#roll(event)) return;
    }
    const isNear = event.pointerType === "mouse" || press?.isDrag;
    if (!isNear) return;
    const surface = this.#surface(event) ?? press?.surface;
    board.showHand(spot, surface ? surface.point(event) : null);
  }

  #up(event) {
    const { board, press } = this;
    if (!press || event.pointerId !== press.pointer) return;
    this.press = null;
    if (press.isRoll) return;
    const spot = this.#find(event);
    const isSame = spot && spot.id === press.spot?.id;
    if (isSame && press.isBegun) return;
    if (isSame || (spot && board.gestures.isHalf && board.gestures.next().has(spot.id))) board.choose(spot.id);
    else board.cancel();
  }

  #end() {
    this.press = null;
    this.board.showHand(null, null);
  }

  #leave() {
    if (this.press) return;
    this.board.light(undefined);
    if (this.board.diagram) this.board.showHand(null, null);
  }

  /** Clicks that no pointer made: those of a screen reader or of a script. The click of a press counts its presses. */
  #click(event) {
    const id = event.target.closest("[data-spot]")?.dataset.spot;
    if (event.detail === 0 && id !== undefined) this.board.choose(id);
  }

  #aside(event) {
    const spot = this.#find(event);
    if (!spot || !this.board.hooks.onAside) return;
    if (this.board.hooks.onAside(spot.id)) event.preventDefault();
  }

  /** Drags the board itself, where it goes on beyond its edge. */
  #roll(event) {
    const { board, press } = this;
    if (!board.canRoll) return false;
    press.isRoll = true;
    press.start = board.roll(press.start, press.surface.point(event));
    return true;
  }

  #surface(event) {
    return this.board.surfaces.find((surface) => {
      const box = surface.svg.getBoundingClientRect();
      return box.left <= event.clientX && event.clientX <= box.right && box.top <= event.clientY && event.clientY <= box.bottom;
    });
  }

  /** The spot under the pointer, in the picture that has it. A ghost stands for its cell. */
  #find(event) {
    const surface = this.#surface(event);
    if (!surface) return null;
    const spots = this.board.spots.filter((spot) => surface.elements.has(spot.id));
    const reach = event.pointerType === "touch" ? REACH * surface.unit : 0;
    const found = spotAt(spots, surface.point(event), reach);
    if (found) return found;
    const shown = document.elementsFromPoint(event.clientX, event.clientY).find((element) => element.dataset?.shows);
    return shown ? this.board.spot(shown.dataset.shows) : null;
  }
}
