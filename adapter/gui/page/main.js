/** Starts the page: the connection, the views, and their shared functions. */

import { button, iconButton } from "./dom.js";
import { openDialog, toast } from "./dialogs.js";
import { GameView } from "./game.js";
import { showGuide } from "./guide.js";
import { KEYS, keyList } from "./keys.js";
import { LobbyView } from "./lobby.js";
import { newGame, openPosition } from "./new-game.js";
import { Socket } from "./socket.js";
import { Speech } from "./speech.js";

/**
 * Views by name. A view is created with the app and has an `element`, `title`, `onEvent(event)`, `onKey(event)`, which
 * returns `true` if it handled the key, and `close()`. The view of a match is loaded on demand.
 */
const VIEWS = { lobby: LobbyView, game: GameView };

/** Storage key of the current table, for reloads. */
const KEPT = "linesman-table";

/** Storage key of the host's token, for links to positions. */
const TOKEN = "linesman-token";

export class App {
  constructor() {
    this.speech = new Speech(document.getElementById("live"));
    this.main = document.getElementById("main");
    this.hello = null;
    this.view = null;
    this.#tools();
    this.socket = new Socket(address(), {
      onEvent: (event) => this.#onEvent(event),
      onState: (state) => this.#onState(state),
    });
    document.addEventListener("keydown", (event) => this.#onKey(event));
    document.getElementById("brand").addEventListener("click", (event) => {
      event.preventDefault();
      this.leave();
    });
  }

  /** Speaks a text through the screen reader. */
  say(text) {
    this.speech.say(text);
  }

  /** Shows a message, which is also spoken. */
  tell(text) {
    toast(text);
  }

  /**
   * Sends a request to the server and shows an error message if it fails. @returns {Promise<any>} `undefined` if it
   * failed
   */
  ask(ask, fields) {
    return this.socket.ask(ask, fields).catch((error) => this.tell(error.message));
  }

  /**
   * Sends a command to the table and shows an error message if it fails. @returns {Promise<boolean>} `true` if it
   * succeeded
   */
  command(command, fields) {
    return this.socket.command(command, fields).then(
      () => true,
      (error) => {
        this.tell(error.message);
        return false;
      },
    );
  }

  /** Returns the server's description of a game. */
  game(name) {
    return this.hello?.games.find((game) => game.name === name) ?? null;
  }

  /** Opens a new game and shows it. */
  async open(fields) {
    const done = await this.ask("open", fields);
    if (done) this.enter(done.table);
    return Boolean(done);
  }

  /** Shows a table to which the server has already attached this page. */
  enter(table) {
    sessionStorage.setItem(KEPT, table);
    this.#show("game", table);
  }

  /** Attaches this page to a table and shows it. */
  async attach(table) {
    this.#show("game", table);
    const done = await this.ask("attach", { table, name: playerName() });
    if (done === undefined) this.leave();
    else sessionStorage.setItem(KEPT, table);
  }

  /** `true` if this user chooses the games: a guest's link is for one table, and a match is only watched. */
  get mayChoose() {
    return this.hello?.rights === "host" && !this.hello.match;
  }

  /** Returns to the lobby, if this user has one. */
  leave() {
    if (!this.mayChoose) return;
    if (sessionStorage.getItem(KEPT)) this.socket.ask("leave").catch(() => {});
    sessionStorage.removeItem(KEPT);
    this.#show("lobby");
  }

  #show(name, ...more) {
    this.view?.close();
    this.view = new VIEWS[name](this, ...more);
    this.main.replaceChildren(this.view.element);
    this.setTitle(this.view.title);
  }

  setTitle(title) {
    document.title = title ? `${title} · Linesman` : "Linesman";
    document.getElementById("title").textContent = title ?? "";
  }

  #onEvent(event) {
    if (event.event === "hello") this.#onHello(event);
    else if (event.event === "error") this.tell(event.text);
    else this.view?.onEvent(event);
  }

  /** Handles the server's greeting: returns to this page's table, or opens the game of the address, or shows the lobby. */
  #onHello(hello) {
    const isFirst = this.hello === null;
    this.hello = hello;
    document.getElementById("new-game").hidden = !this.mayChoose;
    if (hello.rights === "host") localStorage.setItem(TOKEN, token());
    const kept = sessionStorage.getItem(KEPT);
    // A guest's link is for one table.
    const seated = hello.rights === "host" ? kept : hello.tables[0]?.table;
    if (hello.match) this.#watch();
    else if (hello.tables.some(({ table }) => table === seated)) this.attach(seated);
    else if (isFirst && hello.start && !kept) this.open({ game: hello.start.game.name, options: Object.fromEntries(hello.start.game.options), seats: hello.start.seats });
    else if (!this.mayChoose) this.tell("The table is closed.");
    else if (isFirst || kept) {
      sessionStorage.removeItem(KEPT);
      this.#show("lobby");
      if (isFirst) openPosition(this, location.hash);
    }
  }

  /** Shows a running match. Events that arrive before its view is loaded are queued. */
  async #watch() {
    const early = [];
    this.view?.close();
    this.view = { onEvent: (event) => early.push(event), onKey: () => false, close() {} };
    const { startWatching } = await import("./watch.js");
    this.view = { onKey: () => false, close() {}, ...startWatching(this.main, this.socket, this.hello) };
    for (const event of early) this.view.onEvent(event);
  }

  #onState(state) {
    const lost = document.getElementById("lost");
    lost.hidden = state === "open";
    if (state === "open") lost.textContent = "";
    else if (this.hello) lost.textContent = "The connection to Linesman is lost. The game is kept; reconnecting …";
    else lost.textContent = "There is no connection to Linesman: open the whole address that the program printed.";
  }

  #onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const isUsed = event.key === "?" ? this.#help() : this.view?.onKey(event);
    if (isUsed) event.preventDefault();
  }

  #help() {
    openDialog("Keys", () => keyList(KEYS), { id: "keys", isText: true });
    return true;
  }

  #tools() {
    const tools = [
      button("New game", () => newGame(this, this.view?.table?.game?.name), { id: "new-game", class: "quiet", hidden: true }),
      button("How to play", () => showGuide(this, this.view?.table?.game?.name), { id: "guide-button", class: "quiet" }),
      iconButton("help", "Keys", () => this.#help(), { id: "keys-button" }),
      iconButton("theme", "Light or dark", () => document.dispatchEvent(new Event("linesman-theme")), { id: "theme-button" }),
    ];
    document.getElementById("tools").append(...tools);
  }
}

/** Returns this user's name, as shown to others. */
export function playerName() {
  return localStorage.getItem("linesman-name") ?? "";
}

function address() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/ws?token=${encodeURIComponent(token())}`;
}

/** Returns the token in the address; without one, that of the host's last page in this browser. */
function token() {
  return new URLSearchParams(location.search).get("token") ?? localStorage.getItem(TOKEN) ?? "";
}

function isTyping(target) {
  return target instanceof Element && target.closest("input:not([type=range]), textarea, select") !== null;
}

if (typeof document !== "undefined") globalThis.linesman = new App();

