/** The dialog that changes who plays a side, and how well engines play. */

import { button, el } from "./dom.js";
import { openDialog, toast } from "./dialogs.js";
import { labelled } from "./new-game.js";
import { SIDES } from "./table.js";

export function showSeat(app, table, side, name) {
  const game = app.game(table.game.name);
  const seat = table.seat(side);
  const kind = el(
    "select",
    { id: "seat-kind" },
    el("option", { value: "person", selected: seat.by === "person" }, "A person"),
    el("option", { value: "engine", selected: seat.by === "engine" }, "The engine"),
  );
  const level = el("select", { id: "seat-level" }, el("option", { value: "" }, "as before"), game.levels.map(({ words, level: value }) => el("option", { value, selected: value === table.level }, words)));
  const change = async (event, close) => {
    event.preventDefault();
    close();
    if (level.value !== "" && Number(level.value) !== table.level) await app.command("set-level", { level: Number(level.value) });
    if (kind.value === seat.by) return;
    const engines = SIDES.filter((other) => (other === side ? kind.value === "engine" : table.seat(other).by === "engine"));
    await app.command("set-auto", { sides: engines });
  };
  const invite = async () => {
    const done = await app.ask("invite", { side });
    if (done) showLink(done.link);
  };
  openDialog(`Who plays ${name}`, (close) => el(
    "form",
    { onsubmit: (event) => change(event, close) },
    labelled("Who plays", kind),
    labelled("How well engines play", level),
    el("div", { class: "buttons" }, el("button", { type: "submit", class: "primary" }, "Change"), table.isGuest(side) && button("Link for the guest", invite, { id: "invite" }), button("Cancel", close)),
  ), { id: "seat-dialog" });
}

function showLink(link) {
  const input = el("input", { id: "guest-link", type: "text", readonly: true, value: link });
  const copy = async () => {
    await navigator.clipboard.writeText(link);
    toast("The link is copied");
  };
  openDialog("A link for the guest", () => [
    labelled("Who opens it plays here", input),
    el("div", { class: "buttons" }, button("Copy the link", copy, { class: "primary" })),
  ]);
}
