/** The state of a table's panel: texts and available buttons. */

import { sentence } from "./dom.js";
import { hintWords } from "./scores.js";
import { newGame } from "./new-game.js";
import { colourOf } from "./pieces.js";
import { showShare } from "./records.js";
import { toggleOf } from "./settings.js";
import { withSides } from "./strips.js";

/** Returns the state of the panel for a table's view. */
export function stateOf(game) {
  const { table, view } = game;
  const { tree } = table;
  const isLine = (view.line ?? []).length > 0;
  const { caption, side } = captionOf(game);
  const can = (id) => table.action(id) !== undefined && !table.action(id).refused;
  const reasons = Object.fromEntries(table.view.actions.map(({ id, why }) => [id, why ?? ""]));
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
      undo: can("undo"),
      hint: can("hint"),
      resign: can("resign"),
      draw: can("draw"),
    },
    reasons,
    canOfferDraw: table.mySides.length > 0,
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
  const side = view.result ? winnerOf(view.result.code) : view.side;
  return { caption: withSides(view, (isHere(game) && table.view.heading) || caption), side };
}

/** `true` if the shown position is the one of the game. */
function isHere({ table, view }) {
  return view.node === table.tree.here && !view.line?.length;
}

/** `true` if this user, who plays one side, is to move at the shown position. */
function isMyTurn(game) {
  const { table } = game;
  return table.mySides.length === 1 && table.isMyTurn && isHere(game) && !game.view.result;
}

function winnerOf(result) {
  return { "1-0": "p1", "0-1": "p2" }[result] ?? null;
}

/** Returns the details of the caption: a hint, what threatens, or the note of the table. */
function noteOf(game) {
  const { table, view, look } = game;
  if (game.hint?.node === view.node) return hintWords(game.hint);
  if (table.asked?.node === view.node) return table.asked.text;
  if (!view.result && view.explain && view.explain !== view.diagram.caption) return view.explain;
  if (look.line.length > 0) return "";
  if (isHere(game)) return withSides(view, table.view.note);
  return view.result ? "" : elsewhere(table.tree, view.node);
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

function proposalBanner(game) {
  const { proposal, client } = game.table;
  const text = proposal.client === client ? `Waiting for an answer: ${proposal.text}.` : `${proposal.text}.`;
  return { key: ["proposal", proposal], text, buttons: buttonsAt(game, "proposal") };
}

/** The actions that are shown as main buttons. */
const MAIN = ["accept", "again"];

/** Returns the buttons of a place for what this user may do. */
function buttonsAt(game, place) {
  return game.table.view.actions
    .filter((action) => action.place === place)
    .map((action) => ({
      name: action.label,
      act: () => game.act(action),
      id: action.id,
      isMain: MAIN.includes(action.id),
    }));
}

function endingBanner(game, { result, reason }) {
  const { table, app } = game;
  const buttons = [
    ...buttonsAt(game, "ending"),
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
  const { table } = game;
  const isAway = table.turnKind !== "over" && table.seats.some((seat) => seat.sitter === "away-guest");
  const link = { name: "Link for the guest", act: () => game.invite(), id: "guest-invite" };
  return [...buttonsAt(game, "turn"), ...(table.isHost && isAway ? [link] : [])];
}

/** Names of styles that say what they show. */
const STYLES = { farside: "Cells beyond the edges", peek: "Covered pieces" };

/** Returns the buttons for the board's presentation: styles of the game, rolling, ruling out moves. */
function togglesOf(game) {
  const { view, look, ruleOut } = game;
  const { style } = look.fields;
  const styles = (view.styles ?? []).map((name) => ({
    name: STYLES[name] ?? sentence(name),
    id: `style-${name}`,
    isOn: style === name,
    act: () => look.set({ style: style === name ? "" : name }),
  }));
  const { roll } = game.board;
  const home = roll.isAway ? [{ name: "Roll it back", id: "unroll", act: () => roll.home() }] : [];
  const again = () => look.ask();
  const hasLetters = view.diagram.shapes.some(({ role, form }) => role === "target" && form === "text");
  return [
    ...styles,
    ...home,
    ...(hasLetters ? [toggleOf("hasLetters", "Letters", "letters", again)] : []),
    ...(roll.isOn ? [toggleOf("hasCells", "Names of cells", "cells", again)] : []),
    ...ruleOut.toggles(),
  ];
}
