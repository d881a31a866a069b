/** Settings of this browser and the name of its user; the sounds of a wooden board, made by the browser. */

import { button, checkbox, el, labelled, textField } from "./dom.js";
import { openDialog, openForm } from "./dialogs.js";

const SETTINGS_KEPT = "linesman-settings";

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
export function stored(key) {
  try {
    return Object(JSON.parse(localStorage.getItem(key) ?? "{}"));
  } catch {
    return {};
  }
}

/** Returns the settings, with defaults for those that were never changed. */
export function settings() {
  return { ...DEFAULTS, ...stored(SETTINGS_KEPT) };
}

/** Stores some settings. */
export function change(changes) {
  localStorage.setItem(SETTINGS_KEPT, JSON.stringify({ ...settings(), ...changes }));
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
      check("hasSound", "setting-sound", "Sounds: wood on wood for each move", () => playSound("move")),
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

const KEPT_NAME = "linesman-name";

/** Returns this user's name; empty if none was chosen. */
export function playerName() {
  return localStorage.getItem(KEPT_NAME) ?? "";
}

export function setPlayerName(name) {
  localStorage.setItem(KEPT_NAME, name.trim());
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

/** Pitches in hertz and volumes of the knocks, each with its delay in seconds. */
const KNOCKS = {
  move: [[0, 410, 0.5]],
  answer: [[0, 320, 0.45]],
  over: [
    [0, 320, 0.5],
    [0.14, 410, 0.5],
    [0.28, 520, 0.4],
  ],
};
/** Duration of a knock in seconds. */
const LENGTH = 0.09;

let context = null;

/** Plays a sound. Before the first click on the page, browsers play none. */
export function playSound(name) {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const knock of KNOCKS[name]) strike(...knock);
}

/** A burst of noise through a narrow filter, with a short tone below it. */
function strike(delay, pitch, volume) {
  const start = context.currentTime + delay;
  const noise = context.createBufferSource();
  noise.buffer = context.createBuffer(1, Math.ceil(LENGTH * context.sampleRate), context.sampleRate);
  const samples = noise.buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = 2 * Math.random() - 1;
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: 4 * pitch, Q: 3 });
  const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
  noise.connect(filter).connect(gain).connect(context.destination);
  tone.connect(gain);
  for (const source of [noise, tone]) {
    source.start(start);
    source.stop(start + LENGTH);
  }
}
