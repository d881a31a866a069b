/** Helpers that create HTML and SVG elements. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an HTML element from its tag with classes and an id, its attributes, which can be left out, and its children:
 * `el("p.soft#note", { hidden: true }, "No moves yet")`. Attributes: `on…` functions become listeners, `true` sets an empty
 * attribute, and `false`, `null` and `undefined` are omitted. Children: nodes, texts and nested lists; `null` and `false`
 * are skipped.
 */
export function el(tag, ...parts) {
  return filled((name) => document.createElement(name), tag, parts);
}

/** Creates an SVG element, by the same rules. */
export function svg(tag, ...parts) {
  return filled((name) => document.createElementNS(SVG, name), tag, parts);
}

/** Sets an attribute, by the rules of `el`. An equal value is not set again: a browser would style the element anew. */
export function set(element, name, value) {
  if (value === undefined || value === null || value === false) {
    element.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

const keys = new WeakMap();

/** Replaces the children of an element if `key` has changed since the last call: a pressed button is not replaced. */
export function refill(element, key, make) {
  const text = JSON.stringify(key);
  if (keys.get(element) === text) return;
  keys.set(element, text);
  element.replaceChildren(...make());
}

/** Counts in words: `1 move`, `2 moves`. */
export function counted(n, word) {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}

/** Begins a text with a capital letter. */
export function sentence(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** Creates a button with a text or a picture. */
export function button(content, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, content);
}

/** Creates a button with an icon; `words` is its accessible name and tooltip. */
export function iconButton(sign, words, onclick, attributes = {}) {
  const named = { type: "button", "aria-label": words, title: words, onclick };
  return el("button.icon-button", { ...named, ...attributes }, icon(sign));
}

/** Creates an icon to go with a text. */
export function icon(sign) {
  return svg("svg.icon", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[sign] }));
}

/** Creates a field for a text. */
export function textField(id, attributes = {}) {
  return el(`input#${id}`, { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
}

/** Creates a selection. @param {any[][]} choices values with their words */
export function select(id, choices, value = choices[0]?.[0], attributes = {}) {
  const option = ([choice, words]) => el("option", { value: choice, selected: choice === value }, words);
  return el(`select#${id}`, attributes, choices.map(option));
}

/** Puts a label above a field. */
export function labelled(name, input) {
  return el("label.field", { for: input.id }, el("span", name), input);
}

/** Creates a box to tick, with its text. */
export function checkbox(id, words, checked, onchange = null) {
  return el("label.check", { for: id }, el(`input#${id}`, { type: "checkbox", checked, onchange }), words);
}

function filled(create, tag, parts) {
  const [name, ...marks] = tag.split(/(?=[.#])/);
  const element = create(name);
  for (const mark of marks) {
    if (mark.startsWith("#")) element.id = mark.slice(1);
    else element.classList.add(mark.slice(1));
  }
  const hasAttributes = parts[0]?.constructor === Object;
  for (const [attribute, value] of Object.entries(hasAttributes ? parts[0] : {})) {
    if (typeof value === "function") element.addEventListener(attribute.slice(2), value);
    else set(element, attribute, value);
  }
  const children = hasAttributes ? parts.slice(1) : parts;
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Icons as stroked paths, in a square of 24 units. */
const ICONS = {
  first: "M18 6l-6 6 6 6M11 6l-6 6 6 6",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  last: "M6 6l6 6-6 6M13 6l6 6-6 6",
  play: "M8 5v14l11-7z",
  flip: "M7 20V5m0 0L3.5 8.5M7 5l3.5 3.5M17 4v15m0 0l3.5-3.5M17 19l-3.5-3.5",
  rotate: "M20 12a8 8 0 1 1-2.6-5.9M20 3v5h-5",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  close: "M6 6l12 12M18 6L6 18",
  help: "M9 9a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 2M12 17.5v.1",
  hint: "M9.5 17h5M10 20h4M12 3.5a5.5 5.5 0 0 0-3.3 9.9c.6.5.8 1 .8 1.6h5c0-.6.2-1.1.8-1.6A5.5 5.5 0 0 0 12 3.5z",
  undo: "M8 5L4 9l4 4M4 9h9a6 6 0 0 1 0 12h-2",
  flag: "M6 21V4m0 0h11l-2.5 4L17 12H6",
  draw: "M4 9h16M4 15h16",
  gear: "M5 7h14M5 12h14M5 17h14M9 5.5v3M15 10.500v3M11 15.500v3",
  save: "M12 4v11m0 0l-4-4m4 4l4-4M5 20h14",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.700 5.700l1-1",
  plus: "M12 6v12M6 12h12",
  minus: "M6 12h12",
  whole: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  follow: "M12 3v4M12 17v4M3 12h4M17 12h4M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
};
