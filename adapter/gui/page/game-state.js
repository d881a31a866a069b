/** The state of a table's panel: texts and available buttons. */

import { sentence } from "./dom.js";
import { letterToggle } from "./letters.js";
import { hintWords } from "./scores.js";
import { newGame } from "./new-game.js";
import { colourOf } from "./pieces.js";
import { proposalWords } from "./proposals.js";
import { showShare } from "./records.js";
import { sideName } from "./strips.js";

/** Returns the state of the panel for a table's view. */
export function stateOf(game) {
  const { table, view } = game;
  const { tree } = table;
  const isLine = (view.line ?? []).length > 0;
  const { caption, side } = captionOf(game);
  const isPlayer = table.mySides.length > 0;
  const isOver = table.turnKind === "over";
  return {
    caption,
    piece: side && {
      diagram: view.diagram,
      colour: colourOf(view.diagram, side),
      example: game.app.game(table.game.name)?.diagram,
    },
    isMyTurn: isMyTurn(game),
    note: noteOf(game),
    banner: bannerOf(game, isLine),
    moveButtons:
      game.isUsable && !isLine
        ? view.diagram.gestures
            .filter((gesture) => gesture.button !== undefined)
            .map(({ code, button }) => ({ code, name: button }))
        : [],
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
    canFlip: view.can_flip ?? true,
    canRotate: view.can_rotate ?? true,
    isWatcher: table.role === "spectator",
    toggles: togglesOf(game),
    continues: game.board.roll.isOn,
  };
}

/** Returns the heading, and the side whose piece is shown with it: the one to move, or the winner. */
function captionOf(game) {
  const { table, view } = game;
  const { caption } = view.diagram;
  if (view.result) {
    const side = winnerOf(view.result.code);
    const mine = onlySide(table);
    if (mine) return { caption: side === null ? "A draw" : side === mine ? "You won" : "You lost", side };
    if (isByRules(view) && caption) return { caption, side };
    return { caption: side === null ? "A draw" : `${sideName(view, side)} wins`, side };
  }
  return { caption: isMyTurn(game) ? "Your turn" : caption, side: view.side };
}

/** `true` if this user, who plays one side, is to move at the shown position. */
function isMyTurn({ table, view }) {
  return (
    onlySide(table) === view.side &&
    table.isMyTurn &&
    !view.result &&
    view.node === table.tree.here &&
    !view.line?.length
  );
}

/** Returns the side of this user; `null` if it is none or both. */
function onlySide({ mySides }) {
  return mySides.length === 1 ? mySides[0] : null;
}

function winnerOf(result) {
  return { "1-0": "p1", "0-1": "p2" }[result] ?? null;
}

/** `true` if the rules ended the game, so that the board's caption states the reason. */
function isByRules({ diagram }) {
  return diagram.gestures.length === 0;
}

/** Returns the details of the caption: the reason of the result, what threatens, or the state of the table. */
function noteOf(game) {
  const { table, view, look } = game;
  if (game.hint?.node === view.node) return hintWords(game.hint);
  if (table.asked?.node === view.node) return table.asked.text;
  const { caption } = view.diagram;
  if (view.result) {
    const reason = isByRules(view) && caption ? caption : view.result.reason;
    return captionOf(game).caption === reason ? "" : reason;
  }
  if (view.explain && view.explain !== caption) return view.explain;
  if (look.line.length > 0) return "";
  if (isMyTurn(game)) return `You play ${caption.replace(/ to move\b/, "").replace(/^p([12])\b/, "player $1")}.`;
  const words = {
    starting: "The engines are starting …",
    engine: "The engine is thinking …",
    held: "The engine is waiting.",
    waiting: "Waiting for the guest.",
  };
  if (view.node !== table.tree.here) return elsewhere(table.tree, view.node);
  return words[table.turnKind] ?? "";
}

/** Describes a shown position that is not the one of the game. */
function elsewhere(tree, node) {
  const isAfter = tree.path(node).includes(tree.here) || tree.here === 0;
  if (isAfter) return "You are viewing moves that have not been played. A move here plays them too.";
  const isBefore = node === 0 || tree.path(tree.here).includes(node);
  return isBefore
    ? "You are viewing an earlier position. A move here starts a branch."
    : "You are viewing another branch. A move here continues it.";
}

function bannerOf(game, isLine) {
  const { table, view } = game;
  if (game.closed) return closedBanner(game);
  if (isLine) return lineBanner(game);
  if (game.proposed) return confirmBanner(game);
  if (table.proposal) return proposalBanner(game);
  if (game.premove) return premoveBanner(game);
  const ending = table.ending && view.node === table.tree.here ? table.ending : null;
  return ending ? endingBanner(game, ending) : null;
}

