// @ts-check
/** The column beside the board: move list and what can be done next. */

import { button, byId, h } from "./dom.js";
import { t } from "./i18n.js";
import { stepWords } from "./words.js";

/** @typedef {import("./types").Variant} Variant */
/** @typedef {import("./types").Kind} Kind */
/** @typedef {import("./types").Step} Step */
/** @typedef {import("./types").PlayedMove} PlayedMove */

/** The moves of a game. */
export class MoveList {
  /** @param {Variant} variant */
  constructor(variant) {
    this.list = byId("moves");
    this.list.classList.toggle("pairs", variant.numbering === "pairs");
    /** @type {string[]} */
    this.shown = [];
  }

  /** @param {PlayedMove[]} moves */
  show(moves) {
    const texts = moves.map((move) => move.text);
    let same = 0;
    while (same < texts.length && this.shown[same] === texts[same]) same++;
    while (this.list.children.length > same) this.list.lastElementChild?.remove();
    for (const text of texts.slice(same)) this.list.append(h("li", {}, text));
    for (const item of this.list.querySelectorAll(".latest")) item.classList.remove("latest");
    const last = this.list.lastElementChild;
    last?.classList.add("latest");
    if (last && texts.join() !== this.shown.join()) this.list.scrollTop = this.list.scrollHeight;
    this.shown = texts;
    byId("no-moves").hidden = texts.length > 0;
  }
}

/** What can be done next. */
export class Panel {
  /** @param {Map<string, Kind>} kinds @param {(step: Step) => void} take @param {() => void} back */
  constructor(kinds, take, back) {
    this.kinds = kinds;
    this.take = take;
    this.back = back;
    this.next = byId("next");
  }

  /**
   * @param {Step[]} steps @param {number} depth steps taken so far @param {Record<string, string>} board
   * @param {(at: string) => string} place what points are called @param {(step: Step) => string} more what else a step does
   */
  showNext(steps, depth, board, place, more) {
    const stays = steps.some((step) => step.t === "promote") || steps.every((step) => step.at === undefined);
    const choices = steps.map((step) => {
      const words = stepWords(step, this.kinds, board, place, stays);
      const follows = more(step);
      return button({ class: "chip" }, () => this.take(step), follows ? `${words}: ${follows}` : words);
    });
    if (depth) choices.unshift(button({ class: "chip back" }, this.back, t("← back")));
    byId("next-count").textContent = steps.length ? `(${steps.length})` : "";
    this.next.replaceChildren(...(choices.length ? choices : [h("p", { class: "quiet" }, t("Nothing to do just now."))]));
  }
}
