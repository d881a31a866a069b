/** Links for guests and spectators, as texts and as QR codes. */

import { button, el, labelled, svg, textField } from "./dom.js";
import { copyText, openDialog } from "./dialogs.js";

/** Modules around a QR code that must be light. */
const QUIET = 4;
const LOCAL =
  "It works on this machine only. With linesman gui --listen 0.0.0.0:7000, others on your network can join.";

/** Opens a dialog with a link for each of these sides, and one for spectators. */
export async function invite(app, sides) {
  const seats = [];
  for (const [i, side] of sides.entries()) {
    const id = i === 0 ? "guest-link" : `guest-link-${i + 1}`;
    seats.push(await linkField(app, { side }, "Opening it takes this seat", id));
  }
  const watch = await linkField(app, { side: null }, "Opening it shows the game", "watch-link");
  if (!watch) return;
  const content = () => [seats, el("details", el("summary", "A link to watch"), watch)];
  openDialog("A link for the guest", content, { id: "invite-dialog" });
}

/**
 * Creates the field of a link, with its buttons and its QR code; nothing if there is no link.
 * @param {{side: string|null, node?: number}} which the seat, `null` for spectators, and the position that is shown
 */
export async function linkField(app, which, words, id) {
  const done = await app.ask("invite", which);
  if (!done) return null;
  const link = textField(id, { readonly: true });
  const code = el("div");
  const show = (found) => {
    link.value = found.link;
    code.replaceChildren(found.is_local ? el("p.soft.local-only", LOCAL) : found.qr ? qrCode(found.qr) : "");
  };
  const renew = async () => {
    const renewed = await app.ask("invite", { ...which, renew: true });
    if (renewed) show(renewed);
  };
  show(done);
  const title = "The old link stops working, and a guest who came by it leaves";
  const buttons = [
    button("Copy the link", () => copyText(link.value, "The link"), { class: "primary" }),
    button("Replace the link", renew, { id: `${id}-replace`, title }),
  ];
  return [labelled(words, link), el("div.buttons", buttons), code];
}

/** Draws a QR code: dark on light in every theme, as cameras expect it. */
function qrCode({ size, path }) {
  const box = [-QUIET, -QUIET, size + 2 * QUIET, size + 2 * QUIET].join(" ");
  return svg(
    "svg.qr",
    { viewBox: box, role: "img", "aria-label": "QR code of the link", "shape-rendering": "crispEdges" },
    svg("rect", { x: -QUIET, y: -QUIET, width: "100%", height: "100%", fill: "#fff" }),
    svg("path", { d: path, fill: "#000" }),
  );
}
