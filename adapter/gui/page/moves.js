/** The moves of a game as a list: the main line, with its branches in between. */

import { el, set } from "./dom.js";

export class MoveList {
  /** @param {(node: number) => void} onGo shows a node */
  constructor(onGo) {
    this.onGo = onGo;
    const onclick = (event) => this.#click(event);
    this.element = el("div.moves#moves", { role: "group", "aria-label": "Moves", onclick });
    this.signs = new Map();
  }

  /** Shows a tree. @param {import("./table.js").Tree} tree @param {number} base number of plies before node 0 */
  show(tree, base) {
    if (!this.#goesOn(tree, base)) {
      this.tree = tree;
      this.base = base;
      const lines = tree.children[0].length === 0 ? [el("p.soft", "No moves yet")] : this.#line(0, true, base);
      this.element.replaceChildren(el("div.main-line", lines));
      const buttons = [...this.element.querySelectorAll("[data-node]")];
      this.buttons = new Map(buttons.map((button) => [Number(button.dataset.node), button]));
    }
    this.end = tree.line(0).at(-1) ?? 0;
    this.count = tree.nodes.length;
    this.mark(this.current);
  }

  /** Appends the last move if it is the only change. Returns `false` otherwise. */
  #goesOn(tree, base) {
    const node = tree.nodes.length - 1;
    const isNext =
      this.tree === tree && this.base === base && this.count === node && node > 1 && tree.parent(node) === this.end;
    if (!isNext || this.end === 0 || tree.children[this.end].length > 1) return false;
    // As in a whole list, a move after a branch has its number.
    const isAfterBranch = tree.children[tree.parent(this.end)].length > 1;
    const move = this.#move(node, isAfterBranch, base + tree.depth(node));
    this.element.firstChild.append(move);
    this.buttons.set(node, move.querySelector("[data-node]"));
    return true;
  }

  /** Marks the shown node. */
  mark(node) {
    const old = this.buttons?.get(this.current);
    if (old) setCurrent(old, false);
    this.current = node;
    const now = this.buttons?.get(node);
    if (now) {
      setCurrent(now, true);
      this.#scrollTo(now);
    } else if (node === 0) {
      this.element.scrollTop = 0;
    }
  }

  /** Sets the annotations of moves, such as `??`. @param {Map<number, {sign: string, words: string}>} signs by node */
  setSigns(signs) {
    this.signs = signs;
    this.count = null;
  }

  /** Returns the moves after a node along the current line, with the branches at each point. */
  #line(start, isMain, ply) {
    const parts = [];
    let needsNumber = isMain;
    for (let at = start; ; ply += 1) {
      const next = this.tree.following(at);
      if (next === null) return parts;
      const others = this.tree.children[at].filter((child) => child !== next);
      parts.push(this.#move(next, needsNumber, ply + 1));
      needsNumber = others.length > 0;
      for (const other of others) parts.push(this.#branch(other, isMain, ply + 1));
      at = next;
    }
  }

  #branch(node, isMain, ply) {
    const moves = [this.#move(node, true, ply), this.#line(node, false, ply)];
    return isMain ? el("span.branch.block", moves) : el("span.branch", "(", moves, ")");
  }

  #move(node, hasNumber, ply) {
    const { code, side, by } = this.tree.nodes[node];
    const sign = this.signs.get(node);
    const number = side === "p1" ? `${moveNumber(ply, side)}.` : hasNumber && `${moveNumber(ply, side)}…`;
    const move = { type: "button", tabindex: "-1", "data-node": node, "data-by": by, title: sign?.words };
    return el(
      `span.ply.${side}`,
      number && el("span.number", number),
      el(`button.move.${SIGN_CLASS[sign?.sign] ?? "plain"}`, move, code, sign && el("span.sign-text", sign.sign)),
    );
  }

  #click(event) {
    const node = event.target.closest("[data-node]")?.dataset.node;
    if (node !== undefined) this.onGo(Number(node));
  }

  #scrollTo(button) {
    const { element } = this;
    const [top, bottom] = [button.offsetTop, button.offsetTop + button.offsetHeight];
    if (top < element.scrollTop || bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = top - element.clientHeight / 2;
  }
}

/** Returns the number of the move that a ply belongs to, as in PGN: both players' plies are one move. */
function moveNumber(ply, side) {
  const half = ply - 1;
  const isEven = half % 2 === 0;
  return Math.floor((isEven === (side === "p1") ? half : half + 1) / 2) + 1;
}

const SIGN_CLASS = { "??": "blunder", "?": "mistake", "?!": "doubtful" };

function setCurrent(button, isCurrent) {
  set(button, "aria-current", isCurrent ? "true" : null);
  button.setAttribute("tabindex", isCurrent ? "0" : "-1");
}
