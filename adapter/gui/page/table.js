/** The state of a table, updated from its events. Contains no rules and draws nothing. */

import { levelNote } from "./seats.js";

const MOST_SAID = 200;

export class Table {
  /** `host` or `spectator`, or the sides of a guest. */
  role;
  /** The number of this client. */
  client;
  game;
  clocks;
  /** The kind of turn with its side, or a word. */
  turn;
  /** What this client shows and may do: `{heading, note, plays, is_own_turn, cannot_move, why, actions}`. */
  view;
  /** The partner to move. */
  player;
  /** The pause before each move of two engines, in seconds. */
  pace;
  /** The path of the ledger, once it exists; for the host alone. */
  ledger;
  /** @type {Tree} */ tree;
  /** @type {Seat[]} */ seats;
  /** Messages: `{name, text}`; `name` is `null` for messages of the table itself. */
  talk = [];
  /** Engines' last search information, by side. */
  thoughts = {};
  /** The proposal that was ended last. */
  ended = null;
  /** The last question of another player to an engine: `{node, text}`. */
  asked = null;
  isReady = false;

  /** Handles an event. @returns {boolean} `true` if it is an event of a table */
  apply(event) {
    const take = TAKE[event.event];
    if (!take) return false;
    // The first snapshot includes earlier events.
    if (this.isReady || event.event === "welcome" || event.event === "snapshot") take(this, event);
    return true;
  }

  /** `true` if this client is the host. */
  get isHost() {
    return this.role === "host";
  }

  /** Sides that this client plays. */
  get mySides() {
    return this.view?.plays ?? [];
  }

  /** The only side that this client plays; `null` if it plays none or both. */
  get mySide() {
    return this.mySides.length === 1 ? this.mySides[0] : null;
  }

  /** Returns what this client may do, by its name; with `refused` if it is not possible now. */
  action(id) {
    return this.view.actions.find((action) => action.id === id);
  }

  seat(side) {
    return this.seats[SIDES.indexOf(side)];
  }

  /** The kind of turn: `person`, `engine`, `held` or `waiting`; or `starting`, `over`. */
  get turnKind() {
    return typeof this.turn === "string" ? this.turn : Object.keys(this.turn)[0];
  }

  /** `true` if this client made the open proposal, perhaps before a reload: it may withdraw it, but not accept it. */
  get isAsking() {
    return Boolean(this.action("decline")) && !this.action("accept");
  }

  /** `true` if this client is to move. */
  get isMyTurn() {
    return this.view.is_own_turn;
  }

  get turnSide() {
    return typeof this.turn === "string" ? null : Object.values(this.turn)[0];
  }

  /** `true` if this client may move for a side at any node; the table goes to that node first. */
  maySteer(side) {
    return this.isHost ? !this.isGuest(side) : this.mySides.includes(side);
  }

  isGuest(side) {
    return this.seat(side).by === "person" && this.seat(side).sitter !== "host";
  }

  note(text, name = null) {
    this.talk = [...this.talk, { name, text }].slice(-MOST_SAID);
  }
}

/** The tree of a game's moves. Node 0 is the position after the opening. */
export class Tree {
  /** @param {{nodes: {from: number, code: string, side: string, by: string}[], here: number}} told */
  constructor(told) {
    this.nodes = [null];
    this.children = [[]];
    this.next = [null];
    for (const node of told.nodes) this.#add(node);
    this.here = told.here;
  }

  /** Adds a move that was made. */
  play({ node, from, move, side, by, ...record }) {
    if (node >= this.nodes.length) this.#add({ from, code: move, side, by, record, last: true });
    this.goTo(node);
  }

  /** Adds moves to the tree; known ones are unchanged. */
  add(from, plies, nodes) {
    nodes.forEach((node, i) => {
      if (node >= this.nodes.length) this.#add({ from: i === 0 ? from : nodes[i - 1], ...plies[i] });
    });
  }

  /** Sets the current node. */
  goTo(node) {
    this.here = node;
    for (const step of this.path(node)) this.next[this.nodes[step].from] = step;
  }

  /** Returns the node before one; `null` at the start. */
  parent(node) {
    return this.nodes[node]?.from ?? null;
  }

  /** Returns the nodes from the start to one, without the start. */
  path(node) {
    const path = [];
    for (let at = node; this.nodes[at]; at = this.nodes[at].from) path.push(at);
    return path.reverse();
  }

