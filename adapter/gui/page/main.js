/** Starts the page: the connection to the server, the views, and their shared functions. */

import { button, el, iconButton } from "./dom.js";
import { closeDialogs, openDialog, toast } from "./dialogs.js";
import { GameView } from "./game.js";
import { keyList, setByKeys } from "./keyboard.js";
import { showGuide } from "./guide.js";
import { LobbyView } from "./lobby.js";
import { newGame, openPosition } from "./new-game.js";
import { showPuzzle } from "./puzzle.js";
import { playerName, showSettings, toggleTheme } from "./settings.js";
import { Watching } from "./watch.js";
import { whole } from "./surface.js";

/** Beginnings of the paths of a table, a puzzle and a match, and of the rest of a link to a position. */
const TABLE = "/game/";
const PUZZLE = "/puzzle/";
const MATCH = "/match/";
const POSITION = "#game=";

/** Storage key of the host's token, for links to positions. */
const TOKEN = "linesman-token";

export class App {
  constructor() {
    this.main = document.getElementById("main");
    this.live = document.getElementById("live");
    this.hello = null;
    this.view = null;
    /** The table of this page; `null` in the lobby. */
    this.tableId = null;
    /** The finished match of this page. */
    this.matchId = null;
    this.#tools();
    this.socket = new Socket(this);
    document.addEventListener("keydown", (event) => this.#onKey(event));
    document.addEventListener("pointerdown", () => setByKeys(false), { capture: true });
    addEventListener("popstate", () => this.#onBack());
    addEventListener("hashchange", () => this.mayChoose && openPosition(this, location.hash));
    document.getElementById("brand").addEventListener("click", (event) => {
      event.preventDefault();
      this.leave();
    });
  }

  /** Speaks a text through the screen reader, which reads only changes: a repeated text gets an extra space. */
  say(text) {
    this.live.textContent = this.live.textContent === text ? `${text}\u00a0` : text;
  }

  /** Shows a message, which is also spoken. */
  tell = toast;

  /** Sends a request to the server, and tells an error. @returns {Promise<any>} `undefined` if it failed */
  ask(ask, fields) {
    return this.socket.ask(ask, fields).catch((error) => this.tell(error.message));
  }

  /** Sends a command to the table, and tells an error as `ask` does. @returns {Promise<boolean>} `true` if it succeeded */
  async command(command, fields) {
    return (await this.ask("table", { command: { command, ...fields } })) !== undefined;
  }

  /** Returns the server's description of a game. */
  game(name) {
    return this.hello?.games.find((game) => game.name === name) ?? null;
  }

  /** Opens a new game and shows it, unless one is being opened already: by the first click of a double click. */
  async open(fields, ask = "open") {
    if (this.isOpening) return false;
    this.isOpening = true;
    const done = await this.ask(ask, fields);
    this.isOpening = false;
    if (done) this.enter(done.table);
    return Boolean(done);
  }

  /** Shows a table to which the server has already attached this page. */
  enter(table) {
    this.#keep(table);
    this.#show(new GameView(this));
  }

  /** Attaches this page to a table and shows it, or the reason why the table does not admit it. */
  async attach(table) {
    this.tableId = table;
    this.#show(new GameView(this));
    try {
      await this.socket.ask("attach", { table, name: playerName() });
      this.#keep(table);
    } catch ({ message, isLost }) {
      // The next connection attaches the page again.
      if (!isLost) this.#showRefused(message);
    }
  }

  /** Shows why there is no game here. Its address stays, so that a reload tries again, as the host's button does. */
  #showRefused(why) {
    this.view?.close();
    this.view = null;
    const again = button("Try again", () => this.attach(this.tableId), { class: "primary", id: "try-again" });
    const other = button("Choose a game", () => this.leave(), { id: "to-lobby" });
    const choice = this.mayChoose && el("div.buttons", again, other);
    this.main.replaceChildren(el("div.box#refused", { role: "alert" }, el("p", why), choice));
  }

  /** Gives the shown table an address, for reloads and for the browser's Back. */
  #keep(table) {
    this.tableId = table;
    if (this.mayChoose && addressed(TABLE) !== table) history.pushState(null, "", TABLE + table);
  }

