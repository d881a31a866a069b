/** Links for guests. */

import { button, el } from "./dom.js";
import { copyText, openDialog } from "./dialogs.js";

/** Opens a dialog with a link for each of these sides. */
export async function invite(app, sides) {
  const links = [];
  for (const side of sides) {
    const done = await app.ask("invite", { side });
    if (!done) return;
    links.push(done);
  }
  openDialog("A link for the guest", () => [
    ...links.flatMap(({ link }, i) => linkField(link, i === 0 ? "guest-link" : `guest-link-${i + 1}`)),
    links.some(({ is_local: isLocal }) => isLocal) && el("p", { class: "soft", id: "local-only" }, "It works on this machine only. With linesman gui --listen 0.0.0.0:7000, others on your network can join."),
  ].filter(Boolean), { id: "invite-dialog" });
}

function linkField(link, id) {
  const input = el("input", { id, type: "text", readonly: true, value: link });
  return [
    el("label", { class: "field", for: id }, el("span", {}, "Opening it takes this seat"), input),
    el("div", { class: "buttons" }, button("Copy the link", () => copyText(link, "The link"), { class: "primary" })),
  ];
}
