/** The panel next to the board: the state of the game, buttons for the possible actions, and the messages. */

import { button, el, icon, iconButton, refill, sentence, textField } from "./dom.js";
import { bannerOf, captionOf, isMyTurn, noteOf, togglesOf, turnButtonsOf } from "./game-state.js";
import { showRecords, showShare } from "./records.js";
import { showChip } from "./strips.js";

export class Panel {
  /** @param game the view of a table */
  constructor(game) {
    this.game = game;
    this.caption = el("h1.caption#caption");
    this.piece = el("span.chip", { "aria-hidden": "true" });
    this.note = el("p.note#note");
    this.banner = el("div.banner#banner", { hidden: true });
    this.moveButtons = el("div.buttons#move-buttons");
    this.turnButtons = el("div.buttons#turn-buttons");
    this.styles = el("div.buttons#styles");
    this.rolled = el(
      "p.note#rolled",
      { hidden: true },
      "Beyond each edge the board continues with the opposite edge, turned over: equal dots meet. Drag it to roll it; “Cells beyond the edges” shows them in place.",
    );
    /** Buttons of the table's actions, by action, and those that show another position, by whether that is later. */
    this.ofTable = { undo: [], hint: [], draw: [], resign: [] };
    this.toEarlier = [];
    this.toLater = [];
    const step = (list, sign, words, act) => this.#listed(list, iconButton(sign, words, act, { id: sign }));
    const replay = [
      step(this.toEarlier, "first", "To the beginning", () => game.go(0)),
      step(this.toEarlier, "back", "One move back", () => game.back()),
      step(this.toLater, "forward", "One move forward", () => game.forward()),
      step(this.toLater, "last", "To the end", () => game.last()),
    ];
    const list = el("div.moves-place", game.moveList.element);
    const replayRow = el("div.replay", { role: "group", "aria-label": "Replay" }, replay);
    this.actions = this.#actions();
    this.bar = this.#bar();
    const caption = el("div.caption-row", this.piece, this.caption);
    this.status = el("div.box.status", caption, this.note, this.banner, this.moveButtons, this.turnButtons);
    this.element = el(
      "aside.panel",
      { "aria-label": "The game" },
      this.status,
      game.offer,
      game.analysisBox,
      el("div.box.game-box", list, replayRow, this.#typeForm()),
      this.actions,
      game.talk.element,
      game.marks,
    );
  }

  /** Shows the state of the game. */
  show() {
    const { game } = this;
    const { table, view } = game;
    const { tree } = table;
    const isLine = view.line?.length > 0;
    const { caption, piece } = captionOf(game);
    this.caption.textContent = caption;
    this.caption.parentNode.classList.toggle("is-mine", isMyTurn(game));
    showChip(this.piece, piece);
    this.note.textContent = noteOf(game);
    this.note.hidden = !this.note.textContent;
    this.#showBanner(bannerOf(game));
    const moves = game.isUsable && !isLine ? view.diagram.gestures.filter((gesture) => gesture.button) : [];
    refill(this.moveButtons, moves, () =>
      moves.map(({ code, button: name }) =>
        button(sentence(name), () => game.play(code), { class: "primary", "data-code": code }),
      ),
    );
    showButtons(this.turnButtons, turnButtonsOf(game));
    for (const element of this.toEarlier) element.disabled = view.node === 0 && !isLine;
    for (const element of this.toLater) element.disabled = isLine || tree.following(view.node) === null;
    for (const [id, elements] of Object.entries(this.ofTable)) {
      const action = table.action(id);
      const isHidden = table.role === "spectator" || (id === "draw" && table.mySides.length === 0);
      for (const element of elements)
        Object.assign(element, { hidden: isHidden, disabled: !action || action.refused, title: action?.why ?? "" });
    }
    this.flip.hidden = view.can_flip === false;
    this.rotate.hidden = view.can_rotate === false;
    const toggles = togglesOf(game).map((toggle) => ({ ...toggle, kind: "quiet" }));
    showButtons(this.styles, toggles);
    this.styles.hidden = toggles.length === 0;
    this.rolled.hidden = !game.board.roll.isOn;
  }

  #showBanner(banner) {
    this.banner.hidden = !banner;
    const names = banner?.buttons.map(({ id, name }) => [id, name]);
    refill(this.banner, banner ? [banner.key, names] : null, () => {
      if (!banner) return [];
      const buttons = el("div.buttons");
      showButtons(buttons, banner.buttons);
      return [el("p", banner.text), buttons];
    });
  }

