/** Messages of people at a table and of the table itself. */

import { el } from "./dom.js";

export class Talk {
  /** @param {(text: string) => void} onSay */
  constructor(onSay) {
    this.list = el("ul", { class: "talk-list", id: "talk", tabindex: "0", "aria-label": "Messages" });
    this.input = el("input", {
      type: "text",
      maxlength: "1000",
      autocomplete: "off",
      "aria-label": "Type a message",
      placeholder: "Type a message",
    });
    this.count = el("span", { class: "soft" });
    const form = el(
      "form",
      { class: "row", onsubmit: (event) => this.#submit(event, onSay) },
      this.input,
      el("button", { type: "submit" }, "Say"),
    );
    this.element = el(
      "details",
      { class: "box", id: "talk-box" },
      el("summary", {}, "Talk ", this.count),
      this.list,
      form,
    );
  }

  /** Shows the messages of a table. */
  show({ talk }) {
    if (this.shown === talk) return;
    this.shown = talk;
    // Notes of the table itself, as of a level or a hint, are not counted.
    const said = talk.filter(({ name }) => name).length;
    this.count.textContent = said > 0 ? `(${said})` : "";
    this.list.replaceChildren(
      ...talk.map(({ name, text }) =>
        el("li", { class: name ? null : "soft" }, name && el("b", {}, `${name}: `), text),
      ),
    );
    this.list.scrollTop = this.list.scrollHeight;
  }

  #submit(event, onSay) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (text) onSay(text);
    this.input.value = "";
  }
}
