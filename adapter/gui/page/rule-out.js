/**
 * Ruling out moves, in games that mark their legal moves: a click or a letter turns the mark of a move off or on, and
 * Return plays the last remaining move.
 */

export class RuleOut {
  constructor(game) {
    this.game = game;
    this.isOn = false;
  }

  /** Codes of the moves ruled out. */
  get codes() {
    return this.game.look.fields.ruled_out;
  }

  /** Toggles the mark of a move. */
  toggle(code) {
    const codes = this.codes.includes(code) ? this.codes.filter((other) => other !== code) : [...this.codes, code];
    this.game.look.set({ ruled_out: codes });
    const left = this.left(codes);
    this.game.app.say(left.length === 1 ? `${left[0]} is left: Return plays it` : `${left.length} moves are left`);
  }

  /** Handles a click with the secondary button. @returns {boolean} `true` if it was handled */
  aside(id) {
    const { view } = this.game;
    const gesture = view.diagram.gestures.find(({ spots }) => spots?.length === 1 && spots[0] === id);
    if (!this.canRuleOut || !gesture) return false;
    this.isOn = true;
    this.toggle(gesture.code);
    return true;
  }

  /** Handles Return. @returns {boolean} `true` if it was handled */
  enter() {
    if (!this.isOn) return false;
    const left = this.left(this.codes);
    if (left.length === 1) this.game.play(left[0]);
    else this.game.app.say(`${left.length} moves are left`);
    return true;
  }

  /** Restores all marks, at another position. */
  end() {
    this.isOn = false;
    if (this.codes.length > 0) this.game.look.fields.ruled_out = [];
  }

  left(codes) {
    return this.game.view.diagram.gestures.map(({ code }) => code).filter((code) => !codes.includes(code));
  }

  /** `true` if the game marks its legal moves. */
  get canRuleOut() {
    const { isUsable, view } = this.game;
    return isUsable && view.diagram.shapes.some(({ role }) => role === "target" || role === "ruled-out");
  }

  /** Returns the buttons for ruling out moves. */
  toggles() {
    if (!this.canRuleOut) return [];
    const { look } = this.game;
    const turn = () => {
      this.isOn = !this.isOn;
      look.set({ ruled_out: [] });
      this.game.board.focus(this.game.board.current);
    };
    const left = this.left(this.codes);
    const play = { name: `Play ${left[0]}`, id: "play-left", act: () => this.enter() };
    const isLast = this.isOn && left.length === 1;
    return [{ name: "Rule out moves", id: "rule-out", isOn: this.isOn, act: turn }, ...(isLast ? [play] : [])];
  }
}
