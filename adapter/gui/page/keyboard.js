/** Keys on a board. Arrow keys, Home, Page Up, End and Page Down move to the next spot; Enter and Space choose it. */

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
/** Keys that replay the game while the board has no keyboard focus. */
const REPLAY = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);
/** Maximum time between the digits of one number, in milliseconds. */
const PAUSE_MS = 800;

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
  if (REPLAY.has(key) && !event.shiftKey && !board.element.querySelector(":focus-visible")) return false;
  if (direction) return event.shiftKey && board.canRoll ? board.rollBy(direction) : step(board, direction);
  if (key === "Enter" || key === " ") return choose(board);
  if (key === "Escape") return board.cancel();
  if (/^[a-z0-9]$/i.test(key)) return type(board, key.toLowerCase(), event.timeStamp);
  return false;
}

function step(board, direction) {
  const next = board.spot(board.current)?.neighbours[direction];
  if (next) board.focus(next);
  return true;
}

function choose(board) {
  if (board.hooks.onEnter?.()) return true;
  board.choose(board.current);
  return true;
}

/** Plays the move with this one-letter code if the game has such codes; otherwise jumps to a row or file. */
function type(board, key, time) {
  const gestures = board.view.diagram.gestures;
  if (gestures.length > 0 && gestures.every(({ code }) => code.length === 1)) {
    const gesture = gestures.find(({ code }) => code.toLowerCase() === key);
    if (!gesture) return false;
    if (board.isUsable) board.hooks.onMove(gesture.code);
    return true;
  }
  const id = jump(board, key, time);
  if (id !== null) board.focus(id);
  return id !== null;
}

/** Returns the spot with this letter or number, preferably in the current row or file. */
function jump(board, key, time) {
  const isDigit = /\d/.test(key);
  const isNumberGoingOn = isDigit && board.typed && time - board.typed.time < PAUSE_MS;
  const typed = isNumberGoingOn ? board.typed.text + key : key;
  const found = find(board, typed) ?? find(board, key);
  board.typed = isDigit ? { text: typed, time } : null;
  return found;
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
