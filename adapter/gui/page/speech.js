/** Speech: texts in a live region, which screen readers read at once. */

/** A live region shared by all views. */
export class Speech {
  constructor(element) {
    this.element = element;
    this.text = "";
  }

  /** Speaks a text. A repeated text gets an extra space, because screen readers read only changes. */
  say(text) {
    this.text = text === this.text ? `${text}\u00a0` : text;
    this.element.textContent = this.text;
  }
}
