/** What the panel of a table says, and its buttons. */

import { sentence } from "./dom.js";
import { newGame } from "./new-game.js";
import { colourOf } from "./pieces.js";
import { showShare } from "./records.js";
import { hintWords } from "./scores.js";
import { toggleOf } from "./settings.js";
import { withSides } from "./strips.js";

/** Returns the heading, and the piece shown with it: of the side to move, or of the winner. */
export function captionOf(game) {
  const { app, table, view } = game;
  const { diagram } = view;
  const caption = withSides(view, (isHere(game) && table.view.heading) || diagram.caption);
  const side = view.result ? { "1-0": "p1", "0-1": "p2" }[view.result.code] : view.side;
  const example = app.game(table.game.name)?.diagram;
  return { caption, piece: side ? { diagram, colour: colourOf(diagram, side), example } : null };
}

/** `true` if the shown position is the one of the game, which continues for this user. */
function isHere({ table, view, closed }) {
  return view.node === table.tree.here && !view.line?.length && !closed;
}

/** `true` if this user, who plays one side, is to move at the shown position. */
export function isMyTurn(game) {
  const { table } = game;
  return table.mySide !== null && table.isMyTurn && isHere(game) && !game.view.result;
}

/** Returns the details of the caption: a hint, what threatens, or the note of the table. */
export function noteOf(game) {
  const { table, view, look } = game;
  if (game.hint?.node === view.node) return hintWords(game.hint);
  if (table.asked?.node === view.node) return table.asked.text;
  if (!view.result && view.explain && view.explain !== view.diagram.caption) return view.explain;
  if (look.line.length > 0 || game.closed) return "";
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

/** Returns the banner: its text, its buttons, and what it depends on besides them; `null` for none. */
export function bannerOf(game) {
  const { app, closed, look, premove, proposed, table, view } = game;
  const withdraw = (id) => ({ name: "Cancel", act: () => game.withdraw(), id });
  if (closed) {
    const back = { name: "Play here", act: () => app.attach(app.tableId), id: "take-back", kind: "primary" };
    return { key: "closed", text: closed, buttons: game.mayReturn ? [back] : [] };
  }
  if (view.line?.length > 0) {
    const back = { name: "Back", act: () => look.set({ node: look.node, line: [] }), id: "line-back" };
    const keep = { name: "Keep as a branch", act: () => game.keepLine(), id: "line-keep", kind: "primary" };
    const text = `A line of the engine: ${look.line.join(" ")}`;
    return { key: text, text, buttons: table.isHost ? [back, keep] : [back] };
  }
  if (proposed) {
    const { code } = proposed;
    const play = { name: "Play", act: () => game.play(code), id: "confirm-move", kind: "primary" };
    return { key: ["confirm", code], text: `Play ${code}?`, buttons: [play, withdraw("cancel-move")] };
  }
  if (table.proposal) {
    const { text } = table.proposal;
    const words = table.isAsking ? `Waiting for an answer: ${text}.` : `${text}.`;
    return { key: ["proposal", table.proposal, table.isAsking], text: words, buttons: buttonsAt(game, "proposal") };
  }
  if (premove) {
    const text = `In your next turn, if it is legal: ${premove}`;
    return { key: ["premove", premove], text, buttons: [withdraw("cancel-premove")] };
  }
  return table.ending && view.node === table.tree.here ? endingBanner(game, table.ending) : null;
}

/** The actions that are shown as main buttons. */
const MAIN = ["accept", "again"];

/**
 * Returns the buttons of a place for what this user may do. A click takes the action of that moment: the pace of
 * `Slower` changes, and its button stays.
 */
function buttonsAt(game, place) {
  return game.table.view.actions
    .filter((action) => action.place === place)
    .map((action) => ({
      name: action.label,
      act: () => game.act(game.table.action(action.id) ?? action),
      id: action.id,
      kind: MAIN.includes(action.id) ? "primary" : null,
    }));
}

function endingBanner(game, { result, reason }) {
  const { table, app } = game;
  const other = { name: "Other game", act: () => newGame(app, table.game.name), id: "other-game" };
  const buttons = [
    ...buttonsAt(game, "ending"),
    ...(table.isHost ? [other] : []),
    { name: "Find mistakes", act: () => game.startReview(), id: "find-mistakes" },
    { name: "Share", act: () => showShare(game), id: "share" },
  ];
  const text = { "1/2-1/2": "½–½", "1-0": "1–0", "0-1": "0–1" }[result] ?? result;
  return { key: ["ending", table.id, result, reason], text, buttons };
}

export function turnButtonsOf(game) {
  const { table } = game;
  const isAway = table.turnKind !== "over" && table.seats.some((seat) => seat.sitter === "away-guest");
  const link = { name: "Link for the guest", act: () => game.invite(), id: "guest-invite" };
  return [...buttonsAt(game, "turn"), ...(table.isHost && isAway ? [link] : [])];
}

/** Names of styles that say what they show. */
const STYLES = { farside: "Cells beyond the edges", peek: "Covered pieces" };

/** Returns the buttons for the board's presentation: styles of the game, rolling, ruling out moves. */
export function togglesOf(game) {
  const { view, look, ruleOut } = game;
  const { roll } = game.board;
  const { style } = look.fields;
  const styles = (view.styles ?? []).map((name) => ({
    name: STYLES[name] ?? sentence(name),
    id: `style-${name}`,
    isOn: style === name,
    act: () => look.set({ style: style === name ? "" : name }),
  }));
  const again = () => look.ask();
  const hasLetters = view.diagram.shapes.some(({ role, form }) => role === "target" && form === "text");
  return [
    ...styles,
    ...(roll.isAway ? [{ name: "Roll it back", id: "unroll", act: () => roll.home() }] : []),
    ...(hasLetters ? [toggleOf("hasLetters", "Letters", "letters", again)] : []),
    ...(roll.isOn ? [toggleOf("hasCells", "Names of cells", "cells", again)] : []),
    ...ruleOut.toggles(),
  ];
}
