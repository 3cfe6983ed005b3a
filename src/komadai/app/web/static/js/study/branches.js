// @ts-check
/** The moves of a study as text: the main line with inset variations. */

import { button, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { moveText } from "../lib/prefs.js";
import { numberedMove } from "../moves/words.js";

/** @import { Node, Tree } from "./tree.js" */

const DEEP = 8; // deepest nesting of variations that is indented

/** The meanings of annotation symbols. @type {Record<string, string>} */
export const MARK_WORDS = {
  "!": t("a good move"),
  "?": t("a mistake"),
  "!!": t("an excellent move"),
  "??": t("a blunder"),
  "!?": t("an interesting move"),
  "?!": t("a doubtful move"),
};

export class Branches {
  /** @param {HTMLElement} host @param {(node: Node) => void} go */
  constructor(host, go) {
    this.host = host;
    this.go = go;
    /** @type {Map<Node, HTMLButtonElement>} */
    this.buttons = new Map();
    /** @type {Node | null} */
    this.here = null;
  }

  /** Draw the whole tree. @param {Tree} tree */
  draw(tree) {
    this.tree = tree;
    this.buttons.clear();
    const { root } = tree;
    const start = this.#button(root, t("The start"), h("span", {}, t("Start")));
    const begin = h(
      "p",
      { class: "line-start" },
      start,
      root.comment ? h("span", { class: "comment" }, root.comment) : null,
    );
    this.host.replaceChildren(begin, this.#line(root, 0));
    this.here = null;
  }

  /** Mark the move shown. @param {Node} node */
  mark(node) {
    const before = this.here && this.buttons.get(this.here);
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    const now = this.buttons.get(node);
    now?.setAttribute("aria-current", "true");
    now?.setAttribute("tabindex", "0");
    if (before && now && before === document.activeElement) now.focus({ preventScroll: true });
    if (now && this.here !== node) {
      // Scroll only the list, never the page.
      const [box, own] = [this.host.getBoundingClientRect(), now.getBoundingClientRect()];
      if (own.top < box.top) this.host.scrollTop -= box.top - own.top + 8;
      else if (own.bottom > box.bottom) this.host.scrollTop += own.bottom - box.bottom + 8;
    }
    this.here = node;
  }

  /** The line that continues from a node. @param {Node} from @param {number} deep */
  #line(from, deep) {
    const list = h("ol", { class: deep ? "line variation" : "line" });
    let fresh = true;
    for (let at = from.children[0], parent = from; at; parent = at, at = at.children[0]) {
      list.append(this.#item(at, fresh));
      const others = parent.children.slice(1);
      for (const other of others) list.append(h("li", { class: "aside" }, this.#variation(other, deep + 1)));
      fresh = others.length > 0 || at.comment !== "";
    }
    return list;
  }

  /** The variation that starts with a node. @param {Node} first @param {number} deep */
  #variation(first, deep) {
    const list = this.#line(first, deep);
    list.prepend(this.#item(first, true));
    list.classList.toggle("deep", deep > DEEP);
    return list;
  }

  /** A move and its comment; `fresh`: its number must be shown. @param {Node} node @param {boolean} fresh */
  #item(node, fresh) {
    const { tree } = this;
    const { move, mark, comment } = node;
    if (!tree || !move) return h("li");
    const pairs = tree.study.variant.numbering === "pairs";
    const ply = tree.ply(node);
    const number = pairs ? Math.ceil(ply / 2) : ply;
    const later = pairs && move.side === "w";
    const shown = later ? (fresh ? `${number}… ` : "") : `${number}. `;
    const said = [numberedMove(ply, move.side, move), MARK_WORDS[mark]].filter(Boolean).join(", ");
    const sign = mark ? h("span", { class: `mark ${mark.includes("?") ? "bad" : "good"}` }, mark) : null;
    const made = this.#button(
      node,
      said,
      h("span", { class: "number" }, shown),
      h("span", { class: "move-text" }, ...marked(moveText(move))),
      sign,
    );
    return h("li", {}, made, comment ? h("span", { class: "comment" }, comment) : null);
  }

  /** @param {Node} node @param {string} words for screen readers @param {(HTMLElement | null)[]} shown */
  #button(node, words, ...shown) {
    const seen = h("span", { "aria-hidden": "true" }, ...shown);
    const made = button(
      { class: "move", tabindex: "-1", "data-node": node.id },
      () => this.go(node),
      seen,
      h("span", { class: "visually-hidden" }, ...marked(words)),
    );
    this.buttons.set(node, made);
    return made;
  }
}
