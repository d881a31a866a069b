#!/usr/bin/env node
// Connect Four as a rules program: the players take turns to drop a disc into a column of an upright board.
// Four discs of a colour in a row, column or diagonal win; a full board without them is a draw.
//
// A move is the number of a column from the left: `4`. A position is the rows from the top, with numbers for empty
// cells, then the side to move: `7/7/7/7/3y3/2rr3 y`. The answers are those of connect4.py.
"use strict";

const HELLO = `id name Connect Four\nid author Linesman
option name Columns type spin default 7 min 4 max 9\noption name Rows type spin default 6 min 4 max 9\nugiok`;
const OPTIONS = { columns: "Columns", rows: "Rows" };
const ABOUT = { title: "Connect Four", sides: ["red", "yellow"], move: "`4` drops a disc into the fourth column",
  rules: "Be the first to have four discs in line: in a row, a column or a diagonal. Drop a disc into a " +
    "column that is not full; it falls to the lowest empty cell. A full board without such a line is a draw." };

class Position {
  /** @param {string[]} rows from the top, of `r`, `y` and `.`
   *  @param {number} turn 1 or 2, the side to move
   *  @param {number[]|null} last the row and column of the last disc */
  constructor(rows, turn, last = null) {
    Object.assign(this, { rows, turn, last, width: rows[0].length, line: four(rows) });
    const winner = this.line.length ? rows[this.line[0][0]][this.line[0][1]] : rows[0].includes(".") ? "." : "";
    this.result = { r: "p1win", y: "p2win", ".": "none", "": "draw" }[winner];
    this.moves = winner === "." ? [...rows[0]].flatMap((cell, x) => (cell === "." ? [String(x + 1)] : [])) : [];
  }

  /** Reads a position string; the empty one is the start. */
  static read(text, columns, rows) {
    text ||= `${Array(rows).fill(columns).join("/")} r`;
    const cells = text.slice(0, -2).replace(/[1-9]/g, (n) => ".".repeat(Number(n))).split("/");
    if (!/^[ry.]{4,9}(\/[ry.]{4,9}){3,8}$/.test(cells.join("/")) || new Set(cells.map((row) => row.length)).size > 1) {
      throw new Error("expected 4 to 9 rows of r, y and numbers of empty cells, then r or y to move");
    }
    const count = (colour) => cells.join("").split(colour).length;
    const more = count("r") - count("y");
    const floats = cells.some((row, y) => y > 0 && [...row].some((cell, x) => cell === "." && cells[y - 1][x] !== "."));
    if (text.slice(-2) !== [" r", " y"][more] || floats) {
      throw new Error("expected no disc in the air, and as many red as yellow ones, or one more and y to move");
    }
    return new Position(cells, more + 1);
  }

  get fen() {
    return this.rows.join("/").replace(/[.]+/g, (run) => String(run.length)) + [" r", " y"][this.turn - 1];
  }

  toString() {
    return [...this.rows, "123456789".slice(0, this.width)].map((row) => [...row].join(" ")).join("\n");
  }

  play(code) {
    if (!this.moves.includes(code)) {
      const expected = this.moves.length ? "expected a column with room" : "the game is over";
      throw new Error(`${code.slice(0, 80)}: ${expected}`);
    }
    const x = Number(code) - 1;
    const y = this.rows.findLastIndex((row) => row[x] === ".");
    const row = this.rows[y].slice(0, x) + "ry"[this.turn - 1] + this.rows[y].slice(x + 1);
    return new Position(this.rows.map((before, i) => (i === y ? row : before)), 3 - this.turn, [y, x]);
  }

  diagram() {
    const bottom = 10 * this.rows.length + 4;
    const names = [..."123456789".slice(0, this.width)];
    const centre = ([y, x]) => [10 * x + 8, 10 * y + 8]; // in tenths of a cell
    const disc = (cell, radius) => ({ form: "circle", centre: centre(cell), radius });
    const box = (x, end) => ({ form: "polygon", points: [[x, 2], [end, 2], [end, bottom], [x, bottom]] });
    const cells = this.rows.flatMap((row, y) => [...row].map((_, x) => [y, x]));
    const discs = cells.filter(([y, x]) => this.rows[y][x] !== ".");
    const colour = ([y, x]) => ".ry".indexOf(this.rows[y][x]);
    const shapes = [{ role: "board", ...box(2, 10 * this.width + 4) },
      ...cells.map((cell) => ({ role: "cell", ...disc(cell, 4) })),
      ...(this.last ? [{ role: "to", ...disc(this.last, 5) }] : []),
      ...discs.map((cell) => ({ role: "piece", colour: colour(cell), ...disc(cell, 4) })),
      ...(this.line.length ? [{ role: "decisive", form: "path", lines: [this.line.map(centre)], width: 2 }] : []),
      ...names.map((text, x) => ({ role: "label", form: "text", at: [10 * x + 8, bottom + 3], size: 3, text }))];
    return { width: 10 * this.width + 6, height: bottom + 6, shapes,
      spots: names.map((id, x) => ({ id, outline: box(10 * x + 3, 10 * x + 13) })),
      gestures: this.moves.map((code) => ({ code, spots: [code] })) };
  }
}