function closedBanner({ closed, mayReturn, app }) {
  const back = { name: "Play here", act: () => app.attach(app.tableId), id: "take-back", isMain: true };
  return { key: ["closed"], text: closed, buttons: mayReturn ? [back] : [] };
}

function confirmBanner(game) {
  const { code } = game.proposed;
  const buttons = [
    { name: "Play", act: () => game.play(code), id: "confirm-move", isMain: true },
    { name: "Cancel", act: () => game.withdraw(), id: "cancel-move" },
  ];
  return { key: ["confirm", code], text: `Play ${code}?`, buttons };
}

function premoveBanner(game) {
  const buttons = [{ name: "Cancel", act: () => game.withdraw(), id: "cancel-premove" }];
  return { key: ["premove", game.premove], text: `In your next turn, if it is legal: ${game.premove}`, buttons };
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
  const name = proposal.name === "host" ? "The host" : proposal.name;
  const who = isMine ? "You propose" : `${name} proposes`;
  return { key: ["proposal", proposal], text: `${who} ${proposalWords(proposal.what)}.`, buttons };
}

function endingBanner(game, { result, reason }) {
  const { table, app } = game;
  const buttons = [
    table.isHost && { name: "Play again", act: () => app.command("new"), id: "again", isMain: true },
    table.role !== "spectator" &&
      !table.seats.some(({ partners }) => partners) && {
        name: table.isHost ? "Swap sides" : "Rematch",
        act: () => app.command("rematch"),
        id: "rematch",
      },
    table.isHost && { name: "Other game", act: () => newGame(app, table.game.name), id: "other-game" },
    { name: "Find mistakes", act: () => game.startReview(), id: "find-mistakes" },
    { name: "Share", act: () => showShare(game), id: "share" },
  ].filter(Boolean);
  return { key: ["ending", table.id, result, reason], text: score(result), buttons };
}

function score(result) {
  return { "1/2-1/2": "½–½", "1-0": "1–0", "0-1": "0–1" }[result] ?? result;
}

function turnButtonsOf(game) {
  const { table, app } = game;
  if (canClaim(table)) {
    return [
      { name: "Claim the win", act: () => app.command("claim"), id: "claim" },
      { name: "Claim a draw", act: () => app.command("claim", { draw: true }), id: "claim-draw" },
    ];
  }
  if (!table.isHost) return [];
  const isAway = table.turnKind !== "over" && table.seats.some((seat) => seat.sitter === "away-guest");
  const links = isAway ? [{ name: "Link for the guest", act: () => game.invite(), id: "guest-invite" }] : [];
  const all = {
    engine: [
      { name: "Move now", act: () => app.command("move-now"), id: "move-now" },
      ...(table.isWatched
        ? [{ name: "Pause", act: () => app.command("pause"), id: "pause" }, ...paceButtons(game)]
        : []),
    ],
    held: table.isWatched
      ? [
          { name: "Go on", act: () => app.command("go"), id: "go" },
          { name: "One move", act: () => step(game), id: "step" },
        ]
      : [{ name: "Let the engine move", act: () => app.command("go"), id: "go" }],
  };
  return [...(all[table.turnKind] ?? []), ...links];
}

/** Pauses before each move of two engines, in seconds. */
const PACES = [0, 0.3, 0.8, 2, 5];

/** Returns the buttons that change the pause before each move of two engines. */
function paceButtons({ table, app }) {
  const set = (seconds) => () => app.command("set-pace", { seconds });
  const faster = PACES.findLast((pace) => pace < table.pace);
  const slower = PACES.find((pace) => pace > table.pace);
  return [
    slower !== undefined && { name: "Slower", act: set(slower), id: "slower" },
    faster !== undefined && { name: "Faster", act: set(faster), id: "faster" },
  ].filter(Boolean);
}

/** Lets the engines make one move, without the rest of the pause before it. */
function step({ app, table }) {
  app.command("set-pace", { seconds: table.pace });
  app.command("go");
  app.command("pause");
}

/** `true` if an opponent is to move who has left. The table says for how long the opponent must have been away. */
function canClaim(table) {
  const { mySides, turnSide } = table;
  return (
    table.turnKind === "person" &&
    mySides.some((side) => side !== turnSide) &&
    table.seat(turnSide).sitter === "away-guest"
  );
}

/** Returns the buttons for the board's presentation: styles of the game, rolling, ruling out moves. */
function togglesOf(game) {
  const { view, look, ruleOut } = game;
  const { style } = look.fields;
  const styles = (view.styles ?? []).map((name) => ({
    name: sentence(name),
    id: `style-${name}`,
    isOn: style === name,
    act: () => look.set({ style: style === name ? "" : name }),
  }));
  const { roll } = game.board;
  const home = roll.isAway ? [{ name: "Roll it back", id: "unroll", act: () => roll.home() }] : [];
  return [...styles, ...home, ...letterToggle(game), ...ruleOut.toggles()];
}