  /** Returns the move after a node in the most recent line; `null` at the end. */
  following(node) {
    return this.next[node] ?? this.children[node]?.[0] ?? null;
  }

  /** Returns the line through a node, from the start to the end. */
  line(node) {
    const line = this.path(node);
    for (let at = this.following(node); at !== null; at = this.following(at)) line.push(at);
    return line;
  }

  /** Returns the node of a move; `null` if it was not made there. */
  child(node, code) {
    return this.children[node]?.find((child) => this.nodes[child].code === code) ?? null;
  }

  /** Returns the number of moves before a node. */
  depth(node) {
    return this.path(node).length;
  }

  #add(node) {
    const number = this.nodes.length;
    this.nodes.push(node);
    this.children.push([]);
    this.next.push(null);
    this.children[node.from].push(number);
    if (node.last) this.next[node.from] = number;
  }
}

export const SIDES = ["p1", "p2"];

const TAKE = {
  welcome(table, { role }) {
    table.role = role;
  },
  snapshot(table, { event, tree, clocks, ...told }) {
    const isOther = table.id !== undefined && table.id !== told.id;
    if (isOther) Object.assign(table, { thoughts: {}, asked: null });
    Object.assign(table, { player: null, is_adaptive: false }, told, { tree: new Tree(tree), isReady: true });
    setClocks(table, clocks);
  },
  "table-view"(table, { event, ...view }) {
    table.view = view;
  },
  turn(table, { turn, player = null, clocks }) {
    table.turn = turn;
    table.player = player;
    if (turn !== "over") table.ending = null;
    setClocks(table, clocks);
  },
  clocks(table, { clocks }) {
    setClocks(table, clocks);
  },
  "went-to"(table, { node }) {
    table.tree.goTo(node);
    table.thoughts = {};
  },
  "line-added"(table, { from, plies, nodes }) {
    table.tree.add(from, plies, nodes);
  },
  "move-played"(table, event) {
    table.tree.play(event);
  },
  "game-over"(table, { result, termination, reason, fault }) {
    table.turn = "over";
    table.ending = { result, termination, reason, fault };
  },
  "seat-changed"(table, { side, seat }) {
    table.seats = table.seats.map((old, i) => (SIDES[i] === side ? seat : old));
    // They were those of the engine that sat there.
    table.thoughts = { ...table.thoughts, [side]: undefined };
  },
  "level-changed"(table, { level, is_adaptive }) {
    table.level = level;
    table.is_adaptive = Boolean(is_adaptive);
    table.note(levelNote(table));
  },
  proposed(table, { event, ...proposal }) {
    table.proposal = proposal;
  },
  "ledger-begun"(table, { path }) {
    table.ledger = path;
  },
  "proposal-ended"(table, { end }) {
    table.ended = table.proposal && { ...table.proposal, isOwn: table.isAsking };
    table.proposal = null;
    if (table.ended) table.note(`${table.ended.text}: ${end}`);
  },
  "pace-changed"(table, { seconds }) {
    table.pace = seconds;
  },
  "engine-line"(table, { side, ...thought }) {
    table.thoughts = { ...table.thoughts, [side]: thought };
  },
  joined(table, { event, ...client }) {
    table.clients = [...(table.clients ?? []).filter((known) => known.client !== client.client), client];
    table.note(`${client.name} joined`);
  },
  left(table, { client, name, why }) {
    table.clients = (table.clients ?? []).filter((known) => known.client !== client);
    table.note(`${name} left: ${why}`);
  },
  said(table, { name, text }) {
    table.note(text, name);
  },
  "asked-engine"(table, { client, name, what }) {
    if (client === table.client) return;
    table.asked = { node: table.tree.here, text: `${name} asks the engine for ${ASKED[what] ?? what}.` };
    table.note(table.asked.text);
  },
  fault: noteOfEngine,
  note: noteOfEngine,
};

/** Descriptions of requests to engines. */
const ASKED = { hint: "a hint", eval: "a score", analysis: "an analysis", review: "a review" };

function noteOfEngine(table, { engine, text }) {
  table.note(`${engine} ${text}`);
}

function setClocks(table, clocks) {
  const now = performance.now();
  table.clocks = clocks.map((clock) => ({ ...clock, at: clock.at ?? now }));
}
