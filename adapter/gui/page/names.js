/** The name of this user, as others see it. It is kept in the browser. */

import { button, el } from "./dom.js";
import { openDialog } from "./dialogs.js";

const KEPT = "linesman-name";

/** Returns this user's name; empty if none was chosen. */
export function playerName() {
  return localStorage.getItem(KEPT) ?? "";
}

export function setPlayerName(name) {
  localStorage.setItem(KEPT, name.trim());
}

/** Creates a field for a person's name. */
export function nameField(id, value = "") {
  return el("input", { id, type: "text", maxlength: "60", autocomplete: "off", placeholder: "name", value });
}

/** Asks for this user's name. @param {() => void} onChange called when it has changed */
export function askName(onChange) {
  const field = nameField("player-name", playerName());
  openDialog(
    "Your name",
    (close) =>
      el(
        "form",
        {
          onsubmit: (event) => {
            event.preventDefault();
            setPlayerName(field.value);
            close();
            onChange();
          },
        },
        el("label", { class: "field", for: field.id }, el("span", {}, "The others at the table see it"), field),
        el(
          "div",
          { class: "buttons" },
          el("button", { type: "submit", class: "primary", id: "name-change" }, "Change"),
          button("Cancel", close),
        ),
      ),
    { id: "name-dialog" },
  );
}
