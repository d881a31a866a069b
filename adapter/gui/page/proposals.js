/** Proposals between players. */

/** Describes a proposal in words. */
export function proposalWords(what) {
  if (what === "draw") return "a draw";
  if (what === "new-game") return "a new game";
  if (what === "hints") return "hints and analysis for both";
  if (what === "rematch") return "a rematch with the sides exchanged";
  const { ply } = what["go-to"];
  if (ply === 0) return "to go back to the start";
  return `to go to the position after ${ply} move${ply === 1 ? "" : "s"}`;
}
