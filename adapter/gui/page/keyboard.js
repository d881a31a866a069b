/** The keyboard commands with their list, and keys on a board. Arrow keys, Home, Page Up, End and Page Down move to the next spot; Enter and Space choose it. */

import { el } from "./dom.js";

/** Keys with their descriptions. */
const KEY_ROWS = [
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

/** Creates the list of the keys. */
export function keyList() {
  const row = ([key, what]) => [el("dt", el("kbd", key)), el("dd", what)];
  return el("dl.keys", KEY_ROWS.map(row));
}

const DIRECTIONS = {
  ArrowUp: "up",
  ArrowRight: "right",
  ArrowDown: "down",
  ArrowLeft: "left",
  Home: "up-left",
  PageUp: "up-right",
  End: "down-left",
  PageDown: "down-right",
};
/** Keys that replay the game while the board is not used by keyboard. */
const REPLAY = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);
/** Maximum time between the digits of one number, in milliseconds. */
const DIGIT_PAUSE_MS = 800;

/**
 * `true` while the page is used by keyboard: the arrow keys then move on the board instead of replaying the game. A new
 * page has seen neither mouse nor key. Its arrow keys move on the board, but until one is pressed no spot is ringed, which
 * would look like a choice.
 */
let isByKeys = true;

export function setByKeys(is) {
  isByKeys = is;
  document.documentElement.classList.toggle("by-keys", is);
}

/** Handles a key on the board. */
export function onKey(board, event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !board.diagram) return;
  if (answer(board, event)) {
    event.preventDefault();
    event.stopPropagation();
  }
}

function answer(board, event) {
  const { key } = event;
  const direction = DIRECTIONS[key];
  if (REPLAY.has(key) && !event.shiftKey && !isByKeys) return false;
  if (direction && event.shiftKey && board.camera.isOn) return board.camera.step(direction);
  if (direction) return event.shiftKey && board.roll.isOn ? board.roll.step(direction) : step(board, direction);
  if (board.camera.onKey(key)) return true;
  if (key === "Enter" || key === " ") {
    if (!board.hooks.onEnter?.()) board.choose(board.current);
    return true;
  }
  if (key === "Escape") return board.cancel();
  if (/^[a-z0-9]$/i.test(key)) return playLetter(board, key) ?? goTo(board, key.toLowerCase(), event.timeStamp);
  return false;
}

function step(board, direction) {
  setByKeys(true);
  const here = board.spot(board.current);
  const next = here && board.roll.isOn ? board.roll.next(here, direction)?.id : here?.neighbours[direction];
  if (next) board.focus(next);
  return true;
}

/** Plays the move with this one-letter code, if there is one. @returns {boolean|null} `null` if codes are longer */
export function playLetter(board, key) {
  const gestures = board.view?.diagram.gestures ?? [];
  if (gestures.length === 0 || gestures.some(({ code }) => code.length > 1)) return null;
  const gesture = gestures.find(({ code }) => code.toLowerCase() === key.toLowerCase());
  if (!gesture) return false;
  if (board.isUsable) board.hooks.onMove(gesture.code);
  return true;
}

/** Goes to the spot with this letter or number, preferably in the current row or file. */
function goTo(board, key, time) {
  const isDigit = /\d/.test(key);
  const isNumberGoingOn = isDigit && board.typed && time - board.typed.time < DIGIT_PAUSE_MS;
  const typed = isNumberGoingOn ? board.typed.text + key : key;
  const found = find(board, typed) ?? find(board, key);
  board.typed = isDigit ? { text: typed, time } : null;
  if (found !== null) board.focus(found);
  return found !== null;
}

function find(board, typed) {
  const isNumber = /\d/.test(typed);
  const [letters, number] = split(board.current);
  const ids = board.spots.map(({ id }) => id);
  const fits = (id) => split(id)[isNumber ? 1 : 0] === typed;
  const isAligned = (id) => split(id)[isNumber ? 0 : 1] === (isNumber ? letters : number);
  return ids.find((id) => fits(id) && isAligned(id)) ?? ids.find(fits) ?? null;
}

/** Splits a spot's id into letters and number; `["", ""]` if it has another form. */
function split(id) {
  const parts = /^([a-z]+)(\d+)$/i.exec(id ?? "");
  return parts ? [parts[1].toLowerCase(), parts[2]] : ["", ""];
}
