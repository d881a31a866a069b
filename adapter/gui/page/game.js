/** The view of a table: connects its events, the board and the elements around it. */

import { aboutOf } from "./guide.js";
import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { confirm } from "./dialogs.js";
import { button, el, refill } from "./dom.js";
import { isMyTurn } from "./game-state.js";
import { Bar, Graph } from "./graph.js";
import { invite } from "./invite.js";
import { playLetter, setByKeys } from "./keyboard.js";
import { endLesson, isLessonDue, showLesson } from "./lesson.js";
import { Look } from "./look.js";
import { MoveList } from "./moves.js";
import { Panel, Talk } from "./panel.js";
import { Refusal } from "./refusal.js";
import { RuleOut } from "./rule-out.js";
import { hintWords, scoreOf } from "./scores.js";
import { levelNote } from "./seats.js";
import { askName, playSound, settings } from "./settings.js";
import { markNames, puck } from "./pieces.js";
import { Strip, inWords, leftOf, sideName, withSides } from "./strips.js";
import { SIDES, Table } from "./table.js";
import { showSeat } from "./new-game.js";

/**
 * Most time from a person's move until the engine's answer is shown where it costs time on a clock, in milliseconds.
 * Elsewhere the settings give the time, so that one's own move is seen.
 */
const MOST_ANSWER_CLOCK_MS = 250;
/** Duration of a vibration for an own move. */
const VIBRATION_MS = 8;
/** Time between two looks at the clocks. */
const TICK_MS = 100;

export class GameView {
  constructor(app) {
    this.app = app;
    this.title = "";
    this.table = new Table();
    this.look = new Look(app);
    this.view = null;
    this.hint = null;
    this.ruleOut = new RuleOut(this);
    /** The gestures of this user's last turn, which can be entered in advance of the next, and the code entered so. */
    this.lastGestures = [];
    this.premove = null;
    /** The move that was sent and is not shown by the server yet: `{node}`, the position before it. */
    this.pending = null;
    /** Events that wait until this page's own move was seen. */
    this.held = null;
    this.movedAt = -Infinity;
    this.#build();
    this.ticking = setInterval(() => this.#tick(), TICK_MS);
  }

  close() {
    clearInterval(this.ticking);
    clearTimeout(this.holding);
  }

  onEvent(event) {
    const wait = this.held ? 0 : this.#earliness(event);
    if (wait > 0) {
      this.held = [];
      this.holding = setTimeout(() => this.#release(), wait);
    }
    if (this.held) this.held.push(event);
    else this.#receive(event);
  }

  /** Returns the milliseconds for which an engine's answer comes too early. */
  #earliness({ event, by, side }) {
    const { table } = this;
    if (event !== "move-played" || by !== "engine" || table.mySides.length === 0) return 0;
    const hasClock = !table.mySides.includes(side) && table.mySides.some((mine) => leftOf(table, mine) !== null);
    const least = 1000 * settings().answer;
    return this.movedAt + (hasClock ? Math.min(least, MOST_ANSWER_CLOCK_MS) : least) - performance.now();
  }

  #release() {
    const { held } = this;
    this.held = null;
    for (const event of held) this.onEvent(event);
  }

