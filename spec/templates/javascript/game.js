// Sticks: there are 21, each turn takes 1, 2 or 3, and the player who takes the last one wins.
// A move is the number to take. A position is the sticks left and the player to move: `21 p1`.
"use strict";

/** An error in a line, which then changes nothing. */
class Wrong extends Error {}

let nSticks = 21; // the option
let sticks = 21, player = 1; // the position

const legal = (left) => ["1", "2", "3"].filter((move) => Number(move) <= left);
const quote = (word) => JSON.stringify(word.slice(0, 80).replace(/[^ -~]/g, "?"));

/** The player to move and the legal moves. */
const toMove = async () => [player, legal(sticks)];

/** Carries out `setoption`, `uginewgame`, `position` or `query`. Returns the lines of the answer. */
async function answer([command, ...words]) {
  words = words.map((word) => word.toLowerCase());
  if (command === "setoption") return setoption(words);
  return command === "query" ? query(words) : position(command === "uginewgame" ? ["startpos"] : words);
}

function setoption(words) {
  if (!/^name sticks value [+]?0*[1-9][0-9]?$/.test(words.join(" "))) {
    throw new Wrong("setoption: expected name Sticks value, and a number from 1 to 99");
  }
  nSticks = Number(words[3]);
  return [];
}

function position(words) {
  const match = /^(?:startpos|fen ([1-9]?[0-9]) p([12]))(?: moves(.*))?$/.exec(words.join(" "));
  if (!match) throw new Wrong("position: expected startpos or the like of fen 21 p1, then perhaps moves");
  let left = Number(match[1] ?? nSticks), toPlay = Number(match[2] ?? 1);
  for (const move of (match[3] ?? "").split(" ").filter(Boolean)) {
    if (!legal(left).includes(move)) throw new Wrong(`${quote(move)}: expected one of ${legal(left)}`);
    [left, toPlay] = [left - Number(move), 3 - toPlay];
  }
  [sticks, player] = [left, toPlay]; // only now: a line with an error changes nothing
  return [];
}

function query([question, surplus]) {
  const answers = new Map(Object.entries({
    p1turn: String(player === 1), gameover: String(sticks === 0), result: sticks ? "none" : `p${3 - player}win`,
    moves: legal(sticks).join(" "), fen: `${sticks} p${player}`, game: "sticks",
  }));
  if (!answers.has(question)) throw new Wrong(`query: expected one of ${[...answers.keys()].join(", ")}`);
  const error = surplus && `info error surplus word ${quote(surplus)}: expected the end of the line`;
  return [error, `response ${answers.get(question)}`.trimEnd()].filter(Boolean);
}

/** Returns the depth searched and the best of these moves: deeper and deeper, until it must stop or a win is found. */
async function search(moves, control) {
  moves = bestFirst(sticks, moves.map(Number));
  let best = moves[0], depth = 0;
  while (depth < Math.min(control.depth, sticks) && !control.isStopped) {
    depth += 1;
    const values = [];
    for (const move of moves) values.push(-(await negamax(sticks - move, depth - 1, control)));
    if (control.isStopped) break; // this depth is incomplete
    const value = Math.max(...values);
    best = moves[values.indexOf(value)];
    control.report(depth, best);
    if (value !== 0) break;
  }
  return [Math.max(depth, 1), best];
}

/** Returns 1 if the player to move wins, -1 if the other one does, 0 if that is deeper. */
async function negamax(left, depth, control) {
  if (left === 0 || control.isStopped) return left === 0 ? -1 : 0;
  if (control.isDue()) await control.read();
  if (depth === 0 || control.isStopped) return 0;
  let best = -1;
  for (const move of bestFirst(left, legal(left).map(Number))) {
    best = Math.max(best, -(await negamax(left - move, depth - 1, control)));
    if (best === 1) break;
  }
  return best;
}

/** A player to move at a multiple of four loses. */
const bestFirst = (left, moves) => [...moves].sort((a, b) => ((left - a) % 4 !== 0) - ((left - b) % 4 !== 0));

module.exports = {
  Wrong, answer, search, toMove, name: "Sticks in JavaScript", author: "Linesman",
  options: ["option name Sticks type spin default 21 min 1 max 99"],
};
