#!/usr/bin/env node
// Sticks as a UGI engine: there are 21, each turn takes 1, 2 or 3, and the player who takes the last one wins.
// A move is the number to take. A position is the sticks left and the player to move: `21 p1`.
"use strict";

const TIME = /^[+-]?[0-9]+$/, COUNT = /^[+]?[0-9]+$/;
const LIMITS = new Map(Object.entries({ // with the pattern of the number that follows
  p1time: TIME, p2time: TIME, p1inc: TIME, p2inc: TIME, movetime: TIME,
  movestogo: COUNT, depth: COUNT, nodes: COUNT, infinite: null, searchmoves: null,
}));
const ENDING = ["p1time", "p2time", "movetime", "depth", "nodes"]; // the limits that end a search
const LONGEST = 1 << 20; // bytes of a line

let nSticks = 21; // the option
let sticks = 21, player = 1; // the position
let held = null; // the move of a search that waits for `stop`

const say = (line) => process.stdout.write(line + "\n"); // to a pipe, this returns when it is written
const legal = (left) => ["1", "2", "3"].filter((move) => Number(move) <= left);
const quote = (word) => JSON.stringify(word.slice(0, 80));

/** An error in a line, which then changes nothing. */
class Wrong extends Error {}

function setoption(words) {
  if (!/^name sticks value [+]?0*[1-9][0-9]?$/.test(words.join(" "))) {
    throw new Wrong("setoption: expected name Sticks value, and a number from 1 to 99");
  }
  nSticks = Number(words[3]);
}

function position(words) {
  const match = /^(?:startpos|fen ([1-9]?[0-9]) p([12]))(?: moves(.*))?$/.exec(words.join(" "));
  if (!match) throw new Wrong("position: expected startpos or the like of fen 21 p1, then perhaps moves");
  let left = Number(match[1] ?? nSticks), toMove = Number(match[2] ?? 1);
  for (const move of (match[3] ?? "").split(" ").filter(Boolean)) {
    if (!legal(left).includes(move)) throw new Wrong(`${quote(move)}: expected one of ${legal(left)}`);
    [left, toMove] = [left - Number(move), 3 - toMove];
  }
  [sticks, player] = [left, toMove]; // only now: a line with an error changes nothing
}

function go(words) {
  const names = new Set();
  let moves = legal(sticks);
  while (words.length) {
    const name = words.shift();
    if (!LIMITS.has(name) || names.has(name)) {
      throw new Wrong(`unexpected ${quote(name)} after go: expected limits, each once`);
    }
    names.add(name);
    const number = LIMITS.get(name);
    if (number && !number.test(words.shift() ?? "")) throw new Wrong(`${name}: expected a whole number`);
    if (name === "searchmoves") {
      const end = words.findIndex((word) => LIMITS.has(word));
      moves = words.splice(0, end < 0 ? words.length : end);
      if (!moves.length || !moves.every((move) => legal(sticks).includes(move))) {
        throw new Wrong("searchmoves: expected legal moves");
      }
    }
  }
  if (!moves.length) return say("info error game is over\nbestmove none");
  // A player to move at a multiple of four loses.
  held = moves.find((move) => (sticks - Number(move)) % 4 === 0) ?? moves[0];
  say(`info depth 1 nodes 1 time 0 nps 1000 pv ${held}`);
  if (ENDING.some((name) => names.has(name)) && !names.has("infinite")) stop();
}

function stop() {
  if (held) say(`bestmove ${held}`);
  held = null;
}

function query([question, surplus]) {
  const answers = new Map(Object.entries({
    p1turn: String(player === 1), gameover: String(sticks === 0), result: sticks ? "none" : `p${3 - player}win`,
    moves: legal(sticks).join(" "), fen: `${sticks} p${player}`, game: "sticks",
  }));
  if (!answers.has(question)) throw new Wrong(`query: expected one of ${[...answers.keys()].join(", ")}`);
  if (surplus) say(`info error surplus word ${quote(surplus)}: expected the end of the line`);
  say(`response ${answers.get(question)}`.trimEnd());
}

const HELLO = "id name Sticks in JavaScript\nid author Linesman\n" +
  "option name Sticks type spin default 21 min 1 max 99\nugiok";
const COMMANDS = new Map(Object.entries({ // name: action, and the most words that may follow
  ugi: [() => say(HELLO), 0], isready: [() => say("readyok"), 0], query: [query, Infinity],
  stop: [stop, 0], quit: [() => (stop(), process.exit()), 0],
  setoption: [setoption, Infinity], uginewgame: [() => position(["startpos"]), 0],
  position: [position, Infinity], go: [go, Infinity],
}));

function carryOut(line) {
  if (line.replace(/\r$/, "").length > LONGEST) {
    throw new Wrong(`line too long: expected at most ${LONGEST} bytes`);
  }
  const [command, ...words] = line.toLowerCase().replace(/[^!-~]+/g, (gap) => (/[^\s\0]/.test(gap) ? "?" : " "))
    .split(" ").filter(Boolean);
  if (!command) return;
  if (!COMMANDS.has(command)) throw new Wrong(`unknown command ${quote(command)}: expected ugi, isready, go, ...`);
  if (held && !["isready", "stop", "quit"].includes(command)) {
    throw new Wrong(`${command}: a search is running, expected stop first`);
  }
  const [action, room] = COMMANDS.get(command);
  if (words.length > room) say(`info error surplus word ${quote(words[room])}: expected the end of the line`);
  action(words.slice(0, room));
}

function take(line) {
  try {
    carryOut(line);
  } catch (why) {
    if (!(why instanceof Wrong)) throw why;
    say(`info error ${why.message}`);
  }
}

let rest = ""; // an incomplete line
process.stdin.setEncoding("latin1"); // one character per byte, for any input
process.stdin.on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  lines.forEach(take);
});
process.stdin.on("end", () => {
  if (rest) take(rest);
  stop(); // the input has ended
});
