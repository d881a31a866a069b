/** Proposals between players. */

/** Describes a proposal in words. */
export function proposalWords(what) {
  if (what === "draw") return "a draw";
  if (what === "new-game") return "a new game";
  if (typeof what === "object" && what["go-to"]) return `to go to the position after ${what["go-to"].ply} moves`;
  return String(typeof what === "object" ? Object.keys(what)[0] : what).replaceAll("-", " ");
}
