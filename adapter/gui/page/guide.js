/** Titles and descriptions of games, and the rules of a game in short sections, with pictures. */

import { el, sentence } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { pictureAt } from "./picture.js";

/** Returns the description of a game, with defaults for missing fields. */
export function aboutOf({ name, title, idea, rules, author, year }) {
  const words = name.split("-").map(sentence).join(" ");
  return { title: title || words, idea: idea ?? "", rules: rules ?? [], author, year };
}

/** Opens the rules of a game; by default, of the first one. */
export function showGuide(app, name = app.hello?.games[0]?.name) {
  const game = app.game(name);
  if (!game) return;
  const about = aboutOf(game);
  const body = el("div", { class: "guide" });
  const others = app.hello.games.map((other) =>
    el("option", { value: other.name, selected: other.name === game.name }, aboutOf(other).title),
  );
  const choose = el("select", { "aria-label": "Game", onchange: () => fill(choose.value) }, others);
  const fill = (chosen) => body.replaceChildren(...sections(app, app.game(chosen)));
  fill(name);
  openDialog(`How to play ${app.hello.games.length > 1 ? "" : about.title}`.trim(), () => [choose, body], {
    wide: true,
    id: "guide",
  });
}

function sections(app, game) {
  const about = aboutOf(game);
  const origin = [about.author, about.year].filter(Boolean).join(", ");
  return [
    el("p", { class: "lead" }, about.idea),
    origin && el("p", { class: "soft" }, origin),
    ...about.rules.map((rule) => section(app, game, rule)),
  ].filter(Boolean);
}

function section(app, game, { heading, text, position, caption }) {
  const figure = position && el("figure", {});
  if (figure) fillFigure(app, game, figure, position, caption);
  const words = el(
    "div",
    {},
    el("h3", {}, heading),
    text.split("\n\n").map((part) => el("p", {}, withCodes(part))),
  );
  return el("section", { class: "rule" }, words, figure);
}

async function fillFigure(app, game, figure, position, caption) {
  const drawn = await pictureAt(app.socket, { ...game, options: [] }, position).catch((error) =>
    app.tell(error.message),
  );
  if (drawn) figure.append(drawn, caption ? el("figcaption", {}, withCodes(caption)) : "");
}

/** Formats a text, with move codes between backquotes. */
export function withCodes(text) {
  return text.split("`").map((part, i) => (i % 2 === 1 ? el("code", {}, part) : part));
}
