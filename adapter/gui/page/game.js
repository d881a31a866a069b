/** The view of a table: connects its events, the board and the elements around it. */

import { aboutOf } from "./about.js";
import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Ticker, inWords, left } from "./clocks.js";
import { confirm } from "./dialogs.js";
import { el } from "./dom.js";
import { stateOf } from "./game-state.js";
import { Bar, Graph } from "./graph.js";
import { Look } from "./look.js";
import { MoveList } from "./moves.js";
import { Panel } from "./panel.js";
import { proposalWords } from "./proposals.js";
import { showRecords } from "./records.js";
import { RuleOut } from "./rule-out.js";
import { scoreOf, format } from "./scores.js";
import { showSeat } from "./seat-dialog.js";
import { Strip, sideName } from "./strips.js";
import { SIDES, Table } from "./table.js";
import { Talk } from "./talk.js";

export class GameView {
  constructor(app) {
    this.app = app;
    this.title = "";
    this.table = new Table();
    this.look = new Look(app);
    this.view = null;
    this.hint = null;
    this.ruleOut = new RuleOut(this);
    this.#build();
    this.ticker = new Ticker(() => this.#tick());
  }

  close() {
    this.ticker.stop();
  }

  onEvent(event) {
    if (event.event === "view") this.#onView(event);
    if (event.event === "closed") this.#onClosed(event);
    if (event.event === "analysis") this.#onHint(event);
    const isAnalysis = this.analysis.onEvent(event);
    const isTold = this.table.apply(event);
    if (isTold) this.#onTold(event);
    if ((isTold || isAnalysis) && this.table.isReady) this.#scheduleShow();
  }

  onKey(event) {
    const act = KEYS[event.key];
    if (!act || !this.view) return false;
    act(this);
    return true;
  }

  // Actions of the buttons.

  /** Makes a move at the shown position. A move from an earlier position starts a branch. */
  async play(code) {
    if (this.view.line?.length) return;
    const { tree } = this.table;
    const { node } = this.view;
    this.ruleOut.end();
    const known = tree.child(node, code);
    if (node !== tree.here && known !== null) {
      this.go(known);
      return;
    }
    if (node !== tree.here && !(await this.#goTo(node))) return;
    const isPlayed = await this.app.command("play", { code, from: node });
    if (isPlayed && this.look.node !== null) this.look.set({ node: null });
    if (!isPlayed) this.board.cancel();
  }

  /** Parses a typed move and plays it. @returns {Promise<string|null>} the reason if it was rejected */
  async typed(text) {
    try {
      const { code } = await this.app.socket.ask("read", { code: text });
      await this.play(code);
      return null;
    } catch (error) {
      return error.message;
    }
  }

  /** Shows a node. */
  go(node) {
    if (node === null) return;
    this.look.set({ node: node === this.table.tree.here ? null : node });
  }

  back() {
    if (this.look.line.length > 0) this.look.set({ node: this.look.node, line: this.look.line.slice(0, -1) });
    else this.go(this.table.tree.parent(this.view.node));
  }

  forward() {
    this.go(this.table.tree.following(this.view.node));
  }

  first() {
    this.go(0);
  }

  last() {
    this.go(this.table.tree.line(this.view.node).at(-1) ?? 0);
  }

  /** Previews moves from the shown node, without playing them. */
  preview(line) {
    this.look.set({ node: this.view.node, line });
  }

  /** Adds the previewed moves to the tree and shows their end. The position of the game is unchanged. */
  async keepLine() {
    const { line } = this.look;
    const from = this.view.node;
    if (!(await this.app.command("add-line", { from, codes: line }))) return;
    this.go(line.reduce((at, code) => this.table.tree.child(at, code), from));
  }

  async askHint() {
    const asked = this.app.command("hint");
    this.hintId = this.app.socket.last;
    this.app.say("the engine looks for a move");
    await asked;
  }

  async resign() {
    if (await confirm("Resign?", "The other side wins.", "Resign")) this.app.command("resign");
  }

  /** Opens the analysis and starts a review. */
  startReview() {
    this.analysisBox.open = true;
    this.analysis.startReview();
  }

  flip() {
    this.turned = outlines(this.view);
    this.look.set({ flipped: !this.look.fields.flipped });
  }

  rotate() {
    this.turned = outlines(this.view);
    this.look.set({ turns: (this.look.fields.turns + 1) % 12 });
  }

  // Events.

  #onView(view) {
    const isNew = view.node !== this.view?.node || (view.line ?? []).join(" ") !== (this.view?.line ?? []).join(" ");
    this.view = view;
    this.#checkTurned();
    if (isNew) {
      this.hint = null;
      this.ruleOut.end();
    }
    if (this.table.isReady) this.#show();
  }

  /** Disables turning if the last turn changed nothing on the board. */
  #checkTurned() {
    if (this.turned === undefined) return;
    const isTurned = this.turned !== outlines(this.view);
    this.turned = undefined;
    if (isTurned) return;
    this.isFixed = true;
    this.look.fields = { ...this.look.fields, flipped: false, turns: 0 };
    this.app.tell("This board cannot be turned.");
  }

  #onTold(event) {
    const { table } = this;
    const told = SPOKEN[event.event]?.(event, this);
    if (told) this.app.say(told);
    if (event.event === "snapshot") this.#onSnapshot();
    if (event.event === "fault") this.app.tell(`${event.engine} ${event.text}`);
    if (event.event === "said" && event.client !== table.client) this.talk.element.open = true;
    if (["snapshot", "move-played", "went-to", "line-added"].includes(event.event)) this.movesChanged = true;
    if (event.event === "move-played" && this.look.node === event.node) this.look.set({ node: null });
  }

