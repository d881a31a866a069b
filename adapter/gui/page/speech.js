/** What is spoken: texts in a live region, which screen readers read at once. */

/** A region that others speak through. */
export class Speech {
  constructor(element) {
    this.element = element;
    this.text = "";
  }

  /** Speaks a text. A text that is said again gets a blank, for a screen reader reads only what has changed. */
  say(text) {
    this.text = text === this.text ? `${text}\u00a0` : text;
    this.element.textContent = this.text;
  }
}
