/** The keyboard commands, and their list for the help dialog. */

import { el } from "./dom.js";

/** Keys with their descriptions. */
export const KEYS = [
  ["Arrow keys", "on the board: go to the next spot"],
  ["Home, Page Up, End, Page Down", "on the board: move diagonally"],
  ["Shift and arrows", "move a large board, roll one without an edge"],
  ["+ - 0", "on a large board: larger, smaller, all of it or following the game"],
  ["Enter", "choose the spot; if all other moves are ruled out, play the one left"],
  ["Escape", "cancel the half-entered move"],
  ["Letters, digits", "play the move of that letter, or go to a row or file"],
  ["← →, or [ ]", "one move back or forward; outside the board the arrows do the same"],
  ["{ }", "to the beginning, to the end"],
  [",", "say the last move"],
  [";", "say the clocks"],
  [".", "say the moves from this spot"],
  ["'", "say this spot"],
  ["/", "type a move"],
  ["b", "go to the board, if letters are not moves"],
  ["?", "show these keys"],
];

export function keyList(keys) {
  const row = ([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)];
  return el("dl", { class: "keys" }, keys.map(row));
}
