/** The moves of a game with their branches, as a table tells them. Node 0 is the position after the opening. */

export class Tree {
  /** @param {{nodes: {from: number, code: string, side: string, by: string, record?: object, last?: boolean}[], here: number}} told */
  constructor(told) {
    this.nodes = [null];
    this.children = [[]];
    this.next = [null];
    for (const node of told.nodes) this.#add(node);
    this.here = told.here;
  }

  /** Takes in a move that was made. */
  play({ node, from, move, side, by, ...record }) {
    if (node >= this.nodes.length) this.#add({ from, code: move, side, by, record, last: true });
    this.goTo(node);
  }

  /** Takes in moves that were added; those that were known stay as they are. */
  add(from, plies, nodes) {
    nodes.forEach((node, i) => {
      if (node >= this.nodes.length) this.#add({ from: i === 0 ? from : nodes[i - 1], ...plies[i] });
    });
  }

  /** The game stands at another node. */
  goTo(node) {
    this.here = node;
    for (const step of this.path(node)) this.next[this.nodes[step].from] = step;
  }

  /** The node before one; `null` at the start. */
  parent(node) {
    return this.nodes[node]?.from ?? null;
  }

  /** The nodes from the start to one, without the start itself. */
  path(node) {
    const path = [];
    for (let at = node; this.nodes[at]; at = this.nodes[at].from) path.push(at);
    return path.reverse();
  }

  /** The move that follows a node in the line that the game took last; `null` at the end. */
  following(node) {
    return this.next[node] ?? this.children[node]?.[0] ?? null;
  }

  /** The line through a node: the way to it, and on to its end. */
  line(node) {
    const line = this.path(node);
    for (let at = this.following(node); at !== null; at = this.following(at)) line.push(at);
    return line;
  }

  /** The node that a move leads to; `null` if it was not made there. */
  child(node, code) {
    return this.children[node]?.find((child) => this.nodes[child].code === code) ?? null;
  }

  /** How many moves lie before a node. */
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
