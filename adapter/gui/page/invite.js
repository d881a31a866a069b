/** Links for guests and spectators, as texts and as QR codes. */

import { button, el, svg } from "./dom.js";
import { copyText, openDialog } from "./dialogs.js";

/** Modules around a QR code that must be light. */
const QUIET = 4;

/** Opens a dialog with a link for each of these sides, and one for spectators. */
export async function invite(app, sides) {
  const links = [];
  for (const side of [...sides, null]) {
    const done = await linkOf(app, side);
    if (!done) return;
    links.push(done);
  }
  const watch = links.pop();
  openDialog(
    "A link for the guest",
    () =>
      [
        ...links.flatMap((done, i) =>
          linkField(done, "Opening it takes this seat", i === 0 ? "guest-link" : `guest-link-${i + 1}`),
        ),
        localNote(watch),
        el(
          "details",
          {},
          el("summary", {}, "A link to watch"),
          ...linkField(watch, "Opening it shows the game", "watch-link"),
        ),
      ].filter(Boolean),
    { id: "invite-dialog" },
  );
}

/** Returns the link of a side, `null` for spectators; nothing if it failed. */
export async function linkOf(app, side) {
  const done = await app.ask("invite", { side });
  return done && { ...done, renew: () => app.ask("invite", { side, renew: true }) };
}

/** Says so if a link works on this machine only. */
export function localNote({ is_local: isLocal }) {
  const how =
    "It works on this machine only. With linesman gui --listen 0.0.0.0:7000, others on your network can join.";
  return isLocal && el("p", { class: "soft", id: "local-only" }, how);
}

/** Creates the field of a link, with its buttons and its QR code. */
export function linkField({ link, qr, is_local: isLocal, renew }, words, id) {
  const input = el("input", { id, type: "text", readonly: true, value: link });
  const code = el("div", {}, qr && !isLocal && qrCode(qr));
  const replace = async () => {
    const done = await renew();
    if (!done) return;
    input.value = done.link;
    code.replaceChildren(...[done.qr && !isLocal && qrCode(done.qr)].filter(Boolean));
  };
  return [
    el("label", { class: "field", for: id }, el("span", {}, words), input),
    el(
      "div",
      { class: "buttons" },
      button("Copy the link", () => copyText(input.value, "The link"), { class: "primary" }),
      button("Replace the link", replace, {
        id: `${id}-replace`,
        title: "The old link stops working, and a guest who came by it leaves",
      }),
    ),
    code,
  ];
}

/** Draws a QR code: dark on light in every theme, as cameras expect it. */
function qrCode({ size, path }) {
  const box = [-QUIET, -QUIET, size + 2 * QUIET, size + 2 * QUIET].join(" ");
  return svg(
    "svg",
    { class: "qr", viewBox: box, role: "img", "aria-label": "QR code of the link", "shape-rendering": "crispEdges" },
    svg("rect", { x: -QUIET, y: -QUIET, width: "100%", height: "100%", fill: "#fff" }),
    svg("path", { d: path, fill: "#000" }),
  );
}
