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
    this.element = el("p", { class: "refusal", id: "refusal", hidden: true });
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
 * Returns the reason for a refused click or drop; `null` if there is nothing to say.
 * @param game a view with a board: `isUsable`, `stateReason`, `view`, `board`, and `why(code)`
 * @param {string[]} chosen the spots of the move entered before
 * @param {string|null} id the clicked spot; `null` outside all spots
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

/** Returns the reason why no move can be entered at a table. */
export function stateReason({ table, view, closed, pending }) {
  if (closed) return closed;
  if (pending) return "Your move is on its way.";
  if (view.line?.length) return "This is a line of the engine: go back to play.";
  return view.node === table.tree.here ? table.view.why : "Only your own moves can be tried here.";
}

/**
 * Returns the code of the move that the clicks would enter if it were legal, made from a legal move of the same form;
 * `null` if there is none.
 */
function codeOf(gestures, chosen, id) {
  const at = chosen.length;
  const fits = ({ spots }) => spots?.length === at + 1 && chosen.every((other, i) => spots[i] === other);
  const whole = gestures.find((gesture) => fits(gesture) && hasWord(gesture.code, gesture.spots[at]));
  if (whole) return replaceWord(whole.code, whole.spots[at], id);
  // The first of two clicks: the reason names the first spot; the second is that of a legal move.
  const half = gestures.find(({ code, spots }) => spots?.length > at + 1 && spots.every((spot) => hasWord(code, spot)));
  return half && at === 0 ? replaceWord(half.code, half.spots[0], id) : null;
}

function words(code) {
  return code.split(/([^a-z0-9]+)/i);
}

function hasWord(code, word) {
  return words(code).includes(word);
}

function replaceWord(code, word, other) {
  return words(code)
    .map((part) => (part === word ? other : part))
    .join("");
}
