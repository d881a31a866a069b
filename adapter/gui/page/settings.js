/** Settings of this browser: sounds, vibration, confirmation of moves, the time of answers. */

import { button, checkbox, el, labelled } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { play } from "./sound.js";

const KEPT = "linesman-settings";

const DEFAULTS = {
  hasSound: false,
  vibrates: true,
  confirms: false,
  answer: 0.6,
  showsNames: true,
  lives: true,
  hasLetters: true,
  hasCells: false,
};

/** Returns the object that the browser keeps under a key; an empty one if there is none, or it is damaged. */
export function stored(key, storage = localStorage) {
  try {
    return Object(JSON.parse(storage.getItem(key) ?? "{}"));
  } catch {
    return {};
  }
}

/** Returns the settings, with defaults for those that were never changed. */
export function settings() {
  return { ...DEFAULTS, ...stored(KEPT) };
}

/** Stores some settings. */
export function change(changes) {
  localStorage.setItem(KEPT, JSON.stringify({ ...settings(), ...changes }));
  apply();
}

/** Returns the switch of a setting: the texts of moves or of cells on a board. @param {() => void} onChange */
export function toggleOf(key, name, id, onChange) {
  const isOn = settings()[key];
  const act = () => {
    change({ [key]: !isOn });
    onChange();
  };
  return { name, id, isOn, act };
}

/** Hides the texts on boards that are switched off. */
function apply() {
  const { hasLetters, hasCells } = settings();
  document.documentElement.classList.toggle("no-letters", !hasLetters);
  document.documentElement.classList.toggle("no-cells", !hasCells);
}

if (typeof document !== "undefined") apply();

/** Exchanges the light and the dark theme. */
export function toggleTheme() {
  document.dispatchEvent(new Event("linesman-theme"));
}

/** Opens the dialog. */
export function showSettings() {
  const now = settings();
  const check = (name, id, words, onChange) => {
    const onchange = ({ target }) => {
      change({ [name]: target.checked });
      if (target.checked) onChange?.();
    };
    return checkbox(id, words, now[name], onchange);
  };
  const seconds = (value) => `${Number(value).toFixed(1)} s`;
  const words = el("output", { for: "setting-answer" }, seconds(now.answer));
  const oninput = () => {
    change({ answer: Number(answer.value) });
    words.textContent = seconds(answer.value);
  };
  const range = { type: "range", min: "0", max: "3", step: "0.1", value: now.answer, oninput };
  const answer = el("input#setting-answer", range);
  openDialog(
    "Settings",
    () => [
      check("hasSound", "setting-sound", "Sounds: wood on wood for each move", () => play("move")),
      check("vibrates", "setting-vibration", "A short vibration for your own moves, where the device has it"),
      check("confirms", "setting-confirm", "Confirm each move before it is played"),
      check("showsNames", "setting-names", "Name the cell under the mouse"),
      labelled("An engine's answer is shown at the earliest after", answer),
      words,
      el("div.buttons", button("Light or dark", toggleTheme, { id: "setting-theme" })),
    ],
    { id: "settings" },
  );
}
