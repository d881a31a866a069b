/** Records: opening games from files and texts, saving games, boards and videos, and links to positions. */

import { aboutOf } from "./guide.js";
import { button, el, labelled, select, textField } from "./dom.js";
import { copyText, openDialog, openForm } from "./dialogs.js";
import { linkField } from "./invite.js";
import { sleep } from "./motion.js";
import { canvasOf, imageOf } from "./surface.js";

/** Maximum size of a record that the server accepts. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Opens a file dialog, and the game in the chosen file. */
export function chooseFile(app) {
  const input = el("input", { type: "file", accept: ".jsonl,.pgn,.txt,text/*" });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    const { name, size } = file;
    if (size > MOST_BYTES) app.tell(`${name} is larger than 4 MiB. Open a smaller file.`);
    else await open(app, { name, text: await file.text(), game: null }).catch(({ message }) => app.tell(message));
  });
  input.click();
}

/** Opens a dialog for a text, and the game in it. */
export function openRecord(app) {
  const text = el("textarea#record-text", { rows: "10", spellcheck: "false" });
  const titles = app.hello.games.map((game) => [game.name, aboutOf(game).title]);
  const game = select("record-game", [["", "as in the text"], ...titles]);
  const fields = [labelled("Ledger, PGN, position, or a letter with a board or moves", text), labelled("Game", game)];
  const act = () => open(app, { name: "pasted", text: text.value, game: game.value || null });
  openForm("Open a record", "open-record", fields, ["Open", "record-open"], act);
}

async function open(app, record) {
  const { table, note } = await app.socket.ask("open-record", record);
  app.enter(table);
  if (note) app.tell(note);
}

/** Opens the dialog for showing a position to others. @param game the view of a table */
export async function showShare(game) {
  const { app, table, view } = game;
  const where = { side: null, node: view.node };
  const link = table.isHost && (await linkField(app, where, "Opening it shows this position", "share-link"));
  const png = async () => {
    const done = await app.ask("export", { what: "svg" });
    if (!done) return;
    const canvas = canvasOf(await imageOf(done.text));
    canvas.toBlob((blob) => download(`${done.name.replace(/\.svg$/, "")}.png`, blob), "image/png");
  };
  const video = async (close) => {
    close();
    const blob = await film(game).catch((error) => app.tell(error.message));
    if (blob) download(`${table.game.name}.webm`, blob);
  };
  const content = (close) => [
    el(
      "div.buttons",
      button("Save a picture", png, { id: "save-png" }),
      canFilm() && button("Save a video", () => video(close), { id: "save-video" }),
    ),
    link,
  ];
  openDialog("Share", content, { id: "share-dialog" });
}

/** Opens the dialog for saving a game. @param game the view of a table */
export function showRecords({ app, table, view }) {
  const saving = (what, words) => {
    const save = async () => {
      const done = await app.ask("export", { what });
      if (done) download(done.name, new Blob([done.text], { type: "text/plain" }));
    };
    return button(words, save, { id: `save-${what}` });
  };
  const copyPosition = async () => {
    const done = await app.ask("export", { what: "fen" });
    if (done) copyText(done.text.trim(), "The position");
  };
  // It has the game, its options and the position, without the token of this page.
  const fields = { game: table.game.name, ...Object.fromEntries(table.game.options), position: view.fen };
  const value = `${location.origin}/page/index.html#${new URLSearchParams(fields)}`;
  const link = textField("position-link", { readonly: true, value });
  const ofHost = (...children) => (app.mayChoose ? children : []);
  const content = () => [
    el("h3", "The game"),
    el(
      "div.buttons",
      ofHost(saving("ledger", "Save as a ledger")),
      saving("pgn", "Save as PGN"),
      ofHost(
        button("Open a file", () => chooseFile(app), { id: "open-other-file" }),
        button("Paste a text", () => openRecord(app), { id: "open-other-text" }),
      ),
    ),
    el("h3", "The board"),
    el(
      "div.buttons",
      saving("svg", "Save as SVG"),
      button("Copy the position", copyPosition, { id: "copy-position" }),
      ofHost(button("Copy the link", () => copyText(link.value, "The link"), { id: "copy-link" })),
    ),
    ofHost(labelled("A link to this position, for this machine", link)),
  ];
  openDialog("Records", content, { id: "records" });
}

function download(name, blob) {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Time for which a board is shown, at most and at least, and the last one longer, in milliseconds. */
const BOARD_MS = 600;
const LEAST_MS = 60;
const END_MS = 1200;
/** Longest video of a long game, if that needs no shorter time than the least for a board. */
const WHOLE_MS = 60_000;

/** `true` if this browser can record a canvas. */
export function canFilm() {
  return globalThis.MediaRecorder?.isTypeSupported("video/webm") ?? false;
}

/** Replays the game on the page and records its boards. @param game the view of a table @returns {Promise<Blob>} */
export async function film({ app, look, table: { tree }, view }) {
  const nodes = [0, ...tree.line(view.node)];
  const pause = Math.max(LEAST_MS, Math.min(BOARD_MS, WHOLE_MS / nodes.length));
  const seconds = Math.ceil((pause * nodes.length + END_MS) / 1000);
  app.tell(`Recording: ${seconds} seconds`);
  const boardAt = async (node) => {
    await app.socket.ask("look", { ...look.fields, node, line: [] });
    return imageOf((await app.socket.ask("export", { what: "svg" })).text);
  };
  const canvas = canvasOf(await boardAt(0));
  const pen = canvas.getContext("2d");
  const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: "video/webm" });
  const parts = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const ended = new Promise((resolve) => recorder.addEventListener("stop", resolve));
  recorder.start();
  try {
    for (const node of nodes) {
      const drawn = performance.now();
      const board = await boardAt(node);
      pen.drawImage(board, 0, 0, canvas.width, canvas.height);
      await sleep(Math.max(0, pause - (performance.now() - drawn)));
    }
    await sleep(END_MS);
    // A frame lasts until the next one.
    pen.drawImage(canvas, 0, 0);
    await sleep(LEAST_MS);
  } finally {
    recorder.stop();
    look.ask();
  }
  await ended;
  return new Blob(parts, { type: "video/webm" });
}
