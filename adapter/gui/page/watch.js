/** A running match: its boards, standing and report, and replays of finished games. */

import { aboutOf } from "./guide.js";
import { closeDialogs, toast } from "./dialogs.js";
import { counted, el } from "./dom.js";
import { RunningBoards, openReplay } from "./running.js";
import { plainName } from "./seats.js";

/** The view of a match. */
export class Watching {
  /** @param app @param {string} [ledger] path of the ledger of a match that is not running */
  constructor(app, ledger) {
    const { socket, hello } = app;
    const style = { rel: "stylesheet", href: "/page/report.css", id: "report-style" };
    if (!document.getElementById(style.id)) document.head.append(el("link", style));
    this.socket = socket;
    this.ledger = ledger;
    this.hello = hello;
    this.plan = null;
    this.heading = el("h1", "A match");
    this.progress = el("progress", { max: "1", value: "0", "aria-label": "Games played" });
    this.count = el("span.soft");
    this.state = el("p.soft", { role: "status" });
    this.boards = new RunningBoards(socket);
    this.report = el("div#match-report");
    this.isPressed = false;
    this.heldReport = null;
    this.closed = new AbortController();
    addEventListener("popstate", () => this.#onBack(), { signal: this.closed.signal });
    this.#holdWhilePressed();
    this.element = el(
      "div.watching#match",
      el("header", this.heading, el("p.progress", this.progress, this.count), this.state),
      this.boards.element,
      this.report,
    );
  }

  /** Shows the report of the match in a ledger, with replays. @param {{plan: object, games: number, html: string}} found */
  showFinished({ plan, games, html }) {
    this.#begin(plan, [], { games, total: games });
    this.#show(html);
  }

  onKey() {
    return false;
  }

  onEvent(event) {
    const { boards } = this;
    const handlers = {
      "match-started": ({ plan, standing }) => this.#begin(plan, [], standing),
      "match-snapshot": ({ plan, running, standing }) => this.#begin(plan, running, standing),
      "game-started": (game) => boards.start({ ...game, moves: [] }),
      "move-played": (move) => boards.play(move),
      "game-over": (record) => boards.end(record),
      standing: ({ standing }) => this.#stand(standing),
      report: ({ html }) => this.#show(html),
      "match-over": ({ text }) => this.#end(text),
    };
    handlers[event.event]?.(event);
  }

  close() {
    this.closed.abort();
    this.boards.close();
  }

  #begin(plan, running, standing) {
    const isFirst = this.plan === null;
    this.plan = plan;
    this.path = `/match/${plan.id}`;
    const names = plan.engines.map(({ name }) => plainName(name ?? "?"));
    const who = names.length === 2 ? names.join(" vs ") : `${names.length} engines`;
    const known = this.hello.games.find(({ name }) => name === plan.game.name);
    this.heading.textContent = `${known ? aboutOf(known).title : plan.game.name}: ${who}`;
    document.title = `${this.heading.textContent} · Linesman`;
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
    const finished = `${counted(games, "game")} in ${this.ledger}`;
    this.count.textContent = this.ledger === undefined ? `${games} of ${total} games` : finished;
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
    const parsed = new DOMParser().parseFromString(plainName(html), "text/html");
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
    const which = { "data-replay": game, "aria-label": `Replay game ${game}` };
    number.replaceChildren(el("button.link", { type: "button", ...which }, String(game)));
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