/** Returns the cells of four discs in line, as rows and columns; empty if there are none. */
function four(rows) {
  const width = rows[0].length + 1; // with the sign between two rows
  for (const step of [1, width - 1, width, width + 1]) {
    const skip = ".".repeat(step - 1);
    const found = rows.join("/").match(new RegExp(`([ry])${skip}\\1${skip}\\1${skip}\\1`));
    if (found) return [0, 1, 2, 3].map((i) => found.index + i * step).map((i) => [Math.floor(i / width), i % width]);
  }
  return [];
}

const options = { columns: 7, rows: 6 };
let position = Position.read("", 7, 6);
let held = ""; // the move of a search that waits for `stop`

const say = (text) => process.stdout.write(`${text}\n`);

function setPosition(source, codes) {
  const start = Position.read(source === "startpos" ? "" : source.slice(4), options.columns, options.rows);
  position = codes.split(" ").slice(2).reduce((before, code) => before.play(code), start);
}

function setOption(name, value) {
  if (!(name in OPTIONS) || value < 4 || value > 9) {
    throw new Error(`${name.slice(0, 80)} ${value}: expected one of Columns, Rows and a value of its range`);
  }
  options[name] = Number(value);
}

function query(what) {
  const answers = { p1turn: () => position.turn === 1, gameover: () => position.moves.length === 0,
    result: () => position.result, moves: () => position.moves.join(" "), fen: () => position.fen,
    game: () => `connect4 Columns=${position.width} Rows=${position.rows.length}`,
    about: () => JSON.stringify(ABOUT), diagram: () => JSON.stringify(position.diagram()) };
  say(`response ${answers[what]()}`.trimEnd());
}

function go(_, before, codes, after) {
  const limits = before + after;
  const moves = codes ? codes.split(" ").slice(2) : position.moves;
  if (!moves.every((code) => position.moves.includes(code))) throw new Error("searchmoves: expected legal moves");
  held = moves.length ? moves[Math.floor(Math.random() * moves.length)] : "none";
  if (held === "none") say("info error game is over");
  if (held === "none" || (/time|depth|nodes|mate/.test(limits) && !limits.includes("infinite"))) stop();
}

function stop() {
  if (held) say(`bestmove ${held}`);
  held = "";
}

function count(before, code, depth) {
  if (depth <= 1) return 1;
  const after = before.play(code);
  return after.moves.reduce((sum, next) => sum + count(after, next, depth - 1), 0);
}

function perft(depth) {
  const counts = Number(depth) ? position.moves.map((code) => count(position, code, Number(depth))) : [];
  const total = Number(depth) ? counts.reduce((sum, n) => sum + n, 0) : 1;
  say([...counts.map((n, i) => `${position.moves[i]}: ${n}`), `nodes ${total}`].join("\n"));
}

const LIMIT = " (?:infinite|(?:p[12]time|p[12]inc|movetime) [+-]?[0-9]+|(?:depth|nodes|mate|movestogo) [+]?[0-9]+)";
const COMMANDS = [["ugi", () => say(HELLO)], ["isready", () => say("readyok")], ["", () => {}],
  ["uginewgame", () => setPosition("startpos", "")], ["quit", () => { stop(); process.exit(); }],
  ["setoption name (.+) value ([0-9]{1,9})", setOption], ["go perft (100|[0-9]{1,2})", perft],
  ["position (startpos|fen .+?)((?: moves(?: .*)?)?)", setPosition], ["stop", stop],
  [`go(?!.* ([a-z]\\w+) .*\\b\\1\\b)((?:${LIMIT})*)((?: searchmoves .+?)?)((?:${LIMIT})*)`, go], // each once
  ["query (p1turn|gameover|result|moves|fen|game|about|diagram)", query],
  ["d", () => say(`${position}\nfen: ${position.fen}`)]];

function carryOut(line) {
  for (const [pattern, action] of COMMANDS) {
    const match = line.match(new RegExp(`^(?:${pattern})$`));
    if (!match) continue;
    if (held && !["", "isready", "stop", "quit"].includes(pattern)) {
      throw new Error("a search is running: expected stop first");
    }
    return action(...match.slice(1));
  }
  throw new Error(`unexpected "${line.slice(0, 80)}": expected ugi, isready, setoption, position, go, query, ...`);
}

process.stdin.setEncoding("latin1");
require("readline").createInterface({ input: process.stdin, terminal: false })
  .on("line", (line) => {
    const words = line.replace(/[\0\s]+/g, " ").trim().toLowerCase().replace(/[^ -~]/g, "?");
    try { carryOut(words); } catch (error) { say(`info error ${error.message}`); }
  })
  .on("close", stop);
