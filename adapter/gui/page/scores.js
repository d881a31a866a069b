/**
 * Scores of engines: `{cp}` in hundredths of the game's unit, or `{mate}` in plies, as the engine counts. `{cp: 0,
 * exact: true}` is a draw by perfect play.
 */

/** Score in hundredths at which the winning chance is about 73 %. */
const SCALE = 150;

/** Formats a score: `+1.25`, `+M5`, `draw`. */
export function formatScore(score, digits = 2) {
  if (!score) return "";
  if (score.exact) return "draw";
  if (score.mate !== undefined) return `${score.mate < 0 ? "−" : "+"}M${Math.abs(score.mate)}`;
  const value = Math.abs(score.cp);
  return `${score.cp < 0 ? "−" : "+"}${(value / 100).toFixed(value >= 1000 ? 0 : digits)}`;
}

/** Describes a hint. */
export function hintWords({ code, score }) {
  return `Hint: ${code}${score ? `, ${formatScore(score)}` : ""}`;
}

/** Formats a score more briefly, for marks on the board. */
export function short(score) {
  return score?.exact ? "=" : formatScore(score, 1);
}

/** Converts a score from a side's point of view to player 1's. */
export function toP1(score, side) {
  if (!score || side === "p1") return score ?? null;
  return score.mate !== undefined ? { mate: -score.mate } : { ...score, cp: -score.cp };
}

/** Returns the winning chance of the side of the score, from 0 to 1. */
export function chance(score) {
  if (score.mate !== undefined) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score.cp / SCALE));
}

/** Returns the known score of a node, for player 1: from the analysed ones by node, else from the record of its move. */
export function scoreOf(tree, analysed, node) {
  const found = analysed.get(node);
  if (found?.lines[0]) return toP1(found.lines[0].score, found.side);
  const ply = tree.nodes[node];
  return toP1(ply?.record?.score, ply?.side);
}

/** Rates a move by the winning chance it lost: `""`, `?!`, `?` or `??`. */
export function judge(loss) {
  if (loss >= 0.3) return "??";
  if (loss >= 0.16) return "?";
  return loss >= 0.08 ? "?!" : "";
}
