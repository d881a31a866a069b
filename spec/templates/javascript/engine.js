#!/usr/bin/env node
// The protocol of an engine. A search returns to the event loop now and then, so that commands which cannot wait are
// carried out while it runs. The game and its search are in `game.js`.
"use strict";
const game = require("./game.js");

const TIME = /^[+-]?[0-9]+$/, COUNT = /^[+]?[0-9]+$/;
const LIMITS = new Map(Object.entries({ // with the pattern of the number that follows
  p1time: TIME, p2time: TIME, p1inc: TIME, p2inc: TIME, movetime: TIME,
  movestogo: COUNT, depth: COUNT, nodes: COUNT, infinite: null, ponder: null, searchmoves: null,
}));
const ENDING = ["p1time", "p2time", "movetime", "depth", "nodes"]; // the limits that end a search
const LONGEST = 1 << 20; // bytes of a line
const RESERVE = 50; // ms of a clock that are not used

let waiting = []; // lines that are not yet carried out; null at the end of the input
let running = null; // the search that runs
let wake = () => {}; // continues what waits for a line

const say = (line) => process.stdout.write(line + "\n"); // to a pipe, this returns when it is written
const quote = (word) => JSON.stringify(word.slice(0, 80).replace(/[^ -~]/g, "?"));
const wordsOf = (line) => {
  const [command, ...words] = line.split(/[ \t\v\f\r\0]+/).filter(Boolean);
  return [(command ?? "").toLowerCase(), ...words];
};

/** A search that runs: its limits, and the commands that arrive meanwhile. */
class Search {
  constructor(limits, time) {
    this.depth = limits.get("depth") ?? Infinity;
    this.maxNodes = limits.get("nodes") ?? Infinity;
    [this.time, this.begin, this.nodes] = [time, performance.now(), 0];
    [this.isPondering, this.isStopped] = [limits.has("ponder"), false];
    this.isBounded = !limits.has("infinite") && ENDING.some((name) => limits.has(name));
    running = this;
    for (const line of waiting.splice(0)) this.notice(line);
  }

  /** Counts a position. Returns true when the search must call `read`. The search calls this at each position. */
  isDue() {
    this.nodes += 1;
    return this.nodes % 1024 === 0 || this.nodes >= this.maxNodes;
  }

  /** Reads the commands that have arrived, and the clock. Sets `isStopped` if the search must end. */
  async read() {
    await new Promise((resolve) => setImmediate(resolve));
    const isOver = performance.now() - this.begin >= this.time || this.nodes >= this.maxNodes;
    if (isOver && !this.isPondering && this.isBounded) this.isStopped = true;
  }

  /** Whether `bestmove` must not be written yet. */
  mustHold() {
    return !this.isStopped && (this.isPondering || !this.isBounded);
  }

  report(depth, move) {
    const time = performance.now() - this.begin, nodes = Math.max(this.nodes, 1);
    const rate = Math.floor(nodes * 1000 / Math.max(time, 1));
    say(`info depth ${depth} nodes ${nodes} time ${Math.floor(time)} nps ${rate} pv ${move}`);
  }

  /** Carries out a command during the search, or lets it wait. */
  notice(line) {
    const [command, ...more] = line === null ? [null] : wordsOf(line);
    const alone = more.length ? "" : command;
    if (alone === "isready") return say("readyok");
    if (alone === "ponderhit" && this.isPondering) {
      [this.isPondering, this.begin] = [false, performance.now()];
    } else {
      if (alone === "quit") waiting = [];
      if (alone === "stop" || alone === "quit" || (line === null && this.mustHold())) this.isStopped = true;
      if (alone !== "stop" || waiting.length) waiting.push(line); // a `stop` ends the searches that wait, too
    }
  }
}

/** The time for a move in ms, by the clock of the player to move. */
function timeForMove(limits, player) {
  const clock = limits.get(`p${player}time`) ?? limits.get(`p${3 - player}time`) ?? Infinity;
  const share = clock / Math.min(limits.get("movestogo") || 20, 20) + (limits.get(`p${player}inc`) ?? 0);
  return Math.min(limits.get("movetime") ?? Infinity, share, clock - RESERVE);
}

async function go(words) {
  const limits = new Map(), [player, legal] = await game.toMove();
  let moves = legal;
  while (words.length) {
    const name = words.shift().toLowerCase();
    if (!LIMITS.has(name) || limits.has(name)) {
      throw new game.Wrong(`unexpected ${quote(name)} after go: expected limits, each once`);
    }
    const pattern = LIMITS.get(name), number = pattern ? words.shift() ?? "" : "";
    if (pattern && !pattern.test(number)) throw new game.Wrong(`${name}: expected a whole number`);
    limits.set(name, Number(number));
    if (name === "searchmoves") {
      const end = words.findIndex((word) => LIMITS.has(word.toLowerCase()));
      moves = words.splice(0, end < 0 ? words.length : end);
      if (!moves.length || !moves.every((move) => legal.includes(move))) {
        throw new game.Wrong("searchmoves: expected legal moves");
      }
    }
  }
  if (!moves.length) return say("info error game is over\nbestmove none");
  const search = new Search(limits, timeForMove(limits, player));
  const [depth, move] = await game.search(moves, search);
  search.report(depth, move);
  while (search.mustHold()) await new Promise((resolve) => (wake = resolve));
  running = null;
  say(`bestmove ${move}`);
}

/** Lets the game carry out a command. The option `Ponder` is for the client alone. */
async function relay(words) {
  if (/^setoption name ponder value (true|false)$/i.test(words.join(" "))) return;
  for (const line of await game.answer(words)) say(line);
}

const HELLO = [`id name ${game.name}`, `id author ${game.author}`, "option name Ponder type check default false"];
const COMMANDS = new Map(Object.entries({ // those without further words
  ugi: () => say([...HELLO, ...game.options, "ugiok"].join("\n")), isready: () => say("readyok"), stop: () => {},
  quit: () => process.exit(), uginewgame: () => relay(["uginewgame"]),
}));

async function carryOut(line) {
  if (Buffer.byteLength(line.replace(/\r$/, "")) > LONGEST) {
    throw new game.Wrong(`line too long: expected at most ${LONGEST} bytes`);
  }
  const words = wordsOf(line), [command, ...more] = words;
  if (command === "") return;
  if (command === "go") return await go(more);
  if (["setoption", "position", "query"].includes(command)) return await relay(words);
  if (!COMMANDS.has(command)) {
    throw new game.Wrong(`unknown command ${quote(command)}: expected ugi, isready, go, ...`);
  }
  if (more.length) say(`info error surplus word ${quote(more[0])}: expected the end of the line`);
  await COMMANDS.get(command)();
}

async function main() {
  for (;;) {
    while (!waiting.length) await new Promise((resolve) => (wake = resolve));
    const line = waiting.shift();
    if (line === null) process.exit();
    try {
      await carryOut(line);
    } catch (why) {
      if (!(why instanceof game.Wrong)) throw why;
      say(`info error ${why.message}`);
    }
  }
}

function arrive(lines) {
  for (const line of lines) running ? running.notice(line) : waiting.push(line);
  wake();
}

let rest = ""; // an incomplete line
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  arrive(lines);
});
process.stdin.on("end", () => arrive(rest ? [rest, null] : [null]));
main();
