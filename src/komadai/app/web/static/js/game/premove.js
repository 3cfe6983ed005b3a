// @ts-check
/**
 * The move to be made when it is one's turn again, chosen meanwhile by two taps or a drag. The page knows no rule, so
 * any two points will do; whether it is a move is seen when the opponent has moved.
 */

import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { setting } from "../lib/prefs.js";
import { stillWords } from "./people.js";

/** @import { Intention } from "../types/client" */
/** @import { PlayedMove } from "../types/wire" */
/** @import { GamePage } from "./page.js" */

/** @implements {Intention} */
export class Premove {
  /** @param {GamePage} page */
  constructor(page) {
    this.page = page;
    /** The point of the piece, or its kind and `*` for one in hand. @type {string | null} */
    this.from = null;
    /** @type {string | null} */
    this.to = null;
    /** It is being made. */
    this.playing = false;
  }

  get open() {
    const { me, past, state } = this.page;
    const { clocks, position } = state;
    const wanted = { timed: clocks !== null, always: true, never: false }[setting("premove")];
    const theirs = me !== null && position.turn !== me && !position.outcome;
    return wanted && theirs && past.at === null && !stillWords(state);
  }

  /** @param {string} at */
  tap(at) {
    if (!this.open) return false;
    if (this.to !== null || this.from === at) {
      this.clear();
      showNotice("");
    } else if (this.from === null || at.endsWith("*")) return this.grab(at);
    else {
      this.to = at;
      showNotice(t("This is played when it is your turn, if it is a move then. A tap takes it back."), true);
    }
    this.page.input.refresh();
    return true;
  }

  /** @param {string} at */
  grab(at) {
    const { me, position } = this.page;
    const own = at.endsWith("*") ? position.hands[me ?? "b"][at.slice(0, -1)] : position.board[at]?.[0] === me;
    if (!this.open || !own) return false;
    [this.from, this.to] = [at, null];
    showNotice(t("Choose where it is to go when it is your turn."), true);
    this.page.input.refresh();
    return true;
  }

  /** Forget it. */
  clear() {
    this.from = this.to = null;
  }

  /**
   * It is one's turn: make the move as taps would make it, so that choices on the way are asked for.
   * @param {PlayedMove} moved the opponent's move
   */
  play({ shift = [0, 0] }) {
    const { input } = this.page;
    const { board, handDrag, variant } = input;
    const now = (/** @type {string} */ at) => board.renamed(at, shift) ?? at;
    const { from, to } = this;
    this.from = this.to = null;
    if (from === null || to === null) return;
    const code = from.endsWith("*") ? from.slice(0, -1) : null;
    const start = code === null ? input.walk.select(now(from)) : input.walk.drop(code);
    const goal = now(to);
    this.playing = true;
    if (start) input.restart(start);
    if (start && input.walk.choosing && variant.hands.length && input.walk.drops(code ?? "").includes(goal)) {
      handDrag.at = goal;
      input.refresh(); // asks for the face
    } else if (start && (input.walk.at(goal) || input.composing.far.has(goal))) {
      input.tapPoint(goal);
      if (input.walk.ends.length === 1 && input.walk.here === goal) input.finish();
    } else {
      input.cancel();
      showNotice(t("What you had chosen is no move now."), true);
    }
    this.playing = false;
  }
}
