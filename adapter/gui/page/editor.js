/**
 * Sets up a board by clicks, for games whose position strings list the cells: the rows from the top, split by `/`, with a
 * letter a piece and numbers of empty cells, or the cells of a row split by `,`, with the pieces of a cell from the
 * bottom up; then the player to move. The server checks the string.
 */

import { button, el, svg } from "./dom.js";
import { centre, contains, innerRadius, middle } from "./geometry.js";
import { pieceOn, piecesOf } from "./pieces.js";
import { drawShape, hairline } from "./shapes.js";
import { chip } from "./strips.js";
import { Surface } from "./surface.js";

/** Roles of the shapes that remain if all pieces are taken away. */
const BARE = new Set(["board", "cell", "grid", "label", "first-edge", "second-edge", "third-edge"]);
/** Size of a piece, relative to its cell. */
const SIZE = 0.8;

export class Editor {
  /**
   * @param {(position: string|null) => Promise<View>} ask returns a view of a position, `null` for the start
   * @param {(position: string|null) => void} onChange `null` for a position that the game does not allow
   * @param {Diagram} example the picture of the game, whose pieces are shown
   */
  constructor(ask, onChange, example) {
    this.ask = ask;
    this.example = example;
    this.onChange = onChange;
    this.surface = new Surface();
    this.surface.svg.setAttribute("aria-label", "Board to set up");
    for (const type of ["click", "keydown"]) this.surface.spots.addEventListener(type, (event) => this.#on(event));
    this.tools = el("div.buttons", { role: "group", "aria-label": "Pieces" });
    this.note = el("p.soft#set-up-note", { role: "status" });
    this.element = el("div.editor", this.tools, this.surface.svg, this.note);
  }

  /** Shows a position; `null` is the start. */
  async show(position) {
    const view = await this.ask(position).catch(({ message }) => message);
    if (typeof view === "string") {
      this.note.textContent = view;
      return;
    }
    const [rows, side, ...rest] = view.fen.split(" ");
    this.isPiled = rows.includes(",");
    this.rows = rows
      .split("/")
      .map((row) => (this.isPiled ? row.split(",").map((cell) => cell.replace(".", "")) : expanded(row)));
    this.names = view.names;
    this.letters = view.names.map((name) => name[0].toLowerCase());
    this.spots = cellsOf(view.diagram);
    if (!this.#fits(view.diagram, side)) {
      this.note.textContent = "This board is set up by moves, or by a position as a text.";
      this.surface.draw(view.diagram, []);
      this.surface.showWhole(view.diagram);
      return;
    }
    this.side = side;
    this.rest = rest;
    this.diagram = view.diagram;
    const shapes = this.diagram.shapes.filter(({ role }) => BARE.has(role));
    this.surface.draw({ ...this.diagram, shapes }, this.spots);
    this.surface.showWhole(this.diagram);
    for (const spot of this.surface.elements.values()) spot.setAttribute("tabindex", "0");
    this.tool ??= this.#kinds()[0];
    this.#draw();
    this.note.textContent = "";
  }

  /** `true` if the cells of the string are those of the diagram. */
  #fits(diagram, side) {
    const cells = this.rows.flat();
    return (
      this.letters.includes(side) &&
      cells.length === this.spots.length &&
      this.spots.every(({ outline }, i) => (cells[i] !== "") === pieceOn(diagram, outline).length > 0)
    );
  }

