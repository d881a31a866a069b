/**
 * Scores as engines tell them: `{cp}` in hundredths of the game's unit, or `{mate}` in plies as the engine counts. `{cp: 0, exact: true}`
 * is a draw by perfect play.
 */

import { other } from "./table.js";

/** Hundredths at which a side is taken to have about 73 of 100 chances. */
const SCALE = 150;

/** A score in a few signs: `+1.25`, `+M5`, `draw`. */
export function format(score) {
  if (!score) return "";
  if (score.exact) return "draw";
  if (score.mate !== undefined) return `${score.mate < 0 ? "−" : "+"}M${Math.abs(score.mate)}`;
  const text = Math.abs(score.cp / 100).toFixed(Math.abs(score.cp) >= 1000 ? 0 : 2);
  return `${score.cp < 0 ? "−" : "+"}${text}`;
}

/** The same in fewer signs, to be written on a board. */
export function short(score) {
  if (!score || score.mate !== undefined) return format(score);
  if (score.exact) return "=";
  return `${score.cp < 0 ? "−" : "+"}${Math.abs(score.cp / 100).toFixed(Math.abs(score.cp) >= 1000 ? 0 : 1)}`;
}

/** A score from a side's view, turned to player 1's. */
export function toP1(score, side) {
  if (!score || side === "p1") return score ?? null;
  return score.mate !== undefined ? { mate: -score.mate } : { ...score, cp: -score.cp };
}

/** The chances of the side that the score is told for, from 0 to 1. */
export function chance(score) {
  if (score.mate !== undefined) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score.cp / SCALE));
}

/**
 * The score of each node from player 1's view, where one is known: from an analysis, else from the move's own record.
 * @param tree the moves
 * @param {Map<number, {side: string, lines: {score: object}[]}>} analysed by node
 */
export function scoreOf(tree, analysed, node) {
  const found = analysed.get(node);
  if (found?.lines[0]) return toP1(found.lines[0].score, found.side);
  const ply = tree.nodes[node];
  return toP1(ply?.record?.score, ply?.side);
}

/** How bad a move was, by the chances that it lost: `""`, `?!`, `?` or `??`. */
export function judge(loss) {
  if (loss >= 0.3) return "??";
  if (loss >= 0.16) return "?";
  return loss >= 0.08 ? "?!" : "";
}

/** The side to move after a ply. */
export function sideAfter(ply) {
  return other(ply.side);
}
