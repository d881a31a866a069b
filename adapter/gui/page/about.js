/** Titles and descriptions of games, from the server's data. */

import { sentence } from "./dom.js";

/** Returns the description of a game, with defaults for missing fields. */
export function aboutOf(game) {
  const about = typeof game.about === "object" ? game.about : {};
  const words = game.name.split("-").map(sentence);
  return {
    title: words.join(" "),
    idea: typeof game.about === "string" ? game.about : "",
    rules: [],
    ...about,
    ...plain(game),
  };
}

function plain({ title, year, author, idea, rules }) {
  return Object.fromEntries(
    Object.entries({ title, year, author, idea, rules }).filter(([, value]) => value !== undefined),
  );
}
