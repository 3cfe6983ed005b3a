// @ts-check
/** What the page of a stage, a puzzle or a mistake keeps for the days to come, and the way through the cards of today. */

import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { addressOf, cardId, cardOf, due, keepCard, memory, practise, remember } from "../lib/memory.js";
import { showNotice } from "../lib/notice.js";
import { ROOT } from "../lib/root.js";

/** @import { CardName } from "../types/client" */

export class Recall {
  /**
   * @param {CardName | null} name `null`: it never comes back
   * @param {boolean} [today] whether the page was opened as one of the cards of today
   */
  constructor(name, today = name !== null && new URLSearchParams(location.search).has("today")) {
    this.name = name;
    this.id = name ? cardId(name) : "";
    this.today = today;
    /** True until it has been tried, on whichever day. */
    this.fresh = cardOf(this.id) === null;
    this.began = Date.now();
    this.wrong = 0;
    this.helped = false;
    // The cards as the page found them: the next one is the same before and after the answer.
    this.cards = today ? due(memory()) : [];
    this.graded = !this.cards.includes(this.id);
    this.scheduling = this.graded ? null : import("../lib/schedule.js");
    this.scheduling?.catch(() => {}); // whoever needs it is told
    if (today) byId("following").addEventListener("click", (event) => void this.#leave(event));
  }

  /** A move was wrong. */
  mistake() {
    this.wrong++;
  }

  /** Help was asked for. */
  help() {
    this.helped = true;
  }

  /** This comes back in the days to come. */
  keep() {
    if (this.name && !this.today && cardOf(this.id) === null) remember(this.name);
  }

  /** The task is done, by oneself or not. */
  async done() {
    if (this.today) return this.#grade(true);
    if (!this.name) return;
    this.keep();
    practise();
  }

  /** @param {boolean} solved */
  async #grade(solved) {
    const card = cardOf(this.id);
    if (this.graded || !card || !this.scheduling) return;
    this.graded = true;
    const { wrong, helped } = this;
    const seconds = (Date.now() - this.began) / 1000;
    try {
      const { reviewed } = await this.scheduling;
      const kept = keepCard(this.id, reviewed(card, { solved, wrong, helped, seconds }));
      if (!kept) showNotice(t("This browser cannot keep when it comes back: its storage is full or off."));
    } catch {
      this.graded = false;
      showNotice(t("When it comes back could not be reckoned: the connection was lost."));
    }
    this.showWay();
  }

  /** The card after this one, those passed over at the end; `null` if it is the last. */
  get #next() {
    const ready = due(memory()).filter((id) => id !== this.id);
    const after = this.cards.slice(this.cards.indexOf(this.id) + 1);
    return after.find((id) => ready.includes(id)) ?? ready[0] ?? null;
  }

  /** Where the page says where it is: how many cards are left, this one among them. */
  get place() {
    if (!this.today) return "";
    const left = due(memory()).filter((id) => id !== this.id).length;
    return left ? t("Today: {count} more after this one", { count: left }) : t("Today: the last one");
  }

  /** Show the way to the next card of today; false on a page that is none of them. */
  showWay() {
    if (!this.today) return false;
    const next = this.#next;
    byId("following").setAttribute("href", next ? addressOf(next) : `${ROOT}today`);
    byId("following").textContent = next ? t("Next") : t("Finish");
    return true;
  }

  /** To the next card; one that was tried and not solved has been forgotten. @param {MouseEvent} event */
  async #leave(event) {
    event.preventDefault();
    if (this.wrong || this.helped) await this.#grade(false);
    const next = this.#next;
    const [to, here] = [next ? addressOf(next) : `${ROOT}today`, location.pathname + location.search];
    location.assign(to);
    if (to.split("#")[0] === here) location.reload(); // another mistake, on the same page
  }
}
