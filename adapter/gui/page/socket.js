/** The connection to the server: questions with answers, and events. It comes back by itself when it is lost. */

/** Waits between attempts to connect, in milliseconds; the last one repeats. */
const WAITS = [200, 500, 1000, 2000, 4000];

/** The server refused what was asked; the message says why. */
export class Refused extends Error {}

export class Socket {
  /**
   * @param {string} url
   * @param {object} hooks
   * @param {(event: object) => void} hooks.onEvent
   * @param {(state: "open" | "lost") => void} hooks.onState
   */
  constructor(url, hooks) {
    this.url = url;
    this.hooks = hooks;
    this.lastId = 0;
    /** Questions without an answer: id -> `{resolve, reject}`. */
    this.waiting = new Map();
    this.failures = 0;
    this.isClosed = false;
    this.#connect();
  }

  /** Asks something. @returns {Promise<any>} what is `done`; rejects with `Refused` */
  ask(ask, fields = {}) {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        reject(new Refused(this.isClosed ? "the program has ended" : "there is no connection to Linesman: wait"));
        return;
      }
      this.lastId += 1;
      this.waiting.set(this.lastId, { resolve, reject });
      this.socket.send(JSON.stringify({ id: this.lastId, ask, ...fields }));
    });
  }

  /** Asks the table. @param {string} command as `spec/table.md` names it */
  command(command, fields = {}) {
    return this.ask("table", { command: { command, ...fields } });
  }

  /** The number of the last question. */
  get last() {
    return this.lastId;
  }

  /** Nothing more is to come: the loss of the connection is no news. */
  end() {
    this.isClosed = true;
  }

  #connect() {
    this.socket = new WebSocket(this.url);
    this.socket.addEventListener("open", () => {
      this.failures = 0;
      this.hooks.onState("open");
    });
    this.socket.addEventListener("message", (message) => this.#receive(JSON.parse(message.data)));
    this.socket.addEventListener("close", () => this.#lose());
  }

  #receive(message) {
    if (message.event !== undefined) {
      this.hooks.onEvent(message);
      return;
    }
    const question = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.refused !== undefined) question?.reject(new Refused(message.refused));
    else question?.resolve(message.done);
  }

  #lose() {
    for (const { reject } of this.waiting.values()) reject(new Refused("the connection to Linesman was lost"));
    this.waiting.clear();
    if (this.isClosed) return;
    this.hooks.onState("lost");
    const wait = WAITS[Math.min(this.failures, WAITS.length - 1)];
    this.failures += 1;
    setTimeout(() => this.#connect(), wait);
  }
}
