/** What the server tells about a game, for people. */

/** What a game is, whatever of it the server knows. */
export function aboutOf(game) {
  const about = typeof game.about === "object" ? game.about : {};
  const words = game.name.split("-").map((word) => word[0].toUpperCase() + word.slice(1));
  return { title: words.join(" "), idea: typeof game.about === "string" ? game.about : "", rules: [], ...about, ...plain(game) };
}

function plain({ title, year, author, idea, rules }) {
  return Object.fromEntries(Object.entries({ title, year, author, idea, rules }).filter(([, value]) => value !== undefined));
}
