/** The view of this page: the position shown, and how its board is oriented. The server answers with a view. */

/** Minimum time between two requests while a board is dragged, in milliseconds. */
const LOOK_PAUSE_MS = 30;

export class Look {
  constructor(app) {
    this.app = app;
    /** `node` is `null` while the page follows the game; `line` are previewed moves after the node. */
    this.fields = { node: null, line: [], turns: 0, flipped: false, ruled_out: [], style: "" };
    this.timer = null;
    this.asked = 0;
  }

  get node() {
    return this.fields.node;
  }

  get line() {
    return this.fields.line;
  }

  /** Changes some fields and requests the view. */
  set(changes) {
    const isElsewhere = "node" in changes || "line" in changes;
    this.fields = { ...this.fields, ...(isElsewhere ? { line: [], ruled_out: [] } : {}), ...changes };
    clearTimeout(this.timer);
    const passed = performance.now() - this.asked;
    this.timer = setTimeout(() => this.ask(), Math.max(0, LOOK_PAUSE_MS - passed));
  }

  /** Requests the view again, for instance after a reconnection. */
  ask() {
    this.asked = performance.now();
    this.app.ask("look", this.fields);
  }
}
