/** A running match: its boards, standing and report, and replays of finished games. */

import { aboutOf } from "./guide.js";
import { closeDialogs, toast } from "./dialogs.js";
import { el } from "./dom.js";
import { RunningBoards } from "./running.js";
import { openReplay } from "./replay.js";

/**
 * Shows a match.
 * @param {HTMLElement} root element that receives the view
 * @param {import("./socket.js").Socket} socket
 * @param {{games: object[]}} hello the server's first event
 * @returns {{onEvent: (event: object) => void, close: () => void}}
 */
export function startWatching(root, socket, hello, ledger = undefined) {
  const style = { rel: "stylesheet", href: "/page/report.css", id: "report-style" };
  if (!document.getElementById(style.id)) document.head.append(el("link", style));
  const view = new Watching(socket, hello, ledger);
  root.replaceChildren(view.element);
  return {
    onEvent: (event) => view.onEvent(event),
    close: () => view.close(),
  };
}

/**
 * Shows the report of a match in a ledger, with replays.
 * @param {string} ledger its path
 * @param {{plan: object, games: number, html: string}} found from the server
 * @returns as `startWatching`
 */
export function showFinished(root, socket, hello, ledger, found) {
  const view = startWatching(root, socket, hello, ledger);
  const standing = { games: found.games, total: found.games };
  view.onEvent({ event: "match-snapshot", plan: found.plan, running: [], standing });
  view.onEvent({ event: "report", html: found.html });
  return view;
}

class Watching {
  /** @param {string} [ledger] path of the ledger of a match that is not running */
  constructor(socket, hello, ledger) {
    this.socket = socket;
    this.ledger = ledger;
    this.hello = hello;
    this.plan = null;
    this.title = el("h1", {}, "A match");
    this.progress = el("progress", { max: "1", value: "0", "aria-label": "Games played" });
    this.count = el("span", { class: "soft" });
    this.state = el("p", { class: "soft", role: "status" });
    this.boards = new RunningBoards(socket);
    this.report = el("div", { id: "match-report" });
    this.isPressed = false;
    this.heldReport = null;
    this.closed = new AbortController();
    addEventListener("popstate", () => this.#onBack(), { signal: this.closed.signal });
    this.#holdWhilePressed();
    this.element = el(
      "div",
      { class: "watching", id: "match" },
      el("header", {}, this.title, el("p", { class: "progress" }, this.progress, this.count), this.state),
      this.boards.element,
      this.report,
    );
  }

  onEvent(event) {
    switch (event.event) {
      case "match-started":
        this.#begin(event.plan, [], event.standing);
        break;
      case "match-snapshot":
        this.#begin(event.plan, event.running, event.standing);
        break;
      case "game-started":
        this.boards.start({ ...event, moves: [] });
        break;
      case "move-played":
        this.boards.play(event);
        break;
      case "game-over":
        this.boards.end(event.game);
        break;
      case "standing":
        this.#stand(event.standing);
        break;
      case "report":
        this.#show(event.html);
        break;
      case "match-over":
        this.#end(event.text);
        break;
      default:
    }
  }

  close() {
    this.closed.abort();
    this.boards.close();
  }

  #begin(plan, running, standing) {
    const isFirst = this.plan === null;
    this.plan = plan;
    this.path = `/match/${plan.id}`;
    const names = plan.engines.map(({ name }) => name ?? "?");
    const who = names.length === 2 ? names.join(" vs ") : `${names.length} engines`;
    const known = this.hello.games.find(({ name }) => name === plan.game.name);
    this.title.textContent = `${known ? aboutOf(known).title : plan.game.name}: ${who}`;
    document.title = `${this.title.textContent} · Linesman`;
    this.boards.begin(plan, running);
    this.#stand(standing);
    if (!isFirst) return;
    const game = this.#addressed;
    // A replay of this page is still in its history after a reload, behind the match.
    if (!history.state?.isReplay) history.replaceState(null, "", this.path);
    if (game) this.#replay(game);
  }

