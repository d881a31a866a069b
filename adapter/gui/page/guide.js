/** Titles and descriptions of games, and the rules of a game in short sections, with pictures. */

import { el, select, sentence } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { pictureAt } from "./surface.js";

/** Returns the description of a game, with defaults for missing fields. */
export function aboutOf({ name, title, idea, rules, author, year }) {
  const words = name.split("-").map(sentence).join(" ");
  const origin = [author, year].filter(Boolean).join(", ");
  return { title: title || words, idea: idea ?? "", rules: rules ?? [], origin };
}

/** Opens the rules of a game; by default, of the first one. */
export function showGuide(app, name = app.hello?.games[0]?.name) {
  const game = app.game(name);
  if (!game) return;
  const body = el("div.guide");
  const fill = (chosen) => body.replaceChildren(...sections(app, app.game(chosen)));
  const titles = app.hello.games.map((other) => [other.name, aboutOf(other).title]);
  const onchange = ({ target }) => fill(target.value);
  const choose = select("guide-game", titles, name, { "aria-label": "Game", onchange });
  fill(name);
  const title = `How to play ${titles.length > 1 ? "" : titles[0][1]}`.trim();
  openDialog(title, () => [choose, body], { wide: true, id: "guide" });
}

function sections(app, game) {
  const { idea, origin, rules } = aboutOf(game);
  return [el("p.lead", idea), el("p.soft", origin), ...rules.map((rule) => section(app, game, rule))];
}

function section(app, game, { heading, text, position, caption }) {
  const figure = position && el("figure");
  if (figure) fillFigure(app, game, figure, position, caption);
  const words = text.split("\n\n").map((part) => el("p", withCodes(part)));
  return el("section.rule", el("div", el("h3", heading), words), figure);
}

async function fillFigure(app, game, figure, position, caption) {
  const tell = ({ message }) => app.tell(message);
  const drawn = await pictureAt(app.socket, { ...game, options: [] }, position).catch(tell);
  if (drawn) figure.append(drawn, caption ? el("figcaption", withCodes(caption)) : "");
}

/** Formats a text, with move codes between backquotes. */
export function withCodes(text) {
  return text.split("`").map((part, i) => (i % 2 === 1 ? el("code", part) : part));
}
