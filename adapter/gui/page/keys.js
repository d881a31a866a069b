/** The keyboard commands, and their list for the help dialog. */

import { el } from "./dom.js";

/** Keys with their descriptions. */
export const KEYS = [
  ["Arrow keys", "on the board: go to the next spot"],
  ["Home, Page Up, End, Page Down", "on the board: the diagonals"],
  ["Shift and arrows", "on a board without an edge: roll it"],
  ["Enter", "choose the spot; where moves are ruled out, play the one that is left"],
  ["Escape", "take the half-entered move back"],
  ["Letters, digits", "play the move of that letter, or go to a row or file"],
  ["← →, or [ ]", "one move back or on; outside the board the arrows do too"],
  ["{ }", "to the beginning, to the end"],
  [",", "say the last move"],
  [";", "say the clocks"],
  [".", "say the moves from this spot"],
  ["'", "say this spot"],
  ["/", "type a move"],
  ["b", "go to the board, where letters are no moves"],
  ["?", "these keys"],
];

export function keyList(keys) {
  const row = ([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)];
  return el("dl", { class: "keys" }, keys.map(row));
}
