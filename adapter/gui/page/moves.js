/** The moves of a game as a list: the line that was played, with its branches between. */

import { el, set } from "./dom.js";

export class MoveList {
  /** @param {(node: number) => void} onGo somebody wants to look at a node */
  constructor(onGo) {
    this.onGo = onGo;
    this.element = el("div", { class: "moves", id: "moves", role: "group", "aria-label": "Moves", onclick: (event) => this.#click(event) });
    this.signs = new Map();
  }

  /**
   * Shows a tree.
   * @param {import("./tree.js").Tree} tree
   * @param {number} base the plies before node 0
   */
  show(tree, base) {
    this.tree = tree;
    this.base = base;
    const lines = tree.children[0].length === 0 ? [el("p", { class: "soft" }, "No moves yet")] : this.#line(0, true);
    this.element.replaceChildren(el("div", { class: "main-line" }, lines));
    this.buttons = new Map([...this.element.querySelectorAll("[data-node]")].map((button) => [Number(button.dataset.node), button]));
    this.mark(this.current);
  }

  /** Marks the node that is looked at. */
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

  /** Puts signs behind moves, as `??`. @param {Map<number, {sign: string, words: string}>} signs by node */
  setSigns(signs) {
    this.signs = signs;
    if (this.tree) this.show(this.tree, this.base);
  }

  /** The moves after a node along the line last taken, with the branches from each point. */
  #line(start, isMain) {
    const parts = [];
    let needsNumber = true;
    for (let at = start; ; ) {
      const next = this.tree.following(at);
      if (next === null) return parts;
      const others = this.tree.children[at].filter((child) => child !== next);
      parts.push(this.#move(next, needsNumber));
      needsNumber = others.length > 0;
      for (const other of others) parts.push(this.#branch(other, isMain));
      at = next;
    }
  }

  #branch(node, isMain) {
    return el("span", { class: `branch ${isMain ? "block" : ""}` }, isMain ? "" : "(", this.#move(node, true), this.#line(node, false), isMain ? "" : ")");
  }

  #move(node, hasNumber) {
    const { code, side, by } = this.tree.nodes[node];
    const ply = this.base + this.tree.depth(node);
    const sign = this.signs.get(node);
    const number = `${ply}.`;
    return el(
      "span",
      { class: `ply ${side}` },
      el("span", { class: `number ${hasNumber ? "" : "soft"}` }, number),
      el(
        "button",
        { type: "button", tabindex: "-1", "data-node": node, "data-by": by, class: sign ? `move ${SIGN_CLASS[sign.sign]}` : "move", title: sign?.words ?? null },
        code,
        sign && el("span", { class: "sign-text" }, sign.sign),
      ),
    );
  }

  #click(event) {
    const node = event.target.closest("[data-node]")?.dataset.node;
    if (node !== undefined) this.onGo(Number(node));
  }

  #scrollTo(button) {
    const { element } = this;
    const [top, bottom] = [button.offsetTop - element.offsetTop, button.offsetTop - element.offsetTop + button.offsetHeight];
    if (top < element.scrollTop || bottom > element.scrollTop + element.clientHeight) element.scrollTop = top - element.clientHeight / 2;
  }
}

const SIGN_CLASS = { "??": "blunder", "?": "mistake", "?!": "doubtful" };

function setCurrent(button, isCurrent) {
  set(button, "aria-current", isCurrent ? "true" : null);
  button.setAttribute("tabindex", isCurrent ? "0" : "-1");
}
