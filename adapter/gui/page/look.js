/** What this page looks at: a position of the game, and how its board is turned. The server answers with a view. */

/** Milliseconds between two questions while a board is dragged. */
const PAUSE_MS = 30;

export class Look {
  constructor(app) {
    this.app = app;
    /** `node` is `null` while the game is followed; `line` are moves after it that are only looked at. */
    this.fields = { node: null, line: [], turns: 0, flipped: false, centre: "", ruled_out: [], style: "" };
    this.timer = null;
  }

  get node() {
    return this.fields.node;
  }

  get line() {
    return this.fields.line;
  }

  /** Changes some fields and asks for the view. */
  set(changes) {
    const isElsewhere = "node" in changes || "line" in changes;
    this.fields = { ...this.fields, ...(isElsewhere ? { line: [], ruled_out: [] } : {}), ...changes };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), this.#pause());
  }

  /** Asks for the view once more, as after a new connection. */
  ask() {
    this.asked = performance.now();
    this.app.ask("look", this.fields);
  }

  #pause() {
    return Math.max(0, PAUSE_MS - (performance.now() - (this.asked ?? 0)));
  }
}
