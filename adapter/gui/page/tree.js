/** The tree of a game's moves, as sent by the table. Node 0 is the position after the opening. */

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
