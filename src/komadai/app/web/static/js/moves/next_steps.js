// @ts-check
/** The list of possible next steps beside the board. */

import { button, byId, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { stepWords } from "./words.js";

/** @import { Kind, Step } from "../types/wire" */

export class NextSteps {
  /** @param {Map<string, Kind>} kinds @param {(step: Step) => void} take @param {() => void} back */
  constructor(kinds, take, back) {
    this.kinds = kinds;
    this.take = take;
    this.back = back;
    this.next = byId("next");
  }

  /**
   * Show the possible steps.
   * @param {Step[]} steps @param {number} depth number of steps taken @param {Record<string, string>} board
   * @param {(at: string) => string} place names of points
   * @param {(step: Step) => string} more further effects of a step
   */
  show(steps, depth, board, place, more) {
    const stays = steps.some((step) => step.t === "promote") || steps.every((step) => step.at === undefined);
    const choices = steps.map((step) => {
      const words = stepWords(step, this.kinds, board, place, stays);
      const follows = more(step);
      return button({ class: "chip" }, () => this.take(step), follows ? `${words}: ${follows}` : words);
    });
    if (depth) choices.unshift(button({ class: "chip back" }, this.back, t("← back")));
    byId("next-count").textContent = steps.length ? `(${steps.length})` : "";
    this.next.replaceChildren(
      ...(choices.length ? choices : [h("p", { class: "quiet" }, t("Nothing to do just now."))]),
    );
  }
}