  /** The number of the game in the address of this page; 0 without one. */
  get #addressed() {
    return location.pathname.startsWith(`${this.path}/`) ? Number(location.pathname.slice(this.path.length + 1)) : 0;
  }

  /** Shows the game to which the browser went back or forward, or none. */
  #onBack() {
    closeDialogs();
    if (this.#addressed && !this.isOver) this.#replay(this.#addressed);
  }

  #stand({ games, total }) {
    this.progress.max = Math.max(total, 1);
    this.progress.value = games;
    this.progress.hidden = this.ledger !== undefined;
    this.count.textContent =
      this.ledger === undefined
        ? `${games} of ${total} games`
        : `${games} game${games === 1 ? "" : "s"} in ${this.ledger}`;
  }

  /** Freezes the page when the program ends with its match: it keeps what is shown and sends no more requests. */
  #end(text) {
    this.isOver = true;
    this.#release();
    this.socket.end();
    this.boards.clear();
    this.state.textContent = text;
    // The state may be out of view.
    toast(text);
    document.getElementById("guide-button").hidden = true;
    for (const row of this.report.querySelectorAll("tr[data-game]")) this.#dropReplay(row);
  }

  /** Delays new reports during a press, because press and release only make a click on the same element. */
  #holdWhilePressed() {
    const { signal } = this.closed;
    this.report.addEventListener("pointerdown", () => (this.isPressed = true));
    for (const end of ["pointerup", "pointercancel"]) {
      // The click event follows the release.
      document.addEventListener(end, () => setTimeout(() => this.#release()), { signal });
    }
  }

  #release() {
    const held = this.heldReport;
    this.isPressed = false;
    this.heldReport = null;
    if (held !== null) this.#show(held);
  }

  /** Replaces the report, and restores open details, scrolling and focus. */
  #show(html) {
    if (this.isPressed) {
      this.heldReport = html;
      return;
    }
    const old = this.report;
    const open = new Set([...old.querySelectorAll("details[open]")].map(({ id }) => id));
    const scrolled = old.querySelector(".games")?.scrollTop ?? 0;
    const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute("data-replay") : null;
    const parsed = new DOMParser().parseFromString(html, "text/html");
    old.replaceChildren(...parsed.body.children);
    // The page already shows the title and the number of games.
    for (const part of old.querySelectorAll("header h1, header .muted")) part.remove();
    for (const details of old.querySelectorAll("details")) details.open = open.has(details.id);
    for (const row of old.querySelectorAll("tr[data-game]")) this.#addReplay(row);
    const games = old.querySelector(".games");
    if (games) games.scrollTop = scrolled;
    if (focused !== null) old.querySelector(`button[data-replay="${Number(focused)}"]`)?.focus();
  }

  /** Makes the number of a finished game a button for its replay, and its whole row clickable. */
  #addReplay(row) {
    const game = Number(row.dataset.game);
    const number = row.querySelector("th");
    const replay = () => this.isOver || this.#replay(game);
    const button = el(
      "button",
      { type: "button", class: "link", "data-replay": String(game), "aria-label": `Replay game ${game}` },
      String(game),
    );
    number.replaceChildren(button);
    row.addEventListener("click", replay);
  }

  #dropReplay(row) {
    row.querySelector("th").textContent = row.dataset.game;
    row.classList.add("still");
  }

  async #replay(game) {
    try {
      const record = await this.socket.ask("replay", { game, path: this.ledger ?? null });
      const dialog = openReplay(this.socket, this.plan.game, record);
      if (this.#addressed !== game) history.pushState({ isReplay: true }, "", `${this.path}/${game}`);
      dialog.addEventListener("close", () => this.#addressed === game && history.back());
    } catch (error) {
      this.state.textContent = error.message;
    }
  }
}