  /** Shows the view to which the browser went back or forward. */
  #onBack() {
    if (!this.mayChoose || location.hash.startsWith(POSITION)) return;
    closeDialogs();
    const [table, puzzle, match] = [addressed(TABLE), addressed(PUZZLE), matchOf(addressed(MATCH))];
    if (match !== null && match !== this.matchId) this.#openMatch(match);
    else if (match === null && (table !== this.tableId || this.matchId !== null)) {
      if (table === null) this.#showLobby();
      else this.attach(table);
    }
    this.#openPuzzle(puzzle);
  }

  /** Shows the report of a match in a ledger of this folder. */
  async showMatch(id, path) {
    const found = await this.ask("match", { path });
    if (!found) return;
    if (this.tableId !== null) this.socket.ask("leave").catch(() => {});
    this.tableId = null;
    if (matchOf(addressed(MATCH)) !== id) history.pushState(null, "", MATCH + id);
    const view = new Watching(this, path);
    this.#show(view);
    this.matchId = id;
    view.showFinished(found);
  }

  /** Opens the match of an address. */
  async #openMatch(id) {
    const found = await this.ask("games");
    const match = found?.matches.find((other) => other.id === id);
    if (match) this.showMatch(id, match.path);
    else if (found) this.tell("That match is not in the folder of this program.");
  }

  /** Opens the puzzle of an address. @param {string|null} puzzle `GAME/NUMBER` */
  #openPuzzle(puzzle) {
    const [name, at] = (puzzle ?? "").split("/");
    const number = Number(at);
    const game = this.game(name);
    if (game && Number.isInteger(number) && number >= 1 && number <= game.puzzles) showPuzzle(this, game, number - 1);
    else if (puzzle !== null) this.tell("There is no such puzzle.");
  }

  /** `true` if this user chooses the games: a guest's link is for one table, and a match is only watched. */
  get mayChoose() {
    return this.hello?.rights === "host" && !this.hello.match;
  }

  /** Returns to the lobby, if this user has one. */
  leave() {
    if (!this.mayChoose) return;
    if (addressed(TABLE) !== null || this.matchId !== null) history.pushState(null, "", lobbyAddress());
    this.#showLobby();
  }

  #showLobby() {
    if (this.tableId !== null) this.socket.ask("leave").catch(() => {});
    if (addressed(TABLE) !== null) history.replaceState(null, "", lobbyAddress());
    this.tableId = null;
    this.#show(new LobbyView(this));
  }

  /** Shows a view in place of another one. */
  #show(view) {
    this.matchId = null;
    this.view?.close();
    this.view = view;
    this.main.replaceChildren(view.element);
    // A page that was scrolled keeps that when the next one is drawn in the same frame.
    scrollTo(0, 0);
    this.setTitle(view.title ?? "");
  }

  /** Sets the title of the page; that of its window also says whether it is this user's turn. */
  setTitle(title, isMyTurn = false) {
    document.title = `${isMyTurn ? "● Your turn · " : ""}${title ? `${title} · Linesman` : "Linesman"}`;
    document.getElementById("title").textContent = title ?? "";
  }

  onEvent(event) {
    if (event.event === "hello") this.#onHello(event);
    else if (event.event === "error") this.tell(event.text);
    else this.view?.onEvent?.(event);
  }

  /** Handles the server's greeting: returns to this page's table, opens the game of the address, or shows the lobby. */
  #onHello(hello) {
    const isFirst = this.hello === null;
    this.hello = hello;
    document.getElementById("new-game").hidden = !this.mayChoose;
    if (hello.rights === "host") localStorage.setItem(TOKEN, token());
    // A guest's link is for one table.
    const seated = hello.rights === "host" ? (this.tableId ?? addressed(TABLE)) : hello.tables[0]?.table;
    // A page that lost its place to another one comes back only by its button.
    if (this.view?.mayReturn) return;
    if (hello.match) this.#show(new Watching(this));
    else if (seated) this.attach(seated);
    else if (isFirst && hello.start) this.open({}, "open-start");
    else if (!this.mayChoose) this.#showRefused("The table is closed.");
    else if (isFirst) {
      this.#showLobby();
      openPosition(this, location.hash);
      const [match, puzzle] = [matchOf(addressed(MATCH)), addressed(PUZZLE)];
      if (match !== null) this.#openMatch(match);
      if (puzzle) history.replaceState(null, "", lobbyAddress());
      this.#openPuzzle(puzzle);
    }
  }

  /** Continues the game of a ledger. @returns {Promise<boolean>} */
  async resume(path) {
    const done = await this.ask("open-file", { path });
    if (done) this.enter(done.table);
    return Boolean(done);
  }

  /** Shows that there is no connection, and the reason that the server gives; `null` if there is one. */
  onLost(why) {
    const lost = document.getElementById("lost");
    const usual = this.hello
      ? "The connection to Linesman is lost. The game is kept; reconnecting …"
      : "There is no connection to Linesman: open the whole address that the program printed.";
    lost.hidden = why === null;
    lost.textContent = why === null ? "" : why || usual;
  }

  #onKey(event) {
    const hasModifier = event.ctrlKey || event.altKey || event.metaKey;
    if (hasModifier || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const isUsed = event.key === "?" ? this.#help() : this.view?.onKey?.(event);
    if (isUsed) event.preventDefault();
  }

  #help() {
    openDialog("Keys", keyList, { id: "keys", isText: true });
    return true;
  }

  #tools() {
    const game = () => this.view?.table?.game?.name;
    const tools = [
      button("New game", () => newGame(this, game()), { id: "new-game", class: "quiet", hidden: true }),
      button("How to play", () => showGuide(this, game()), { id: "guide-button", class: "quiet" }),
      iconButton("help", "Keys", () => this.#help(), { id: "keys-button" }),
      iconButton("gear", "Settings", showSettings, { id: "settings-button" }),
      iconButton("theme", "Light or dark", toggleTheme, { id: "theme-button" }),
    ];
    document.getElementById("tools").append(...tools);
  }
}

