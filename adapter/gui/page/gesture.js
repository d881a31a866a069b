/** Converts clicks on spots to moves. Knows only the gestures of a diagram, no game. */

export class Gestures {
  /** @param {{code: string, spots?: string[], button?: string}[]} gestures as listed in a diagram */
  constructor(gestures) {
    this.gestures = gestures;
    /** Spots chosen so far. */
    this.chosen = [];
    this.starts = this.#choices([]);
  }

  /** Possible next spots: id -> the code of the completed move, or `null` if more spots are needed. */
  next() {
    return this.chosen.length === 0 ? this.starts : this.#choices(this.chosen);
  }

  /** `true` if a move is partly entered. */
  get isHalf() {
    return this.chosen.length > 0;
  }

  /** `true` if a move of several spots begins here. */
  begins(id) {
    return this.starts.get(id) === null;
  }

  /**
   * Chooses a spot. Returns the code if this completes a move. A spot that does not continue the partly entered move
   * begins another one or cancels it.
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

  /** Continues a partly entered move of other gestures, if it begins one of these too. */
  keep(chosen) {
    if (this.#choices(chosen).size > 0) this.chosen = chosen;
  }

  /** Cancels the partly entered move. Returns `true` if there was one. */
  clear() {
    const was = this.isHalf;
    this.chosen = [];
    return was;
  }

  /** Returns the codes of the moves that use a spot. */
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
