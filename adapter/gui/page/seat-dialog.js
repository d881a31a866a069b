/** The dialog that changes the player of a side and the level of engines. */

import { openForm } from "./dialogs.js";
import { button } from "./dom.js";
import { invite } from "./invite.js";
import { setPlayerName } from "./names.js";
import { SeatFields, isUnnamed, levelChoices } from "./seats.js";
import { SIDES } from "./table.js";

export function showSeat(app, table, side, name) {
  const before = kindOf(table, side);
  const seat = table.seat(side);
  const { levels } = app.game(table.game.name);
  const level = table.is_adaptive ? "adaptive" : table.level;
  const choices = levels.length > 0 ? [["", "as before"], ...levelChoices(levels)] : [];
  const names = isUnnamed(seat.name) ? {} : { [before]: seat.name };
  const fields = new SeatFields("seat", before, names, choices, app.hello.engines, level);
  // If another person plays at this screen too, a name is not this user's.
  const isAlone = !SIDES.some((other) => other !== side && kindOf(table, other) === "person");
  const change = async (close) => {
    const { kind } = fields;
    if (kind === "person" && isAlone) setPlayerName(fields.name);
    if (kind === "engine" && fields.level !== null && fields.level !== level)
      await app.socket.ask("table", { command: { command: "set-level", level: fields.level } });
    // A seat is given to its new player, whose name the records then contain.
    if (kind !== "engine" || kind !== before) {
      const { limit } = table.clocks[SIDES.indexOf(side)];
      await app.socket.ask("seat", {
        side,
        seat: fields.seat(null),
        level: kind === "engine" ? (Number.isInteger(fields.level) ? fields.level : table.level) : null,
        clock: /^(tc|st)=/.test(limit) ? limit : "-",
      });
    }
    close();
    if (kind === "guest") await invite(app, [side]);
  };
  const link = async () => {
    dialog.close();
    await invite(app, [side]);
  };
  const more = table.isGuest(side) && button("Link for the guest", link, { id: "invite" });
  const dialog = openForm(`Who plays ${name}`, "seat-dialog", fields.elements, ["Change", "seat-change"], change, more);
}

/** Returns the current kind of player, as the dialog names it. */
function kindOf(table, side) {
  if (table.seat(side).by === "engine") return "engine";
  return table.isGuest(side) ? "guest" : "person";
}
