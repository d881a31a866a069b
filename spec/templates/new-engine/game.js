// A game by the rules of a program, and a player that moves at random.
// Replace the random choice in `search` by your search, and the program by rules of your own.
"use strict";
const { spawn } = require("node:child_process");
const { createInterface } = require("node:readline");

/** An error in a line, which then changes nothing. */
class Wrong extends Error {}

const OPTIONS = ["OPTION"];
const RULES = ["RULE"]; // the command of the program

const program = spawn(RULES[0], RULES.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
const answers = createInterface({ input: program.stdout })[Symbol.asyncIterator]();

/** Writes these lines to the program. Returns its answers, which end at `readyok`. */
async function ask(...lines) {
  program.stdin.write([...lines, "isready\n"].join("\n"));
  const found = [];
  for (;;) {
    const { value, done } = await answers.next();
    if (done) throw new Error(`${RULES.join(" ")}: the program has ended`);
    if (value === "readyok") return found;
    found.push(value);
  }
}

/** Carries out `setoption`, `uginewgame`, `position` or `query`. Returns the lines of the answer. */
async function answer(words) {
  const name = words.slice(2).join(" ").split(" value")[0].toLowerCase();
  const isDeclared = OPTIONS.some((option) => option.toLowerCase().startsWith(`option name ${name} type `));
  if (words[0] === "setoption" && !isDeclared) throw new Wrong("setoption: expected an option of this engine");
  return ask(words.join(" "));
}

/** The player to move and the legal moves. */
async function toMove() {
  const [p1turn, moves] = await ask("query p1turn", "query moves");
  return [p1turn === "response true" ? 1 : 2, moves.split(" ").slice(1).filter(Boolean)];
}

/** The depth searched and the best of these moves. A search calls `control.isDue()` at each position. */
async function search(moves, control) {
  return [1, moves[Math.floor(Math.random() * moves.length)]];
}

module.exports = { Wrong, answer, search, toMove, name: "Mine", author: "me", options: OPTIONS };
