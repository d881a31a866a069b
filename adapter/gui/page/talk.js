/** Messages of people at a table and of the table itself. */

import { el, textField } from "./dom.js";

export class Talk {
  /** @param {(text: string) => void} onSay */
  constructor(onSay) {
    this.list = el("ul.talk-list#talk", { tabindex: "0", "aria-label": "Messages" });
    const words = "Type a message";
    this.input = textField("talk-input", {
      maxlength: "1000",
      spellcheck: null,
      "aria-label": words,
      placeholder: words,
    });
    this.count = el("span.soft");
    const onsubmit = (event) => this.#submit(event, onSay);
    const form = el("form.row", { onsubmit }, this.input, el("button", { type: "submit" }, "Say"));
    this.element = el("details.box#talk-box", el("summary", "Talk ", this.count), this.list, form);
  }

  /** Shows the messages of a table. */
  show({ talk }) {
    if (this.shown === talk) return;
    this.shown = talk;
    // Notes of the table itself, as of a level or a hint, are not counted.
    const said = talk.filter(({ name }) => name).length;
    this.count.textContent = said > 0 ? `(${said})` : "";
    this.list.replaceChildren(
      ...talk.map(({ name, text }) => el("li", { class: name ? null : "soft" }, name && el("b", `${name}: `), text)),
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
