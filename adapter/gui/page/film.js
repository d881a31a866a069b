/** A video of a game, recorded by the browser as WebM: its boards from the beginning to the shown line's end. */

import { sleep } from "./motion.js";
import { canvasOf, imageOf } from "./picture.js";

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
