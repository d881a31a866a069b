/** The reasons why clicks on the board make no move, in the words of the rules. */

import { el, sentence } from "./dom.js";
import { pieceOn } from "./pieces.js";

/** Time for which a text is shown, in milliseconds. */
const SHOWN_MS = 4000;

/** A text over a board that says why a click makes no move, or names a mark. */
export class Refusal {
  /** @param {(text: string) => void} say speaks a text */
  constructor(say) {
    this.say = say;
    this.element = el("p.refusal#refusal", { hidden: true });
  }

  /** Shows the reason for a refused click or drop, if there is one; arguments as of `reasonOf`. */
  async show(game, chosen, id) {
    const text = await reasonOf(game, chosen, id);
    if (text) this.tell(text);
  }

  tell(text) {
    this.element.textContent = text;
    this.element.hidden = false;
    this.say(text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hide(), SHOWN_MS);
  }

  hide() {
    this.element.hidden = true;
  }
}

/**
 * Returns the reason for a refused click or drop on a spot, or outside all (`null`); `null` if there is nothing to say.
 * @param game a view with a board: `isUsable`, `stateReason`, `view`, `board`, and `why(code)`
 */
async function reasonOf(game, chosen, id) {
  if (!game.isUsable) return id === null ? null : game.stateReason;
  const { gestures, shapes } = game.view.diagram;
  if (id === null)
    return chosen.length > 0 || shapes.some(({ role }) => role === "target") ? "No legal move ends there." : null;
  const code = codeOf(gestures, chosen, id);
  const why = code && (await game.why(code));
  if (why) return `${/^[a-z]{2}/.test(why) ? sentence(why) : why}.`;
  const spot = game.board.spot(id);
  if (chosen.length > 0) return `No legal move goes to ${spot.label}.`;
  if (pieceOn(game.view.diagram, spot.outline).length > 0) return "That piece has no legal move now.";
  return gestures.every(({ spots }) => spots?.length !== 1)
    ? "Choose one of your pieces first."
    : `No legal move begins at ${spot.label}.`;
}

/**
 * Returns the code of the move that the clicks would enter if it were legal, made from a legal move of the same form;
 * `null` if there is none.
 */
function codeOf(gestures, chosen, id) {
  const at = chosen.length;
  const fits = ({ spots }) => spots?.length === at + 1 && chosen.every((other, i) => spots[i] === other);
  const whole = gestures.find((gesture) => fits(gesture) && wordOf(gesture.spots[at]).test(gesture.code));
  if (whole) return whole.code.replace(wordOf(whole.spots[at]), id);
  // The first of two clicks: the reason names the first spot; the second is that of a legal move.
  const isOfSpots = ({ code, spots }) => spots?.length > at + 1 && spots.every((spot) => wordOf(spot).test(code));
  const half = at === 0 && gestures.find(isOfSpots);
  return half ? half.code.replace(wordOf(half.spots[0]), id) : null;
}

/** Returns a pattern for the id of a spot as a whole word. */
function wordOf(id) {
  return new RegExp(`\\b${id.replaceAll(/\W/g, "\\$&")}\\b`, "g");
}