  /** The pieces that can be placed: letters, with sizes if pieces can be piled up. */
  #kinds() {
    if (!this.isPiled) return this.letters;
    const texts = this.diagram.shapes.filter(({ role }) => role === "sign").map(({ text }) => text);
    const sizes = [...new Set(texts)].sort();
    this.largest = Number(sizes.at(-1));
    return this.letters.flatMap((letter) => sizes.map((size) => letter + size));
  }

  /** @param {any} event a click or a key */
  #on(event) {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    this.#place(event.target.closest("[data-spot]"));
  }

  /** Places the chosen piece on a cell; takes it away if it is there, and with *Remove* any. */
  #place(element) {
    const at = this.spots.findIndex(({ id }) => id === element?.dataset.spot);
    if (at < 0) return;
    const row = this.rows.findIndex((_, i) => this.rows.slice(0, i + 1).flat().length > at);
    const column = at - this.rows.slice(0, row).flat().length;
    const old = this.rows[row][column];
    const length = this.isPiled ? 2 : 1;
    const isThere = old.endsWith(this.tool) || this.tool === "";
    this.rows[row][column] = isThere ? old.slice(0, -length) : (this.isPiled ? old : "") + this.tool;
    this.#draw();
    this.#check();
  }

  async #check() {
    const position = this.position;
    this.onChange(null);
    const why = await this.ask(position).catch(({ message }) => message);
    if (position !== this.position) return;
    this.note.textContent = typeof why === "string" ? why : "";
    if (typeof why !== "string") this.onChange(position);
  }

  get position() {
    const rows = this.rows.map((row) => (this.isPiled ? row.map((cell) => cell || ".").join(",") : packed(row)));
    return [rows.join("/"), this.side, ...this.rest].join(" ");
  }

  #draw() {
    const tool = (content, value, name) => {
      const isOn = { "data-tool": value, "aria-pressed": String(this.tool === value) };
      return button(content, () => this.#choose(value), { "aria-label": name, title: name, ...isOn });
    };
    const piece = (kind) => {
      const [colour, size] = this.#parts(kind);
      const name = [this.names[colour - 1], size].filter(Boolean).join(" ");
      return tool(el("span.chip", chip(this.diagram, colour, this.#sample(kind))), kind, name);
    };
    const turn = this.letters.map((letter, i) => {
      const isOn = { "data-turn": letter, "aria-pressed": String(this.side === letter) };
      return button(`${this.names[i]} to move`, () => this.#turn(letter), isOn);
    });
    this.tools.replaceChildren(...this.#kinds().map(piece), tool("Remove", "", "Remove"), ...turn);
    const border = hairline(this.diagram);
    const pieces = this.rows.flat().map((cell, i) => (cell === "" ? null : this.#piece(cell, this.spots[i], border)));
    this.surface.hand.replaceChildren(...pieces.filter(Boolean));
  }

  #choose(tool) {
    this.tool = tool;
    this.#draw();
  }

  #turn(letter) {
    this.side = letter;
    this.#draw();
    this.#check();
  }

  /** Returns the colour and the size of a piece. */
  #parts([letter, size]) {
    return [this.letters.indexOf(letter) + 1, size];
  }

  /** Returns the shapes of a piece: as on the board, or in the picture of the game, or a disc with its letter. */
  #sample(kind) {
    const [colour, size] = this.#parts(kind);
    const found = [this.diagram, this.example].flatMap((diagram) => piecesOf(diagram, colour));
    const isIt = (piece) => !size || piece.some(({ text }) => text === size);
    const disc = { form: "circle", role: "piece", colour, centre: [0, 0], radius: 1 };
    const sign = { form: "text", role: "sign", colour, at: [0, 0], size: 1, text: size ?? kind };
    return found.find(isIt) ?? [disc, sign];
  }

  /** Draws the upper piece of a cell. */
  #piece(cell, { outline }, border) {
    const kind = this.isPiled ? cell.slice(-2) : cell;
    const [, size] = this.#parts(kind);
    const share = size ? 1 - 0.85 * (1 - Number(size) / this.largest) : 1;
    const shapes = this.#sample(kind);
    const [x, y] = centre(outline);
    const [{ centre: at, radius }] = shapes;
    const scale = (SIZE * share * innerRadius(outline)) / radius;
    const transform = `translate(${x} ${y}) scale(${scale}) translate(${-at[0]} ${-at[1]})`;
    const drawn = shapes.map((shape) => drawShape(shape, border));
    return svg("g", { transform }, drawn);
  }
}

/** Returns the spots of cells, in rows from the top. */
function cellsOf({ shapes, spots }) {
  const cells = shapes.filter(({ role }) => role === "cell").map(middle);
  const inside = spots.filter(({ outline }) => cells.some((cell) => contains(outline, cell)));
  const place = ({ outline }) => centre(outline).map((value) => Math.round(20 * value));
  return inside.sort((one, other) => {
    const [[x1, y1], [x2, y2]] = [place(one), place(other)];
    return y1 - y2 || x1 - x2;
  });
}

/** Returns the cells of a row with numbers of empty ones. */
function expanded(row) {
  return (row.match(/\d+|./g) ?? []).flatMap((part) => (/\d/.test(part) ? Array(Number(part)).fill("") : [part]));
}

function packed(row) {
  return row
    .map((cell) => cell || " ")
    .join("")
    .replace(/ +/g, ({ length }) => String(length));
}
