// @ts-check
/** A player's stand: the pieces in hand, one slot for each kind, which never moves. */

import { button, h } from "./dom.js";
import { kindsByCode, pieceIcon } from "./pieces.js";

/** @typedef {import("./types").Variant} Variant */
/** @typedef {import("./types").Side} Side */
/** @typedef {import("./types").PieceSet} PieceSet */

/** Side names for people. @type {Record<Side, string>} */
export const SIDE_NAMES = { b: "Black", w: "White" };

export class Tray {
  /** @param {HTMLElement} host @param {Variant} variant @param {(side: Side, code: string) => void} tap */
  constructor(host, variant, tap) {
    this.host = host;
    this.variant = variant;
    this.tap = tap;
    this.kinds = kindsByCode(variant);
    this.drawnFor = "";
  }

  /**
   * @param {Side} side whose hand this is
   * @param {Record<string, number>} hand
   * @param {{ upsideDown: boolean, set: PieceSet, live: Set<string>, selected: string | null }} look
   */
  show(side, hand, look) {
    const drawing = `${side}${look.upsideDown}${look.set}`;
    if (this.drawnFor !== drawing) this.#draw(side, look);
    this.drawnFor = drawing;
    for (const slot of this.host.querySelectorAll("button")) {
      const code = slot.dataset["code"] ?? "";
      const count = hand[code] ?? 0;
      const name = this.kinds.get(code)?.name ?? code;
      slot.classList.toggle("empty", count === 0);
      slot.classList.toggle("live", look.live.has(code));
      slot.classList.toggle("selected", look.selected === code);
      slot.setAttribute("aria-pressed", String(look.selected === code));
      slot.setAttribute("aria-label", `${SIDE_NAMES[side]}'s hand: ${name}, ${count || "none"}`);
      slot.disabled = count === 0;
      const badge = slot.querySelector(".count");
      if (badge) badge.textContent = count > 1 ? String(count) : "";
    }
  }

  /** Where a slot is on the page. @param {string} code @returns {DOMRect} */
  rect(code) {
    return (this.host.querySelector(`[data-code="${code}"]`) ?? this.host).getBoundingClientRect();
  }

  /** @param {Side} side @param {{ upsideDown: boolean, set: PieceSet }} look */
  #draw(side, look) {
    this.host.dataset["side"] = side;
    this.host.replaceChildren(
      ...this.variant.hands.map((code) => {
        const kind = this.kinds.get(code);
        const picture = kind ? pieceIcon(this.variant, kind, { side, ...look }) : null;
        return button({ class: "slot", "data-code": code }, () => this.tap(side, code), picture, h("span", { class: "count" }));
      }),
    );
  }
}
