/** The name of this user, as others see it. It is kept in the browser. */

import { openForm } from "./dialogs.js";
import { labelled, textField } from "./dom.js";

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
  return textField(id, { maxlength: "60", placeholder: "name", value });
}

/** Asks for this user's name. @param {() => void} onChange called when it has changed */
export function askName(onChange) {
  const field = nameField("player-name", playerName());
  openForm(
    "Your name",
    "name-dialog",
    labelled("The others at the table see it", field),
    ["Change", "name-change"],
    () => {
      setPlayerName(field.value);
      onChange();
    },
  );
}