  #receive(event) {
    if (event.event === "view") this.#onView(event);
    if (event.event === "closed" || event.event === "removed") this.#onClosed(event);
    if (event.event === "analysis") this.#onHint(event);
    const isAnalysis = this.analysis.onEvent(event);
    const isTold = this.table.apply(event);
    if (isTold) this.#onTold(event);
    if ((isTold || isAnalysis) && this.table.isReady) this.scheduleShow();
  }

  onKey(event) {
    if (event.key === "Tab") setByKeys(true);
    if (!this.view) return false;
    if (playLetter(this.board, event.key) || this.board.camera.onKey(event.key)) return true;
    const act = KEYS[SAME_KEYS[event.key] ?? event.key];
    act?.(this);
    return Boolean(act);
  }

  // Actions of the buttons.

  /** Makes an entered move, after a confirmation if the settings ask for one, or keeps it for the next turn. */
  enter(code) {
    if (this.premoves.length > 0) {
      this.premove = code;
      this.app.say(`${code}: in advance`);
      this.#show();
      return;
    }
    if (!settings().confirms) {
      this.play(code);
      return;
    }
    this.proposed = { node: this.view.node, code };
    this.app.say(`${code}: Play or Cancel`);
    this.#show();
  }

  /** Withdraws a move that waits for its confirmation, or for this user's turn. @returns {boolean} */
  withdraw() {
    const had = this.proposed || this.premove;
    if (!had) return false;
    this.proposed = null;
    this.premove = null;
    this.#show();
    return true;
  }

  /** Makes a move at the shown position. A move from an earlier position starts a branch. */
  async play(code) {
    if (this.view.line?.length || this.pending) return;
    this.proposed = null;
    const { tree } = this.table;
    const { node } = this.view;
    this.ruleOut.end();
    const known = tree.child(node, code);
    if (node !== tree.here && known !== null) {
      this.go(known);
      return;
    }
    this.pending = { node };
    this.movedAt = performance.now();
    const { hasSound, vibrates } = settings();
    if (hasSound) playSound("move");
    if (vibrates) navigator.vibrate?.(VIBRATION_MS);
    this.board.showPlayed(code);
    this.boardKey = boardKey(node, false, []);
    // The move is painted first.
    requestAnimationFrame(() => setTimeout(() => this.#show()));
    const isPlayed =
      (node === tree.here || (await this.#goTo(node))) && (await this.app.command("play", { code, from: node }));
    if (isPlayed && this.look.node !== null) this.look.set({ node: null });
    if (!isPlayed) this.#endPending();
  }

  /** Shows the position of the server again, after a move that was drawn at once. */
  #endPending() {
    if (!this.pending) return;
    this.pending = null;
    this.boardKey = null;
    this.#show();
  }

  /** Returns the reason why a move is illegal; `null` if there is none. */
  why(code) {
    const answer = this.app.socket.ask("why", { code });
    return answer.then(({ why }) => why).catch(() => null);
  }

  /** The reason why no move can be entered. */
  get stateReason() {
    const { table, view } = this;
    if (this.closed) return this.closed;
    if (this.pending) return "Your move is on its way.";
    if (view.line?.length) return "This is a line of the engine: go back to play.";
    return view.node === table.tree.here ? table.view.why : "Only your own moves can be tried here.";
  }

  /** Parses a typed move and plays it. @returns {Promise<string|null>} the reason if it was rejected */
  async typed(text) {
    if (this.closed) return this.closed;
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
    const { node, line } = this.look;
    if (line.length > 0) this.look.set({ node, line: line.slice(0, -1) });
    else this.go(this.table.tree.parent(this.view.node));
  }

  forward() {
    this.go(this.table.tree.following(this.view.node));
  }

  last() {
    this.go(this.table.tree.line(this.view.node).at(-1) ?? 0);
  }

  /** Previews the better move instead of a reviewed one. */
  showInstead({ node, best, line }) {
    this.look.set({ node: this.table.tree.parent(node), line: (line ?? [best]).slice(0, 1) });
  }

  /** Adds the previewed moves to the tree and shows their end. The position of the game is unchanged. */
  async keepLine() {
    const { line } = this.look;
    const from = this.view.node;
    if (!(await this.app.command("add-line", { from, codes: line }))) return;
    this.go(line.reduce((at, code) => this.table.tree.child(at, code), from));
  }

  askHint() {
    this.app.command("hint");
    this.hintId = this.app.socket.lastId;
    this.app.say("the engine looks for a move");
  }

  /** Carries out an action of the table's view, once it is confirmed. */
  async act({ label, command, args, confirm: warning }) {
    if (!warning || (await confirm(`${label}?`, warning, label))) this.app.command(command, args);
  }

  /** Opens the analysis and starts a review. */
  startReview() {
    this.analysisBox.open = true;
    this.analysis.startReview();
  }

  // Events.

  #onView(view) {
    const isNew = view.node !== this.view?.node || (view.line ?? []).join(" ") !== (this.view?.line ?? []).join(" ");
    if (view.node !== this.pending?.node) this.pending = null;
    this.refusal.hide();
    this.view = view;
    if (isNew) {
      this.hint = null;
      this.proposed = null;
      this.ruleOut.end();
    }
    if (this.table.isReady) this.#show();
  }

  #onTold(event) {
    const { table } = this;
    const told = SPOKEN[event.event]?.(event, this);
    if (told) this.app.say(told);
    this.#sound(event);
    if (["snapshot", "went-to"].includes(event.event)) this.#endPending();
    if (["snapshot", "went-to", "game-over"].includes(event.event)) this.premove = null;
    if (event.event === "game-over") this.hint = null;
    if (event.event === "snapshot") this.#onSnapshot();
    if (event.event === "level-changed" && event.is_adaptive) this.app.tell(levelNote(table));
    if (event.event === "proposal-ended" && event.end === "declined" && table.ended?.isOwn)
      this.app.tell("Your proposal was declined.");
    if (event.event === "fault") this.app.tell(`${event.engine} ${event.text}`);
    if (event.event === "said" && event.client !== table.client) this.talk.element.open = true;
    if (["snapshot", "move-played", "went-to", "line-added"].includes(event.event)) this.movesChanged = true;
    if (event.event === "move-played" && this.look.node === event.node) this.look.set({ node: null });
  }

  /** Plays the sound of another player's move, or of the end of the game. */
  #sound({ event, side }) {
    if (!settings().hasSound || !this.wasSeated) return;
    if (event === "game-over") playSound("over");
    const isOwn = side === this.table.mySide || performance.now() - this.movedAt < 50;
    if (event === "move-played" && !isOwn) playSound("answer");
  }

  /** Offers the lesson of the game, once. */
  #offerLesson() {
    const game = this.app.game(this.table.game.name);
    if (this.table.role === "spectator" || !isLessonDue(game)) return;
    const end = () => {
      endLesson(game.name);
      this.offer.hidden = true;
    };
    const learn = () => {
      end();
      showLesson(this.app, game);
    };
    this.offer.replaceChildren(
      el("p", `${aboutOf(game).idea} ${this.title} in one minute:`),
      button("Learn it", learn, { id: "lesson-start" }),
      button("No, thanks", end, { class: "quiet", id: "lesson-decline" }),
    );
    this.offer.hidden = false;
  }

  #onSnapshot() {
    const { table, app } = this;
    this.title = aboutOf(app.game(table.game.name) ?? { name: table.game.name }).title;
    app.setTitle(this.title);
    this.#turnToOwnSide();
    if (this.wasSeated) return;
    this.wasSeated = true;
    // A shared link leads to a position, at which the page stays.
    const node = new URLSearchParams(location.hash.slice(1)).get("node");
    if (table.role === "spectator" && table.tree.nodes.length > Number(node ?? NaN))
      this.look.set({ node: Number(node) });
    this.#offerLesson();
    this.board.names = markNames(app.game(table.game.name));
  }

  /** Shows the board from this user's side, when the game begins and when the sides are exchanged. */
  #turnToOwnSide() {
    const { mySide } = this.table;
    if (mySide === this.ownSide) return;
    this.ownSide = mySide;
    this.look.set({ flipped: mySide === "p2" });
  }

  /**
   * Returns the host to the lobby if the table is closed. Another page keeps the last position on the screen, as does one that
   * lost its place to a newer one, or that the host removed.
   */
  #onClosed({ event, why, is_error: isError, may_return: mayReturn }) {
    const removed = mayReturn ? "You opened this game in another window." : "The host removed you from this game.";
    this.mayReturn = mayReturn;
    if (event === "removed") {
      this.closed = removed;
      this.app.say(removed);
    } else {
      this.closed = isError ? `The game has ended: ${why}` : `The table is closed: ${why}`;
      this.app.tell(this.closed);
      this.app.leave();
    }
    this.#show();
  }

  #onHint({ request, what, move, score, line }) {
    if (what !== "hint" || request !== this.hintId || !move) return;
    this.hint = { node: this.table.tree.here, code: move, score, line };
    this.app.say(hintWords(this.hint));
    if (this.view?.node === this.hint.node) this.#show();
    else this.look.set({ node: null });
  }

  /** Draws the page once per frame, because events come in bursts. */
  scheduleShow() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#show();
    });
  }

  // Display.

  #build() {
    this.board = new Board({
      onMove: (code) => (this.ruleOut.isOn ? this.ruleOut.toggle(code) : this.enter(code)),
      onRoll: () => this.scheduleShow(),
      onAside: (id) => this.ruleOut.aside(id),
      onEnter: () => this.ruleOut.enter(),
      onHalf: () => this.#sayHalf(),
      onRefuse: (chosen, id) => this.withdraw() || this.refusal.show(this, chosen, id),
      onName: (text) => this.refusal.tell(text),
      onHover: (spot) => this.#showName(spot),
    });
    this.refusal = new Refusal((text) => this.app.say(text));
    this.strips = SIDES.map(() => new Strip((side) => this.#changeSeat(side)));
    this.moveList = new MoveList((node) => this.go(node));
    this.graph = new Graph((ply) => this.go(ply === 0 ? 0 : (this.table.tree.line(this.view.node)[ply - 1] ?? null)));
    this.bar = new Bar();
    this.talk = new Talk((text) => this.app.command("say", { text }));
    this.analysis = new Analysis(this);
    const study = [this.graph.element, this.analysis.element];
    const ontoggle = () => this.scheduleShow();
    this.analysisBox = el("details.box#analysis-box", { ontoggle }, el("summary", "Analysis"), study);
    this.offer = el("div.box.buttons.offer#lesson-offer", { hidden: true });
    this.legend = el("ul.legend-list");
    this.marks = el("details.box#legend", el("summary", "Marks on the board"), this.legend);
    this.panel = new Panel(this);
    this.top = el("div.strip-place");
    this.bottom = el("div.strip-place");
    this.spotName = el("span.spot-name", { "aria-hidden": "true", hidden: true });
    const row = el("div.board-row", this.bar.element, this.board.element, this.spotName, this.refusal.element);
    const column = el("div.board-column", this.top, row, this.bottom);
    this.element = el("div.game", column, this.panel.element, this.panel.bar);
    // The buttons act on a position, which comes from the server.
    this.element.inert = true;
  }

  #show() {
    const { table, view, analysis } = this;
    if (!view || !table.isReady) return;
    this.element.inert = false;
    const isLine = view.line?.length > 0;
    const { node } = view;
    analysis.look(node, !view.result && !isLine);
    this.#showBoard(isLine);
    this.#showScores(node);
    this.#showStrips();
    this.talk.show(table);
    this.panel.show();
    if (table.turnKind === "over") this.offer.hidden = true;
    this.app.setTitle(this.title, isMyTurn(this));
    // The list of moves has its final height now, so it can be scrolled to the shown move.
    this.#showMoves(node);
    this.analysisBox.hidden = table.role === "spectator" && analysis.results.size === 0;
    this.#playPremove();
  }

  /** Makes the move that was entered in advance, as soon as it is this user's turn. */
  #playPremove() {
    const { premove, table, view } = this;
    if (!premove || !this.isUsable || !table.isMyTurn || view.node !== table.tree.here) return;
    this.premove = null;
    if (view.diagram.gestures.some(({ code }) => code === premove)) {
      this.play(premove);
      return;
    }
    this.app.tell(`${premove}, entered in advance, is not legal now.`);
    this.#show();
  }

  /** Names the spot under the mouse. */
  #showName(spot) {
    this.spotName.hidden = !spot || !settings().showsNames;
    this.spotName.textContent = spot?.label ?? "";
  }

  #showBoard(isLine) {
    const { view, board } = this;
    const isUsable = !isLine && this.isUsable;
    if (isUsable && this.table.isMyTurn) this.lastGestures = view.diagram.gestures.filter(({ spots }) => spots);
    const { premoves } = this;
    const key = boardKey(view.node, isUsable, premoves);
    board.mySide = this.table.mySide;
    if (board.shown !== view || this.boardKey !== key) board.show(view, isUsable, premoves);
    if (!board.shown && document.activeElement === document.body) board.focus(board.current);
    board.shown = view;
    const roles = [...new Set(view.diagram.shapes.map(({ role }) => role))].sort();
    refill(this.legend, roles, () => board.legend);
    this.marks.hidden = this.legend.childElementCount === 0;
    this.boardKey = key;
    const shown = this.proposed ?? this.hint;
    const hint = shown && shown.node === view.node ? [{ code: shown.code, rank: 0 }] : [];
    const marks = isLine ? [] : this.analysis.marks;
    const spots = premoves.find(({ code }) => code === this.premove)?.spots;
    if (spots) board.setMarks([{ code: this.premove, rank: 0, spots }]);
    else board.setMarks(marks.length > 0 && !this.proposed ? marks : hint);
  }

  /** The gestures that can be entered in advance, while the opponent thinks, unless both players move one puck. */
  get premoves() {
    const { table, view } = this;
    if (puck(view.diagram)) return [];
    const isTheirs = ["engine", "person"].includes(table.turnKind) && !table.isMyTurn && table.mySide !== null;
    if (!isTheirs || this.closed || this.pending || settings().confirms) return [];
    return view.node === table.tree.here && !view.line?.length ? this.lastGestures : [];
  }

  /** `true` if a move can be entered at the shown position. */
  get isUsable() {
    const { table, view } = this;
    if (this.closed || this.pending) return false;
    const isHere = view.node === table.tree.here;
    if (view.result && isHere && view.diagram.gestures.length === 0) return false;
    return isHere ? !table.view.cannot_move : table.maySteer(view.side);
  }

  #showMoves(node) {
    const { moveList, table } = this;
    if (this.signsChanged) {
      moveList.setSigns(this.analysis.signs);
      this.movesChanged = true;
    }
    if (this.movesChanged)
      moveList.show(table.tree, this.view.ply - (this.view.line?.length ?? 0) - table.tree.depth(node));
    this.movesChanged = false;
    this.signsChanged = false;
    moveList.mark(node);
  }

  #showScores(node) {
    const { tree } = this.table;
    const { results, signs } = this.analysis;
    const isStudied = this.analysis.isOn || this.analysis.reviewed.size > 0;
    this.bar.show(isStudied ? scoreOf(tree, results, node) : null, this.look.fields.flipped, this.view);
    const line = tree.line(node);
    const scores = [0, ...line].map((at) => scoreOf(tree, results, at));
    const marked = new Set(line.flatMap((at, i) => (signs.get(at)?.sign === "??" ? [i + 1] : [])));
    this.graph.show(scores, tree.depth(node), marked);
  }

  #showStrips() {
    const { table } = this;
    const game = this.app.game(table.game.name);
    const hasScore = table.mySides.length === 0 || table.turnKind === "over" || this.analysisBox.open;
    for (const [i, place] of [this.top, this.bottom].entries()) {
      const side = SIDES[this.look.fields.flipped ? i : 1 - i];
      const strip = this.strips[SIDES.indexOf(side)];
      strip.show(table, game, side, this.view, hasScore);
      if (strip.element.parentNode !== place) place.replaceChildren(strip.element);
    }
  }

  /** The host changes the player of a side; others change their name. */
  #changeSeat(side) {
    const { app, table } = this;
    if (table.isHost) showSeat(app, table, side, sideName(this.view, side));
    else askName(() => app.attach(app.tableId));
  }

  /** Shows the links of the guests who are not here yet. */
  invite() {
    const away = SIDES.filter((side) => this.table.seat(side).sitter === "away-guest");
    invite(this.app, away);
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
    const clocks = SIDES.map((side) => {
      const seconds = leftOf(this.table, side);
      return `${sideName(this.view, side)} ${seconds === null ? "no clock" : inWords(seconds)}`;
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
}

/** Returns what a board depends on besides its view. */
function boardKey(node, isUsable, premoves) {
  return `${node} ${isUsable} ${premoves.length > 0}`;
}

const KEYS = {
  Escape: (view) => view.withdraw(),
  ArrowLeft: (view) => view.back(),
  ArrowRight: (view) => view.forward(),
  Home: (view) => view.go(0),
  End: (view) => view.last(),
  ",": (view) => view.sayLast(),
  ";": (view) => view.sayClocks(),
  ".": (view) => view.sayMoves(),
  "'": (view) => view.saySpot(),
  "/": (view) => view.panel.input.focus(),
  b: (view) => {
    setByKeys(true);
    view.board.focus(view.board.current);
  },
};

const SAME_KEYS = { "[": "ArrowLeft", "]": "ArrowRight", "{": "Home", "}": "End" };

/** Spoken texts of events. */
const SPOKEN = {
  "move-played": ({ move, side }, { view }) => `${view ? sideName(view, side) : side}: ${move}`,
  "game-over": ({ result, reason }, { view }) =>
    `The game is over: ${result}, ${view ? withSides(view, reason) : reason}`,
  proposed: ({ text, client }, { table }) => (client === table.client ? null : text),
  "proposal-ended": ({ end }) => `The proposal was ${end}`,
  said: ({ name, text }) => `${name} says: ${text}`,
};