  #onSnapshot() {
    const { table, app } = this;
    this.title = aboutOf(app.game(table.game.name) ?? { name: table.game.name }).title;
    app.setTitle(this.title);
    if (this.wasSeated) return;
    this.wasSeated = true;
    this.look.fields.flipped = table.mySides.length === 1 && table.mySides[0] === "p2";
    this.look.ask();
  }

  /** Returns the host to the lobby; a guest keeps the last position on the screen. */
  #onClosed({ why, is_error: isError }) {
    this.closed = isError ? `The game has ended: ${why}` : `The table is closed: ${why}`;
    this.app.tell(this.closed);
    this.app.leave();
    this.#show();
  }

  #onHint({ request, what, move, score, line }) {
    if (what !== "hint" || request !== this.hintId || !move) return;
    this.hint = { node: this.table.tree.here, code: move, score, line };
    const text = `Hint: ${move}${score ? `, ${format(score)}` : ""}`;
    this.app.tell(text);
    if (this.view?.node === this.hint.node) this.#show();
    else this.look.set({ node: null });
  }

  /** Draws the page once per frame, because events come in bursts. */
  #scheduleShow() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#show();
    });
  }

  // Display.

  #build() {
    const act = (name) => () => this[name]();
    this.board = new Board({
      onMove: (code) => this.ruleOut.isOn ? this.ruleOut.toggle(code) : this.play(code),
      onRoll: (id) => this.look.set({ centre: id }),
      onAside: (id) => this.ruleOut.aside(id),
      onEnter: () => this.ruleOut.enter(),
      onHalf: () => this.#sayHalf(),
    });
    this.strips = SIDES.map(() => new Strip((side) => showSeat(this.app, this.table, side, sideName(this.view, side))));
    this.moveList = new MoveList((node) => this.go(node));
    this.graph = new Graph((ply) => this.go(ply === 0 ? 0 : this.table.tree.line(this.view.node)[ply - 1] ?? null));
    this.bar = new Bar();
    this.talk = new Talk((text) => this.app.command("say", { text }));
    this.analysis = new Analysis({
      command: (command, fields) => this.app.command(command, fields),
      onLine: (line) => this.preview(line),
      onGo: (node) => this.go(node),
      onInstead: ({ node, best, line }) => this.look.set({ node: this.table.tree.parent(node), line: (line ?? [best]).slice(0, 1) }),
      onToggle: () => this.#scheduleShow(),
      onSigns: () => {
        this.signsChanged = true;
      },
    });
    this.analysisBox = el("details", { class: "box", id: "analysis-box" }, el("summary", {}, "Analysis"), this.graph.element, this.analysis.element);
    this.panel = new Panel(
      {
        play: (code) => this.play(code),
        typed: (text) => this.typed(text),
        first: act("first"), back: act("back"), forward: act("forward"), last: act("last"),
        undo: () => this.app.command("undo"),
        hint: act("askHint"),
        draw: () => this.app.command("offer-draw"),
        resign: act("resign"),
        flip: act("flip"),
        rotate: act("rotate"),
        records: () => showRecords(this.app, () => this.#link()),
      },
      this.moveList.element,
      this.analysisBox,
      this.talk.element,
    );
    this.top = el("div", { class: "strip-place" });
    this.bottom = el("div", { class: "strip-place" });
    this.element = el(
      "div",
      { class: "game" },
      el("div", { class: "board-column" }, this.top, el("div", { class: "board-row" }, this.bar.element, this.board.element), this.bottom),
      this.panel.element,
    );
  }

  #show() {
    const { table, view, analysis } = this;
    if (!view || !table.isReady) return;
    const isLine = (view.line ?? []).length > 0;
    const node = view.node;
    analysis.look(node, !view.result && !isLine);
    this.#showBoard(isLine);
    this.#showMoves(node);
    this.#showScores(node, isLine);
    const [low, high] = this.look.fields.flipped ? ["p2", "p1"] : ["p1", "p2"];
    this.#showStrips(low, high);
    this.talk.show(table);
    this.panel.show(stateOf(this));
    this.analysisBox.hidden = table.role === "spectator" && analysis.results.size === 0;
  }

  #showBoard(isLine) {
    const { view, board } = this;
    const isUsable = !isLine && this.isUsable;
    const key = `${view.node} ${isUsable}`;
    if (board.shown !== view || this.boardKey !== key) board.show(this.#withLast(view), isUsable);
    if (!board.shown && document.activeElement === document.body) board.focus(board.current);
    board.shown = view;
    this.boardKey = key;
    const hint = this.hint && this.hint.node === view.node ? [{ code: this.hint.code, rank: 0 }] : [];
    const marks = isLine ? [] : this.analysis.marks;
    board.setMarks(marks.length > 0 ? marks : hint);
  }

  /** Adds the last move to the view if the server is older and does not send it. */
  #withLast(view) {
    return { ...view, last: view.last ?? this.table.tree.nodes[view.node]?.code ?? null };
  }

  /** `true` if a move can be entered at the shown position. */
  get isUsable() {
    const { table, view } = this;
    if (this.closed) return false;
    if (view.result && view.node === table.tree.here && view.diagram.gestures.length === 0) return false;
    const isHere = view.node === table.tree.here;
    if (!isHere) return table.maySteer(view.side);
    if (table.turnKind === "person") return table.isMyTurn;
    return table.isHost && ["held", "waiting"].includes(table.turnKind);
  }

  #showMoves(node) {
    const { moveList, table } = this;
    if (this.signsChanged) {
      moveList.setSigns(this.analysis.signs);
      this.movesChanged = true;
    }
    if (this.movesChanged) moveList.show(table.tree, this.view.ply - (this.view.line?.length ?? 0) - table.tree.depth(node));
    this.movesChanged = false;
    this.signsChanged = false;
    moveList.mark(node);
  }

  #showScores(node, isLine) {
    const { tree } = this.table;
    const { results, signs } = this.analysis;
    const isStudied = this.analysis.isOn || this.analysis.reviewed.size > 0;
    this.bar.show(isStudied && !isLine ? scoreOf(tree, results, node) : null, this.look.fields.flipped);
    const line = tree.line(node);
    const scores = [0, ...line].map((at) => scoreOf(tree, results, at));
    const marked = new Set(line.flatMap((at, i) => (signs.get(at)?.sign === "??" ? [i + 1] : [])));
    this.graph.show(scores, tree.depth(node), marked);
  }

  #showStrips(low, high) {
    const game = this.app.game(this.table.game.name);
    for (const [place, side] of [[this.top, high], [this.bottom, low]]) {
      const strip = this.strips[SIDES.indexOf(side)];
      strip.show(this.table, game, side, this.view);
      if (strip.element.parentNode !== place) place.replaceChildren(strip.element);
    }
  }

  #tick() {
    if (!this.table.isReady || !this.view) return;
    for (const strip of this.strips) if (strip.side) strip.tick(this.table);
  }

  // Speech.

  sayLast() {
    const { tree } = this.table;
    const ply = tree.nodes[this.view.node];
    this.app.say(ply ? `${sideName(this.view, ply.side)}: ${ply.code}` : "no move yet");
  }

  sayClocks() {
    const clocks = this.table.clocks.map((clock, i) => {
      const seconds = left(clock);
      return `${sideName(this.view, SIDES[i])} ${seconds === null ? "no clock" : inWords(seconds)}`;
    });
    this.app.say(clocks.join("; "));
  }

  sayMoves() {
    const { gestures, current } = this.board;
    const codes = gestures.codesAt(current);
    const count = gestures.gestures.length;
    this.app.say(codes.length > 0 ? codes.join(", ") : `no moves here; ${count} in all`);
  }

  saySpot() {
    this.app.say(this.board.spot(this.board.current)?.label ?? "nothing");
  }

  #sayHalf() {
    const { gestures } = this.board;
    if (gestures.isHalf) this.app.say(`from ${gestures.chosen.at(-1)}: ${[...gestures.next().keys()].join(", ")}`);
  }

  async #goTo(node) {
    const isDone = await this.app.command("go-to", { node });
    if (!isDone) return false;
    if (this.table.tree.here === node) return true;
    this.app.tell("Waiting for the other person's answer");
    return false;
  }

  /** Returns an address with the game, its options and the shown position, without the token of this page. */
  #link() {
    const fields = new URLSearchParams({ game: this.table.game.name, ...Object.fromEntries(this.table.game.options), position: this.view.fen });
    return `${location.origin}/page/index.html#${fields}`;
  }
}

