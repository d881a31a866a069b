/** The strips above and below the board: player, engine output, and the clock, counted down locally between updates. */

import { counted, el, iconButton, refill, svg } from "./dom.js";
import { formatScore } from "./scores.js";
import { colourOf, largestPieceOf } from "./pieces.js";
import { drawShape, hairline } from "./shapes.js";
import { describe, titleOf } from "./seats.js";

/** Seconds below which a clock shows a warning. */
const SHORT = 20;

export class Strip {
  /** @param {(side: string) => void} onSeat opens the dialog for the player of a side */
  constructor(onSeat) {
    this.chip = el("span.chip", { "aria-hidden": "true" });
    this.name = el("span.name");
    this.kind = el("span.kind");
    this.thought = el("span.thought");
    this.clock = el("span.clock", { hidden: true });
    this.seat = iconButton("gear", "Change who plays", () => onSeat(this.side), { class: "icon-button seat-button" });
    this.element = el("div.strip", this.chip, el("div.who", this.name, this.kind), this.thought, this.clock, this.seat);
  }

  /**
   * Shows a seat of a table; `view` has the name of its side on the board. `hasScore` if the score of its engine is
   * shown: not to its opponent, whom it would help.
   */
  show(table, game, side, view, hasScore) {
    this.side = side;
    this.element.dataset.side = side;
    const isTurn = table.turnSide === side;
    this.element.classList.toggle("is-turn", isTurn);
    this.name.textContent = titleOf(table, game, side);
    this.kind.textContent = [sideName(view, side), describe(table, side)].filter(Boolean).join(" · ");
    this.seat.hidden = !table.isHost && !table.mySides.includes(side);
    const words = table.isHost ? `Change who plays ${sideName(view, side) || side}` : "Choose your name";
    this.seat.setAttribute("aria-label", words);
    this.seat.title = words;
    this.#showThought(table.thoughts[side], isTurn && table.turnKind === "engine", hasScore);
    showChip(this.chip, { diagram: view.diagram, colour: colourOf(view.diagram, side), example: game?.diagram });
    this.tick(table);
  }

  /** Updates the clock. */
  tick(table) {
    const clock = table.clocks[table.seats.indexOf(table.seat(this.side))];
    const seconds = leftOf(table, this.side);
    this.clock.hidden = seconds === null;
    if (seconds === null) return;
    const text = formatClock(seconds);
    if (this.clock.textContent !== text) this.clock.textContent = text;
    this.clock.classList.toggle("runs", clock.is_running);
    this.clock.classList.toggle("short", clock.is_running && seconds < SHORT);
  }

  #showThought(thought, isThinking, hasScore) {
    const parts = hasScore
      ? [thought?.score && formatScore(thought.score), thought?.depth && `depth ${thought.depth}`]
      : [isThinking && "thinking …"];
    this.thought.textContent = parts.filter(Boolean).join(" · ");
    this.thought.classList.toggle("thinks", isThinking);
  }
}

/**
 * Shows a small piece of a colour in an element, or nothing.
 * @param {{diagram: Diagram, colour: number, example?: Diagram}|null} piece `example` is a board that has such a piece
 */
export function showChip(element, piece) {
  const { colour = 0, diagram = null, example = diagram } = piece ?? {};
  const found = [diagram, example].map((board) => (board ? largestPieceOf(board, colour) : []));
  const shapes = found.find(({ length }) => length > 0) ?? [];
  refill(element, piece && [colour, diagram.names, shapes[0]?.radius], () =>
    piece ? [chip(diagram, colour, shapes)] : [],
  );
}

/** Draws a small piece: these shapes, or a disc of a colour. */
export function chip(diagram, colour, shapes) {
  const disc = { form: "circle", role: "piece", colour, centre: [0, 0], radius: 1 };
  const piece = shapes.length > 0 ? shapes : [disc];
  const [{ centre, radius }] = piece;
  const box = [centre[0] - 1.1 * radius, centre[1] - 1.1 * radius, 2.2 * radius, 2.2 * radius];
  const names = { "data-one": diagram.names[0], "data-two": diagram.names[1] };
  const drawn = piece.map((shape) => drawShape(shape, hairline(diagram)));
  return svg("svg.board", { viewBox: box.join(" "), ...names }, drawn);
}

/** Returns the name of a side on the board, or `player N` if it has none. */
export function sideName(view, side) {
  const name = view.diagram.names[colourOf(view.diagram, side) - 1] || view.names[side === "p1" ? 0 : 1];
  return name === side ? `player ${side[1]}` : name;
}

/** Names the sides that have no name for the server in its text as on the board. */
export function withSides(view, text) {
  if (view.names[0] !== "p1") return text;
  return text.replace(/\bp(?:layer )?([12])\b/g, (_, number) => sideName(view, `p${number}`));
}

/** Returns the seconds left on a side's clock; `null` without one, as for an engine with a fixed time for each move. */
export function leftOf(table, side) {
  const seat = table.seat(side);
  const clock = table.clocks[table.seats.indexOf(seat)];
  const hasTime = clock && (seat.by === "person" || clock.limit.startsWith("tc"));
  if (!hasTime || clock.left === null || clock.left === undefined) return null;
  const passed = clock.is_running ? (performance.now() - clock.at) / 1000 : 0;
  return Math.max(clock.left - passed, 0);
}

/** Formats a time for a clock: `1:05:09`, `4:07`, below ten seconds `8.3`, and `0:00` at the end. */
export function formatClock(seconds) {
  if (seconds > 0 && seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Formats a time as words for speech. */
export function inWords(seconds) {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
  const parts = [minutes > 0 && counted(minutes, "minute"), (rest > 0 || minutes === 0) && counted(rest, "second")];
  return parts.filter(Boolean).join(" ");
}
