/** How clicks on spots become a move. Knows the gestures of a diagram, and nothing of the game. */

export class Gestures {
  /** @param {{code: string, spots?: string[], button?: string}[]} gestures as a diagram lists them */
  constructor(gestures) {
    this.gestures = gestures;
    /** The spots chosen so far. */
    this.chosen = [];
    this.starts = this.#choices([]);
  }

  /** What may be chosen next: id of the spot -> the code of the move that this completes, or `null`. */
  next() {
    return this.chosen.length === 0 ? this.starts : this.#choices(this.chosen);
  }

  /** Whether a move is half entered. */
  get isHalf() {
    return this.chosen.length > 0;
  }

  /** Whether a move that needs more than this spot begins here. */
  begins(id) {
    return this.starts.get(id) === null;
  }

  /**
   * Chooses a spot. Returns the code if that completes a move. A spot that does not go on with the half-entered move
   * begins another one, or takes it back.
   */
  choose(id) {
    const next = this.next();
    const code = next.get(id);
    if (code !== undefined && code !== null) {
      this.chosen = [];
      return code;
    }
    if (code === null) {
      this.chosen = [...this.chosen, id];
    } else {
      const isAgain = this.chosen.includes(id);
      this.chosen = !isAgain && this.begins(id) ? [id] : [];
    }
    return null;
  }

  /** Takes the half-entered move back; whether there was one. */
  clear() {
    const was = this.isHalf;
    this.chosen = [];
    return was;
  }

  /** The moves that are buttons beside the board. */
  buttons() {
    return this.gestures.filter((gesture) => gesture.button !== undefined);
  }

  /** The gesture of a code. */
  of(code) {
    return this.gestures.find((gesture) => gesture.code === code) ?? null;
  }

  /** The codes of the moves that begin or end on a spot. */
  codesAt(id) {
    return this.gestures.filter((gesture) => gesture.spots?.includes(id)).map((gesture) => gesture.code);
  }

  #choices(chosen) {
    const choices = new Map();
    for (const { code, spots } of this.gestures) {
      if (!spots || !chosen.every((id, i) => spots[i] === id)) continue;
      const id = spots[chosen.length];
      if (id === undefined) continue;
      const isLast = spots.length === chosen.length + 1;
      if (!choices.has(id)) choices.set(id, isLast ? code : null);
    }
    return choices;
  }
}
