// @ts-check
/** The card of a piece: its name, its moves and its promotion. */

import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { SIDE_NAMES } from "../lib/sides.js";
import { flips } from "./cube_net.js";
import { moveDiagram } from "./move_diagram.js";
import { kindName, kindReading, kindTitle } from "./piece_names.js";
import { pieceIcon } from "./pieces.js";

/** @import { PieceSet } from "../types/client" */
/** @import { Kind, Side, Variant } from "../types/wire" */

export class PieceCard {
  /** @param {HTMLElement} host @param {Variant} variant @param {Map<string, Kind>} kinds */
  constructor(host, variant, kinds) {
    this.host = host;
    this.variant = variant;
    this.kinds = kinds;
    this.shown = "";
  }

  /** Explain the card before one is shown. @param {string} words */
  invite(words) {
    this.host.replaceChildren(h("p", { class: "quiet card-hint" }, words));
    this.host.hidden = false;
    this.host.tabIndex = 0; // it keeps its size here, and long cards scroll
  }

  /** Show the card of a piece. @param {string} code @param {Side} side @param {PieceSet} set */
  show(code, side, set) {
    const kind = this.kinds.get(code);
    const key = `${side}${code} ${set}`;
    if (!kind || this.shown === key) return;
    this.shown = key;
    this.host.scrollTop = 0;
    const next = kind.next === null ? undefined : this.kinds.get(kind.next);
    const turns = next
      ? "; " +
        (flips(kind, this.kinds)
          ? t("flips to {piece}", { piece: kindName(next) })
          : t("rolls to {piece}", { piece: kindName(next) }))
      : "";
    this.host.replaceChildren(
      h("div", { class: "card-piece" }, pieceIcon(this.variant, kind, { side, upsideDown: false, set, next })),
      h(
        "div",
        { class: "card-words" },
        h("strong", {}, kindTitle(kind)),
        h("span", { class: "quiet" }, `${kindReading(kind)} · ${kind.code}`),
        h("span", { class: "quiet" }, t("{side}’s", { side: SIDE_NAMES[side] }) + turns),
      ),
      moveDiagram(kind),
      kind.words?.length ? h("ul", { class: "card-lines" }, ...kind.words.map((words) => h("li", {}, words))) : "",
    );
    this.host.hidden = false;
  }

  /** Show no card, unless it lies over the page. */
  hide() {
    if (this.host.classList.contains("sheeted")) return;
    this.shown = "";
    this.host.hidden = true;
  }

  /** Show the card over the page on small screens, where it has no room beside the board. */
  lift() {
    if (this.host.classList.contains("sheeted")) return;
    this.host.classList.add("sheeted");
    const stop = new AbortController();
    const lower = (/** @type {Event} */ event) => {
      if (
        event instanceof KeyboardEvent ? event.key !== "Escape" : this.host.contains(/** @type {Node} */ (event.target))
      )
        return; // a finger scrolls it
      this.host.classList.remove("sheeted");
      stop.abort();
    };
    for (const name of ["pointerdown", "keydown"])
      document.addEventListener(name, lower, { capture: true, signal: stop.signal });
  }
}
