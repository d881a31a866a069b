/** Records: opening games from files and texts, saving games and boards, and links to positions. */

import { aboutOf } from "./guide.js";
import { button, el } from "./dom.js";
import { copyText, openDialog } from "./dialogs.js";
import { canFilm, film } from "./film.js";
import { linkField, linkOf, localNote } from "./invite.js";
import { labelled } from "./new-game.js";
import { imageOf } from "./picture.js";

/** Maximum size of a record that the server accepts. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Resolution of PNG pictures, in pixels per SVG unit. */
const SHARPNESS = 2;

/** Opens a file dialog, and the game in the chosen file. */
export function chooseFile(app) {
  const input = el("input", { type: "file", accept: ".jsonl,.pgn,.txt,text/*" });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    if (file.size > MOST_BYTES) app.tell(`${file.name} is too large: expected at most 4 MiB`);
    else await open(app, file.name, await file.text());
  });
  input.click();
}

/** Opens a dialog for a text, and the game in it. */
export function openRecord(app) {
  const text = el("textarea", { rows: "10", spellcheck: "false", id: "record-text" });
  const game = el(
    "select",
    { id: "record-game" },
    el("option", { value: "" }, "as in the text"),
    app.hello.games.map((game) => el("option", { value: game.name }, aboutOf(game).title)),
  );
  const submit = async (event, close) => {
    event.preventDefault();
    if (await open(app, "pasted", text.value, game.value || null)) close();
  };
  openDialog(
    "Open a record",
    (close) =>
      el(
        "form",
        { onsubmit: (event) => submit(event, close) },
        labelled("Ledger, PGN, position, or a letter with a board or moves", text),
        labelled("Game", game),
        el(
          "div",
          { class: "buttons" },
          el("button", { type: "submit", class: "primary" }, "Open"),
          button("Cancel", close),
        ),
      ),
    { id: "open-record" },
  );
}

async function open(app, name, text, game = null) {
  const done = await app.ask("open-record", { name, text, game });
  if (done) app.enter(done.table);
  if (done?.note) app.tell(done.note);
  return Boolean(done);
}

/**
 * Opens the dialog for showing a game to others: a link to watch it, a picture of the board, a video.
 * @param game the view of a table
 */
export async function showShare(game) {
  const { app, table } = game;
  const link = table.isHost && (await linkOf(app, null));
  const png = async () => {
    const done = await app.ask("export", { what: "svg" });
    if (done) download(`${done.name.replace(/\.svg$/, "")}.png`, await rasterise(done.text));
  };
  const video = async (close) => {
    close();
    const blob = await film(game).catch((error) => app.tell(error.message));
    if (blob) download(`${table.game.name}.webm`, blob);
  };
  openDialog(
    "Share",
    (close) => [
      el(
        "div",
        { class: "buttons" },
        button("Save a picture", png, { id: "save-png" }),
        canFilm() && button("Save a video", () => video(close), { id: "save-video" }),
      ),
      ...(link ? [...linkField(link, "Opening it shows the game", "share-link"), localNote(link)] : []).filter(Boolean),
    ],
    { id: "share-dialog" },
  );
}

/**
 * Opens the dialog for saving a game.
 * @param game the view of a table
 * @param {() => string} linkOfPosition returns an address that contains the position
 */
export function showRecords({ app }, linkOfPosition) {
  const save = (what) => async () => {
    const done = await app.ask("export", { what });
    if (done) download(done.name, new Blob([done.text], { type: "text/plain" }));
  };
  const position = async () => {
    const done = await app.ask("export", { what: "fen" });
    if (done) copyText(done.text.trim(), "The position");
  };
  const link = el("input", { id: "position-link", type: "text", readonly: true, value: linkOfPosition() });
  openDialog(
    "Records",
    () =>
      [
        el("h3", {}, "The game"),
        el(
          "div",
          { class: "buttons" },
          app.mayChoose && button("Save as a ledger", save("ledger"), { id: "save-ledger" }),
          button("Save as PGN", save("pgn"), { id: "save-pgn" }),
          app.mayChoose && button("Open a file", () => chooseFile(app), { id: "open-other-file" }),
          app.mayChoose && button("Paste a text", () => openRecord(app), { id: "open-other-text" }),
        ),
        el("h3", {}, "The board"),
        el(
          "div",
          { class: "buttons" },
          button("Save as SVG", save("svg"), { id: "save-svg" }),
          button("Copy the position", position, { id: "copy-position" }),
        ),
        app.mayChoose && labelled("A link to this position, for this machine", link),
        app.mayChoose &&
          el(
            "div",
            { class: "buttons" },
            button("Copy the link", () => copyText(link.value, "The link"), { id: "copy-link" }),
          ),
      ].filter(Boolean),
    { id: "records" },
  );
}

function download(name, blob) {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Converts an SVG text to a PNG picture. */
async function rasterise(text) {
  const image = await imageOf(text);
  const canvas = el("canvas", { width: SHARPNESS * image.width, height: SHARPNESS * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
