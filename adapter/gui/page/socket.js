/** The connection to the server: requests with answers, and events. It reconnects automatically. */

/** Delays between attempts to connect, in milliseconds; the last one repeats. */
const WAITS = [200, 500, 1000, 2000, 4000];

export class Socket {
  /**
   * @param {Record<string, Function>} hooks `onEvent(event)`, `onState(state)` with `open`, `lost` or `refused`, and
   *     `isRefused()`: a promise of `true` if the server would refuse another connection
   */
  constructor(url, hooks) {
    this.url = url;
    this.hooks = hooks;
    /** Number of the last request. */
    this.lastId = 0;
    /** Pending requests: id -> `{resolve, reject}`. */
    this.waiting = new Map();
    this.failures = 0;
    /** Length of all messages. */
    this.received = 0;
    this.isClosed = false;
    this.#connect();
  }

  /** Sends a request. @returns {Promise<any>} the `done` value; rejects with the reason if it was refused */
  ask(ask, fields = {}) {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        reject(new Error(this.isClosed ? "the program has ended" : "not connected to Linesman: wait"));
        return;
      }
      this.lastId += 1;
      this.waiting.set(this.lastId, { resolve, reject });
      this.socket.send(JSON.stringify({ id: this.lastId, ask, ...fields }));
    });
  }

  /** Ends the connection: its loss is not reported. */
  end() {
    this.isClosed = true;
  }

  #connect() {
    this.socket = new WebSocket(this.url);
    this.socket.binaryType = "arraybuffer";
    /** The last diagram, which the next one changes. */
    this.diagram = null;
    // Messages are handled in their order, though long ones are unpacked first.
    let queue = Promise.resolve();
    this.socket.addEventListener("open", () => {
      this.failures = 0;
      this.hooks.onState("open");
    });
    this.socket.addEventListener("message", ({ data }) => {
      this.received += data.length ?? data.byteLength;
      queue = queue
        .then(async () => this.#receive(JSON.parse(typeof data === "string" ? data : await unpacked(data))))
        .catch(reportError);
    });
    this.socket.addEventListener("close", () => queue.then(() => this.#lose()));
  }

  #receive(message) {
    if (message.event === "view") this.diagram = whole(this.diagram, message.diagram);
    if (message.event !== undefined) {
      this.hooks.onEvent(message);
      return;
    }
    const question = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.refused !== undefined) question?.reject(new Error(message.refused));
    else question?.resolve(message.done);
  }

  #lose() {
    for (const { reject } of this.waiting.values()) reject(new Error("the connection to Linesman was lost"));
    this.waiting.clear();
    if (this.isClosed) return;
    this.hooks.onState("lost");
    const wait = WAITS[Math.min(this.failures, WAITS.length - 1)];
    this.failures += 1;
    setTimeout(() => this.#retry(), wait);
  }

  async #retry() {
    this.isClosed = await this.hooks.isRefused();
    if (this.isClosed) this.hooks.onState("refused");
    else this.#connect();
  }
}

/** Returns the text of a compressed message. */
function unpacked(data) {
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

/** Completes the lists of a diagram, which may be described by those of the last one. */
export function whole(last, diagram) {
  for (const [name, { changes }] of Object.entries(diagram).filter(([, value]) => value?.changes)) {
    diagram[name] = changes.flatMap((part) =>
      Array.isArray(part) ? last[name].slice(part[0], part[0] + part[1]) : [part],
    );
  }
  return diagram;
}
