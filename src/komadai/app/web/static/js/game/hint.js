// @ts-check
/** Hints, in games played at one screen: against the engine, or by two people who both see them. */

import { AnalysisClient } from "../lib/analysis.js";
import { byId, onClick } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { moveText } from "../lib/prefs.js";
import { apart, waiting } from "./people.js";

/** @import { PlayedMove } from "../types/wire" */
/** @import { GamePage } from "./page.js" */

const SECONDS = 1.5;

export class Hint {
  /** @param {GamePage} page */
  constructor(page) {
    this.page = page;
    this.analyst = new AnalysisClient();
    onClick("hint", () => void this.ask());
  }

  /** True if the engine may help here. */
  get open() {
    const { state } = this.page;
    return state.you.length > 0 && !apart(state) && !waiting(state);
  }

  show() {
    byId("hint").hidden = !this.open;
    byId("hint").toggleAttribute("disabled", !this.page.active);
  }

  /** Search for a good move, and show it as an arrow and in words. */
  async ask() {
    const { page } = this;
    if (!page.active) return page.sayBusy();
    const { start, variant, moves } = page.state;
    const { position } = page;
    showNotice(t("Looking for a good move…"), true);
    const branch = {
      variant: variant.id,
      options: variant.options,
      position: start,
      moves: moves.map(({ usi }) => usi),
    };
    /** @type {PlayedMove | undefined} */
    let best;
    const fault = await new Promise((/** @type {(fault: string) => void} */ done) =>
      this.analyst.ask(branch, { t: "analyse", lines: 1, seconds: SECONDS }, (message) => {
        if (message.t === "info") best = message.lines[0]?.moves[0] ?? best;
        else if (message.t === "error") done(message.reason);
        else if (message.t === "done") done("");
      }),
    );
    if (position.sfen !== page.position.sfen) return; // the position has changed meanwhile
    page.input.board.showArrows(best ? [best] : []);
    showNotice(
      best ? t("Hint: {move}.", { move: moveText(best) }) : fault || t("The engine found nothing."),
      best !== undefined,
    );
  }
}
