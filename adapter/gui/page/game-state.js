/** The state of a table's panel: texts and available buttons. */

import { newGame } from "./new-game.js";
import { proposalWords } from "./proposals.js";
import { canRoll } from "./roll.js";
import { sideName } from "./strips.js";

/** Returns the state of the panel for a table's view. */
export function stateOf(game) {
  const { table, view } = game;
  const { tree } = table;
  const isLine = (view.line ?? []).length > 0;
  const isPlayer = table.mySides.length > 0;
  const isOver = table.turnKind === "over";
  return {
    caption: view.result?.reason && !view.diagram.caption ? view.result.reason : view.diagram.caption,
    note: noteOf(game),
    banner: bannerOf(game, isLine),
    moveButtons: game.isUsable && !isLine ? view.diagram.gestures.filter((gesture) => gesture.button !== undefined).map(({ code, button }) => ({ code, name: button })) : [],
    turnButtons: turnButtonsOf(game),
    enabled: {
      first: view.node !== 0 || isLine,
      back: view.node !== 0 || isLine,
      forward: tree.following(view.node) !== null && !isLine,
      last: tree.following(view.node) !== null && !isLine,
      undo: tree.here !== 0,
      hint: isPlayer && !isOver,
      resign: isPlayer && !isOver && table.turnKind !== "starting",
      draw: isPlayer && !isOver,
    },
    canOfferDraw: isPlayer,
    isFixed: game.isFixed ?? false,
    isWatcher: table.role === "spectator",
    toggles: togglesOf(game),
  };
}

/** Returns the reason that only a pass is legal, or the state of the table. */
function noteOf({ table, view, look }) {
  if (view.explain && !view.result && view.explain !== view.diagram.caption) return view.explain;
  if (look.line.length > 0) return "";
  const words = {
    starting: "The engines are starting …",
    engine: "The engine is thinking …",
    held: "The engine is waiting.",
    waiting: "Waiting for the guest.",
  };
  if (view.node !== table.tree.here) return "You are viewing an earlier position. A move here starts a branch.";
  return words[table.turnKind] ?? "";
}

function bannerOf(game, isLine) {
  const { table, view } = game;
  if (game.closed) return { key: ["closed"], text: game.closed, buttons: [] };
  if (isLine) return lineBanner(game);
  if (table.proposal) return proposalBanner(game);
  const ending = table.ending && view.node === table.tree.here ? table.ending : null;
  return ending ? endingBanner(game, ending) : null;
}

function lineBanner(game) {
  const { look } = game;
  const buttons = [
    { name: "Back", act: () => look.set({ node: look.node, line: [] }), id: "line-back" },
    game.table.isHost && { name: "Keep as a branch", act: () => game.keepLine(), id: "line-keep", isMain: true },
  ].filter(Boolean);
  return { key: ["line", look.line], text: `A line of the engine: ${look.line.join(" ")}`, buttons };
}

function proposalBanner({ table, app }) {
  const { proposal } = table;
  const isMine = proposal.client === table.client;
  const isAsked = proposal.awaited.some((side) => table.mySides.includes(side));
  const buttons = [
    isAsked && { name: "Accept", act: () => app.command("accept"), id: "accept", isMain: true },
    (isAsked || isMine) && { name: isMine ? "Withdraw" : "Decline", act: () => app.command("decline"), id: "decline" },
  ].filter(Boolean);
  const who = isMine ? "You propose" : `${proposal.name} proposes`;
  return { key: ["proposal", proposal], text: `${who} ${proposalWords(proposal.what)}.`, buttons };
}

function endingBanner(game, { result, reason }) {
  const { table, app } = game;
  const buttons = [
    table.isHost && { name: "Play again", act: () => app.command("new"), id: "again", isMain: true },
    table.isHost && { name: "Other game", act: () => newGame(app, table.game.name), id: "other-game" },
    { name: "Find mistakes", act: () => game.startReview(), id: "find-mistakes" },
  ].filter(Boolean);
  return { key: ["ending", table.id, result, reason], text: `${score(result)} ${endingWords(game, result, reason)}`.trim(), buttons };
}

/** Returns the reason of the result, unless the board's caption states it. */
function endingWords({ view }, result, reason) {
  if (view.diagram.gestures.length === 0 && view.diagram.caption) return "";
  const winner = { "1-0": "p1", "0-1": "p2" }[result];
  return `${winner ? `${sideName(view, winner)} wins: ` : ""}${reason}`;
}

function score(result) {
  return { "1/2-1/2": "½–½", "1-0": "1–0", "0-1": "0–1" }[result] ?? result;
}

function turnButtonsOf({ table, app }) {
  if (canClaim(table)) {
    return [
      { name: "Claim the win", act: () => app.command("claim"), id: "claim" },
      { name: "Claim a draw", act: () => app.command("claim", { draw: true }), id: "claim-draw" },
    ];
  }
  if (!table.isHost) return [];
  const all = {
    engine: [{ name: "Move now", act: () => app.command("move-now"), id: "move-now" }, ...(table.isWatched ? [{ name: "Pause", act: () => app.command("pause"), id: "pause" }] : [])],
    held: [{ name: "Let the engine move", act: () => app.command("go"), id: "go" }],
  };
  return all[table.turnKind] ?? [];
}

/** `true` if an opponent is to move who has left. The table says for how long the opponent must have been away. */
function canClaim(table) {
  const { mySides, turnSide } = table;
  return table.turnKind === "person" && mySides.some((side) => side !== turnSide) && table.seat(turnSide).sitter === "away-guest";
}

/** Returns the buttons for the board's presentation: styles of the game, rolling, ruling out moves. */
function togglesOf({ view, look, ruleOut }) {
  const { style, centre } = look.fields;
  const styles = (view.styles ?? []).map((name) => ({
    name: name[0].toUpperCase() + name.slice(1),
    id: `style-${name}`,
    isOn: style === name,
    act: () => look.set({ style: style === name ? "" : name }),
  }));
  const roll = canRoll({ ...view, centre }) && centre ? [{ name: "Unroll the board", id: "unroll", act: () => look.set({ centre: "" }) }] : [];
  return [...styles, ...roll, ...ruleOut.toggles()];
}