/** Roles of shapes that no move changes. */
const FIXED = new Set(["board", "cell", "grid", "goal", "label"]);

/** Returns a key for the shapes of the board itself, to detect whether turning changes it. */
function outlines({ diagram }) {
  return JSON.stringify(diagram.shapes.filter(({ role, colour }) => FIXED.has(role) && (role === "goal" || !colour)));
}

const KEYS = {
  ArrowLeft: (view) => view.back(),
  ArrowRight: (view) => view.forward(),
  Home: (view) => view.first(),
  End: (view) => view.last(),
  "[": (view) => view.back(),
  "]": (view) => view.forward(),
  "{": (view) => view.first(),
  "}": (view) => view.last(),
  ",": (view) => view.sayLast(),
  ";": (view) => view.sayClocks(),
  ".": (view) => view.sayMoves(),
  "'": (view) => view.saySpot(),
  "/": (view) => view.panel.type(),
  b: (view) => view.board.focus(view.board.current),
};

/** Spoken texts of events. */
const SPOKEN = {
  "move-played": ({ move, side }, { view }) => `${view ? sideName(view, side) : side}: ${move}`,
  "game-over": ({ result, reason }) => `The game is over: ${result}, ${reason}`,
  proposed: ({ name, what, client }, { table }) => (client === table.client ? null : `${name} proposes ${proposalWords(what)}`),
  "proposal-ended": ({ end }) => `The proposal was ${end}`,
  said: ({ name, text }) => `${name} says: ${text}`,
};
