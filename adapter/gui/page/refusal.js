/** The reasons why clicks on the board make no move, in the words of the rules. */

import { sideName } from "./strips.js";

/**
 * Returns the reason for a refused click or drop; `null` if there is nothing to say.
 * @param {string[]} chosen the spots of the move entered before
 * @param {string|null} id the clicked spot; `null` outside all spots
 */
export async function reasonOf(game, chosen, id) {
  if (!game.isUsable) return id === null ? null : stateReason(game);
  const { gestures, shapes } = game.view.diagram;
  if (id === null) return chosen.length > 0 || shapes.some(({ role }) => role === "target") ? "No legal move ends there." : null;
  const code = codeOf(gestures, chosen, id);
  const why = code && (await game.app.socket.ask("why", { code }).then((done) => done.why, () => null));
  if (why) return `${/^[a-z]{2}/.test(why) ? why[0].toUpperCase() : why[0]}${why.slice(1)}.`;
  return chosen.length > 0 ? `No legal move goes to ${game.board.spot(id).label}.` : `No legal move begins at ${game.board.spot(id).label}.`;
}

function stateReason({ table, view, closed, pending }) {
  if (closed) return closed;
  if (pending) return "Your move is on its way.";
  if (view.line?.length) return "This is a line of the engine: go back to play.";
  if (table.mySides.length === 0 && !table.isHost) return "You are watching this game.";
  if (view.node !== table.tree.here) return "Only your own moves can be tried here.";
  const words = {
    over: "The game is over.",
    starting: "The engines are starting.",
    engine: "It is the engine's turn.",
    waiting: "The guest is not here yet.",
  };
  return words[table.turnKind] ?? `It is ${sideName(view, view.side)}'s turn.`;
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
  return words(code).map((part) => (part === word ? other : part)).join("");
}
