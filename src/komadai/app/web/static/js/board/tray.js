// @ts-check
/** The hand of a side: one slot per kind, always in the same place. */

import { button, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { onHold } from "../lib/press.js";
import { SIDE_NAMES } from "../lib/sides.js";
import { kindsByCode, nameByCode } from "./piece_names.js";
import { closeness, pieceIcon, tallness } from "./pieces.js";

/** @import { PieceSet } from "../types/client" */
/** @import { Side, Variant } from "../types/wire" */

const MANY = 8; // with more kinds a hand needs two rows on a small screen

export class Tray {
  /**
   * @param {HTMLElement} host @param {Variant} variant
   * @param {{
   *   tap: (side: Side, code: string) => void, look: (side: Side, code: string | null) => void,
   *   press: (side: Side, code: string, down: PointerEvent) => void, inspect: (side: Side, code: string) => void,
   * }} act `look`: a slot is hovered or focused, or (`null`) no longer; `press`: a press that may become a drag;
   * `inspect`: a long press
   */
  constructor(host, variant, act) {
    this.host = host;
    this.variant = variant;
    this.act = act;
    /** @type {Side} */
    this.side = "b";
    onHold(host, (target) => {
      const code = target.closest("button")?.dataset.code;
      if (code) act.inspect(this.side, code);
      return code !== undefined;
    });
    const stage = /** @type {HTMLElement} */ (host.closest(".stage") ?? host);
    stage.style.setProperty("--kinds", String(variant.hands.length));
    stage.style.setProperty("--tall", String(tallness(variant)));
    stage.style.setProperty("--close", String(closeness(variant)));
    host.classList.toggle("many", variant.hands.length > MANY);
    this.kinds = kindsByCode(variant);
    this.drawnFor = "";
  }

  /**
   * @param {Side} side its owner
   * @param {Record<string, number>} hand
   * @param {{ upsideDown: boolean, set: PieceSet, turn: boolean, live: Set<string>, selected: string | null }} look
   * `turn`: whether its owner may drop a piece now; kinds outside `live` have no legal drop.
   */
  show(side, hand, look) {
    const drawing = `${side}${look.upsideDown}${look.set}`;
    if (this.drawnFor !== drawing) this.#draw(side, look);
    this.drawnFor = drawing;
    for (const slot of this.host.querySelectorAll("button")) {
      const code = slot.dataset.code ?? "";
      const count = hand[code] ?? 0;
      slot.classList.toggle("empty", count === 0);
      const dead = look.turn && count > 0 && !look.live.has(code);
      slot.classList.toggle("live", look.live.has(code));
      slot.classList.toggle("dead", dead);
      slot.classList.toggle("selected", look.selected === code);
      slot.setAttribute("aria-pressed", String(look.selected === code));
      slot.setAttribute(
        "aria-label",
        t("{side}'s hand: {piece}, {number}", {
          side: SIDE_NAMES[side],
          piece: nameByCode(code, this.kinds),
          number: count || t("none"),
        }) + (dead ? t(", nowhere to drop it now") : ""),
      );
      slot.disabled = count === 0;
      slot.querySelector(".count")?.setAttribute("data-count", count > 1 ? String(count) : "");
    }
  }

  /** The picture of a piece in it. @param {string} code */
  picture(code) {
    return this.host.querySelector(`[data-code="${code}"] .icon`);
  }

  /** The place of a slot on the page. @param {string} code @returns {DOMRect} */
  rect(code) {
    return (this.host.querySelector(`[data-code="${code}"]`) ?? this.host).getBoundingClientRect();
  }

  /** @param {Side} side @param {{ upsideDown: boolean, set: PieceSet }} look */
  #draw(side, look) {
    this.side = side;
    this.host.dataset.side = side;
    this.host.replaceChildren(
      ...this.variant.hands.map((code) => {
        const kind = this.kinds.get(code);
        const picture = kind ? pieceIcon(this.variant, kind, { side, ...look }, true) : null;
        const slot = button(
          { class: "slot", "data-code": code },
          () => this.act.tap(side, code),
          picture,
          h("span", { class: "count" }),
        );
        for (const [event, looked] of /** @type {const} */ ([
          ["pointerenter", code],
          ["focus", code],
          ["pointerleave", null],
          ["blur", null],
        ]))
          slot.addEventListener(event, () => this.act.look(side, looked));
        slot.addEventListener("pointerdown", (down) => this.act.press(side, code, down));
        return slot;
      }),
    );
  }
}
