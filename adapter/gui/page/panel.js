/**
 * The panel next to the board: the state of the game, and buttons for the possible actions, which its owner carries
 * out.
 */

import { button, el, icon, iconButton, refill, sentence } from "./dom.js";
import { showChip } from "./strips.js";

export class Panel {
  /**
   * @param {Record<string, Function>} act handlers of the buttons, by name
   * @param {HTMLElement} moves list of moves
   * @param {HTMLElement} study element above the moves
   * @param {HTMLElement} talk element below the buttons
   */
  constructor(act, moves, study, talk) {
    this.act = act;
    this.caption = el("h1", { class: "caption", id: "caption" });
    this.piece = el("span", { class: "chip", "aria-hidden": "true" });
    this.note = el("p", { class: "note", id: "note" });
    this.banner = el("div", { class: "banner", id: "banner", hidden: true });
    this.moveButtons = el("div", { class: "buttons", id: "move-buttons" });
    this.turnButtons = el("div", { class: "buttons", id: "turn-buttons" });
    this.styles = el("div", { class: "buttons", id: "styles" });
    this.rolled = el(
      "p",
      { class: "note", id: "rolled", hidden: true },
      "Beyond each edge the board continues with the opposite edge, turned over: equal arrows meet. Drag it to roll it; “Cells beyond the edges” shows them in place.",
    );
    const replay = this.#replay();
    this.actions = this.#actions();
    this.bar = this.#bar();
    this.status = el(
      "div",
      { class: "box status" },
      el("div", { class: "caption-row" }, this.piece, this.caption),
      this.note,
      this.banner,
      this.moveButtons,
      this.turnButtons,
    );
    this.element = el(
      "aside",
      { class: "panel", "aria-label": "The game" },
      this.status,
      study,
      el("div", { class: "box game-box" }, moves, replay, this.#typeForm()),
      this.actions,
      talk,
    );
  }

  /** Shows a state as returned by `stateOf`. */
  show(state) {
    this.caption.textContent = state.caption;
    this.caption.parentNode.classList.toggle("is-mine", state.isMyTurn);
    showChip(this.piece, state.piece);
    this.note.textContent = state.note;
    this.note.hidden = !state.note;
    this.#showBanner(state.banner);
    refill(this.moveButtons, state.moveButtons, () =>
      state.moveButtons.map(({ code, name }) =>
        button(sentence(name), () => this.act.play(code), { class: "primary", "data-code": code }),
      ),
    );
    refill(this.turnButtons, state.turnButtons, () =>
      state.turnButtons.map(({ name, act, id }) => button(name, act, { id })),
    );
    for (const [name, element] of [...Object.entries(this.buttons), ...Object.entries(this.barButtons)]) {
      element.disabled = !state.enabled[name];
      if (name in state.reasons) element.title = state.reasons[name];
    }
    for (const name of ["undo", "hint"]) this.barButtons[name].hidden = state.isWatcher;
    this.draw.hidden = !state.canOfferDraw;
    for (const element of [this.draw, this.buttons.resign, this.buttons.undo, this.buttons.hint])
      if (state.isWatcher) element.hidden = true;
    this.flip.hidden = !state.canFlip;
    this.rotate.hidden = !state.canRotate;
    this.#showStyles(state.toggles);
    this.rolled.hidden = !state.continues;
  }

  /** Focuses the field for typed moves. */
  type() {
    this.input.focus();
  }

  #showBanner(banner) {
    this.banner.hidden = !banner;
    const buttons = () =>
      banner.buttons.map(({ name, act, id, isMain }) => button(name, act, { id, class: isMain ? "primary" : null }));
    const names = banner?.buttons.map(({ id, name }) => [id, name]);
    refill(this.banner, banner ? [banner.key, names] : null, () =>
      banner ? [el("p", {}, banner.text), el("div", { class: "buttons" }, buttons())] : [],
    );
  }

  #showStyles(toggles) {
    refill(this.styles, toggles, () =>
      toggles.map(({ name, id, isOn, act }) =>
        button(name, act, { id, "aria-pressed": isOn === undefined ? null : String(isOn), class: "quiet" }),
      ),
    );
    this.styles.hidden = toggles.length === 0;
  }

  #replay() {
    const { act } = this;
    this.buttons = {
      first: iconButton("first", "To the beginning", act.first, { id: "first" }),
      back: iconButton("back", "One move back", act.back, { id: "back" }),
      forward: iconButton("forward", "One move forward", act.forward, { id: "forward" }),
      last: iconButton("last", "To the end", act.last, { id: "last" }),
    };
    return el("div", { class: "replay", role: "group", "aria-label": "Replay" }, Object.values(this.buttons));
  }

  #actions() {
    const { act } = this;
    Object.assign(this.buttons, {
      undo: labelled("undo", "Take back", act.undo, "undo"),
      hint: labelled("hint", "Hint", act.hint, "hint"),
      resign: labelled("flag", "Resign", act.resign, "resign"),
    });
    this.draw = labelled("draw", "Offer draw", act.draw, "draw");
    this.buttons.draw = this.draw;
    this.flip = labelled("flip", "Flip", act.flip, "flip");
    this.rotate = labelled("rotate", "Rotate", act.rotate, "rotate");
    const rest = [
      this.flip,
      this.rotate,
      labelled("save", "Records", act.records, "records-button"),
      labelled("link", "Share", act.share, "share-button"),
    ];
    const { undo, hint, resign } = this.buttons;
    return el(
      "div",
      { class: "box actions-box" },
      el("div", { class: "actions" }, undo, hint, this.draw, resign, rest),
      this.styles,
      this.rolled,
    );
  }

  /** The bar of a phone, with the actions that are needed most: the panel is below the board there. */
  #bar() {
    const { act } = this;
    this.barButtons = {
      back: labelled("back", "Back", act.back, "bar-back"),
      forward: labelled("forward", "Forward", act.forward, "bar-forward"),
      undo: labelled("undo", "Take back", act.undo, "bar-undo"),
      hint: labelled("hint", "Hint", act.hint, "bar-hint"),
    };
    const more = labelled("gear", "More", () => this.actions.scrollIntoView({ behavior: "smooth" }), "bar-more");
    return el(
      "div",
      { class: "bar-of-phone", role: "toolbar", "aria-label": "Actions" },
      Object.values(this.barButtons),
      more,
    );
  }

  #typeForm() {
    this.input = el("input", {
      id: "type-move",
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "aria-label": "Type a move",
      placeholder: "Type a move",
    });
    this.error = el("p", { class: "error", id: "type-error", role: "alert", hidden: true });
    const submit = async (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (!text) return;
      const why = await this.act.typed(text);
      this.error.hidden = why === null;
      this.error.textContent = why ?? "";
      if (why === null) this.input.value = "";
      else this.input.select();
    };
    return el(
      "form",
      { class: "type-form", onsubmit: submit },
      this.input,
      el("button", { type: "submit", id: "type-play" }, "Play"),
      this.error,
    );
  }
}

/** Creates a button with an icon above a text. */
function labelled(sign, words, onclick, id) {
  return el("button", { type: "button", id, onclick }, icon(sign), el("span", {}, words));
}