function address() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/ws?token=${encodeURIComponent(token())}&packed=1`;
}

/** Returns the rest of the path of this page after a beginning; `null` if it has another one. */
function addressed(start) {
  return location.pathname.startsWith(start) ? location.pathname.slice(start.length) : null;
}

/** Returns the match of a path `ID` or `ID/GAME`. */
function matchOf(path) {
  return path === null ? null : path.split("/")[0];
}

function lobbyAddress() {
  return `/?token=${encodeURIComponent(token())}`;
}

/** Returns the token in the address; without one, that of the host's last page in this browser. */
function token() {
  return new URLSearchParams(location.search).get("token") ?? localStorage.getItem(TOKEN) ?? "";
}

function isTyping(target) {
  return target instanceof Element && target.closest("input:not([type=range]), textarea, select") !== null;
}

/** Delays between attempts to connect, in milliseconds; the last one repeats. */
const WAITS = [200, 500, 1000, 2000, 4000];

/** The connection to the server: requests with answers, and events. It reconnects automatically. */
class Socket {
  /** @param {App} app receives the events and the state of the connection */
  constructor(app) {
    this.app = app;
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
    this.socket = new WebSocket(address());
    this.socket.binaryType = "arraybuffer";
    /** The last diagram, which the next one changes. */
    this.diagram = null;
    // Messages are handled in their order, though long ones are unpacked first.
    let queue = Promise.resolve();
    this.socket.addEventListener("open", () => {
      this.failures = 0;
      this.app.onLost(null);
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
      this.app.onEvent(message);
      return;
    }
    const question = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.refused !== undefined) question?.reject(new Error(message.refused));
    else question?.resolve(message.done);
  }

  #lose() {
    const lost = Object.assign(new Error("the connection to Linesman was lost"), { isLost: true });
    for (const { reject } of this.waiting.values()) reject(lost);
    this.waiting.clear();
    if (!this.isClosed) this.#wait("");
  }

  /** Shows why there is no connection, and tries again after some time. */
  #wait(why) {
    this.app.onLost(why);
    const wait = WAITS[Math.min(this.failures, WAITS.length - 1)];
    this.failures += 1;
    setTimeout(() => this.#retry(), wait);
  }

  /** Connects, unless the server does not admit this page, for which a WebSocket gives no reason. */
  async #retry() {
    const answer = await fetch(lobbyAddress()).catch(() => null);
    if (!answer || answer.ok) {
      this.#connect();
      return;
    }
    const why = await answer.text().catch(() => "");
    this.isClosed = answer.status === 403;
    if (this.isClosed) this.app.onLost(why);
    else this.#wait(why);
  }
}

/** Returns the text of a compressed message. */
function unpacked(data) {
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

if (typeof document !== "undefined") globalThis.linesman = new App();