  /** Adds a button to those that are enabled together, and returns it. */
  #listed(list, element) {
    list.push(element);
    return element;
  }

  /** Creates the button of an action of the table. */
  #ofTable(id, sign, words, prefix = "") {
    const { game } = this;
    const act = () => (id === "hint" ? game.askHint() : game.act(game.table.action(id)));
    return this.#listed(this.ofTable[id], withIcon(sign, words, act, prefix + id));
  }

  #actions() {
    const { game } = this;
    const { look } = game;
    this.flip = withIcon("flip", "Flip", () => look.set({ flipped: !look.fields.flipped }), "flip");
    this.rotate = withIcon("rotate", "Rotate", () => look.set({ turns: (look.fields.turns + 1) % 12 }), "rotate");
    const buttons = [
      this.#ofTable("undo", "undo", "Take back"),
      this.#ofTable("hint", "hint", "Hint"),
      this.#ofTable("draw", "draw", "Offer draw"),
      this.#ofTable("resign", "flag", "Resign"),
      this.flip,
      this.rotate,
      withIcon("save", "Records", () => showRecords(game), "records-button"),
      withIcon("link", "Share", () => showShare(game), "share-button"),
    ];
    return el("div.box.actions-box", el("div.actions", buttons), this.styles, this.rolled);
  }

  /** The bar of a phone, with the actions that are needed most: the panel is below the board there. */
  #bar() {
    const { game } = this;
    const back = withIcon("back", "Back", () => game.back(), "bar-back");
    const forward = withIcon("forward", "Forward", () => game.forward(), "bar-forward");
    const buttons = [
      this.#listed(this.toEarlier, back),
      this.#listed(this.toLater, forward),
      this.#ofTable("undo", "undo", "Take back", "bar-"),
      this.#ofTable("hint", "hint", "Hint", "bar-"),
      withIcon("gear", "More", () => this.actions.scrollIntoView({ behavior: "smooth" }), "bar-more"),
    ];
    return el("div.bar-of-phone", { role: "toolbar", "aria-label": "Actions" }, buttons);
  }

  #typeForm() {
    const words = "Type a move";
    this.input = textField("type-move", { autocapitalize: "off", "aria-label": words, placeholder: words });
    const error = el("p.error#type-error", { role: "alert", hidden: true });
    const onsubmit = async (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (!text) return;
      const why = await this.game.typed(text);
      error.hidden = why === null;
      error.textContent = why ?? "";
      if (why === null) this.input.value = "";
      else this.input.select();
    };
    return el("form.type-form", { onsubmit }, this.input, el("button#type-play", { type: "submit" }, "Play"), error);
  }
}

/** Shows buttons: `{name, act, id, isOn, kind}`, where `isOn` is that of a switch. */
function showButtons(element, buttons) {
  refill(element, buttons, () =>
    buttons.map(({ name, act, id, isOn, kind }) =>
      button(name, act, { id, class: kind, "aria-pressed": isOn === undefined ? null : String(isOn) }),
    ),
  );
}

/** Creates a button with an icon above a text. */
function withIcon(sign, words, onclick, id) {
  return el("button", { type: "button", id, onclick }, icon(sign), el("span", words));
}

export class Talk {
  /** @param {(text: string) => void} onSay */
  constructor(onSay) {
    this.list = el("ul.talk-list#talk", { tabindex: "0", "aria-label": "Messages" });
    const words = "Type a message";
    this.input = textField("talk-input", {
      maxlength: "1000",
      spellcheck: null,
      "aria-label": words,
      placeholder: words,
    });
    this.count = el("span.soft");
    const onsubmit = (event) => this.#submit(event, onSay);
    const form = el("form.row", { onsubmit }, this.input, el("button", { type: "submit" }, "Say"));
    this.element = el("details.box#talk-box", el("summary", "Talk ", this.count), this.list, form);
  }

  /** Shows the messages of a table. */
  show({ talk }) {
    if (this.shown === talk) return;
    this.shown = talk;
    // Notes of the table itself, as of a level or a hint, are not counted.
    const said = talk.filter(({ name }) => name).length;
    this.count.textContent = said > 0 ? `(${said})` : "";
    this.list.replaceChildren(
      ...talk.map(({ name, text }) => el("li", { class: name ? null : "soft" }, name && el("b", `${name}: `), text)),
    );
    this.list.scrollTop = this.list.scrollHeight;
  }

  #submit(event, onSay) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (text) onSay(text);
    this.input.value = "";
  }
}
