// @ts-check
/** The values of a solved game on a page with a tree of moves: asked for each position that is shown for a moment. */

import { byId, onClick } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { onceSolved } from "../lib/once_solved.js";
import { fault } from "../lib/phrases.js";
import { isOn, turn } from "../lib/prefs.js";
import { ValueList, worthAfter } from "../moves/values.js";
import { valuesOf } from "./api.js";

/** @import { Judged, KnownPosition, Step } from "../types/wire" */
/** @import { Node } from "./tree.js" */
/** @import { TreePage } from "./tree_page.js" */

const PAUSE = 60; // milliseconds that a position is shown before its values are requested

export class Values {
  /**
   * @param {TreePage} page
   * @param {{ plies: number } | null} walk values are always shown, and where a line ends so many plies of best play
   * are added
   */
  constructor(page, walk = null) {
    this.page = page;
    this.walk = walk;
    /** True if there is a table, or the page must say that there is none. */
    this.open = walk !== null || page.tree.study.variant.solved;
    /** True if the values are shown. */
    this.on = walk !== null || (this.open && isOn("values"));
    this.list = new ValueList(page);
    /** @type {WeakMap<Node, KnownPosition>} */
    this.known = new WeakMap();
    /** The node whose values have been requested. @type {Node | null} */
    this.asked = null;
    this.timer = 0;
    if (!walk) onClick("values-button", () => this.toggle());
  }

  toggle() {
    if (!this.open || this.walk) return;
    this.on = !this.on;
    turn("values", this.on);
    this.page.input.refresh();
  }

  /** The best outcome after a step. @param {Step} step @returns {Judged["outcome"] | null} */
  worth(step) {
    const known = this.on && this.known.get(this.page.here);
    return known ? worthAfter(step, known.moves) : null;
  }

  /** The page shows a position: list its values, if they are wanted. */
  show() {
    const { here } = this.page;
    if (!this.walk) {
      byId("values-button").hidden = !this.open;
      byId("values-button").setAttribute("aria-pressed", String(this.on));
    }
    byId("values").hidden = !this.on;
    if (!this.on) return;
    const known = this.known.get(here);
    byId("known").classList.toggle("stale", !known);
    if (known) this.list.show(`${here.id}`, this.page.position, known, (usi) => this.page.play(usi));
    else if (this.asked !== here) {
      this.asked = here;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.#ask(here), PAUSE);
    }
  }

  /** @param {Node} node */
  async #ask(node) {
    const { page } = this;
    const plies = node.children.length ? 0 : (this.walk?.plies ?? 0);
    try {
      const found = await onceSolved(
        () => valuesOf(page.tree.branch(node), plies),
        (words) => {
          const wanted = this.on && page.here === node && this.asked === node;
          if (wanted) this.list.clear(words);
          return wanted;
        },
      );
      this.known.set(node, found);
      if (!node.children.length) page.graft(node, found.line);
    } catch (error) {
      if (page.here === node) this.list.clear(t("The values could not be looked up: {fault}", { fault: fault(error) }));
      return; // asked again when the position is shown again
    }
    if (this.asked === node) this.asked = null;
    if (page.here === node) page.input.refresh();
  }
}
