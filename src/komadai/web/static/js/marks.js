// @ts-check
/** The signs that are drawn on points: where a piece may go, and what threatens it. They differ in shape, not in colour alone. */

import { s } from "./dom.js";
import { label } from "./pieces.js";

/** @typedef {import("./types").Kind} Kind */
/** @typedef {import("./types").PieceSet} PieceSet */
/** @typedef {import("./types").Judged["outcome"]} Value */
/**
 * A point that can be reached; `becomes`: the kind the mover turns into there; `gains`: what a capture there brings to
 * the hand, where that is another kind than the one taken; the empty string if that one leaves the game; `costs`: whether
 * the move gives up pieces of the mover's own; `value`: the best that can come of it, where that is known and shown.
 * @typedef {{ at: string, capture: boolean, becomes: string | null, gains: string | null, costs: boolean, value: Value | null }} Target
 */
/** @typedef {{ kinds: Map<string, Kind>, set: PieceSet, rowHeight: number }} Style */

const AWAY = "M-6 6 L6 -6 M-3 -6.5 H6.5 V3"; // an arrow that leads away

/** A pattern of stripes. @param {string} id @param {string} strong class of the stripes @param {string} [weak] class of stripes between them */
export function stripes(id, strong, weak) {
  const wide = weak ? 27 : 20;
  const d = `M-5 5 L5 -5 M0 ${wide} L${wide} 0 M${wide - 5} ${wide + 5} L${wide + 5} ${wide - 5}`;
  return s(
    "pattern",
    { id, width: wide, height: wide, patternUnits: "userSpaceOnUse" },
    weak ? s("path", { class: weak, d }) : null,
    s("path", { class: strong, d }),
  );
}

/** A target. @param {Target} target @param {[number, number]} centre @param {Style} style @returns {SVGElement[]} */
export function targetSigns({ capture, becomes, gains, costs, value }, [x, y], { kinds, set, rowHeight }) {
  /** @type {SVGElement[]} */
  const parts = capture
    ? [s("circle", { class: "ring-back", cx: x, cy: y, r: 43 }), s("circle", { class: "ring", cx: x, cy: y, r: 43 })]
    : [s("circle", { class: costs ? "dot hollow" : "dot", cx: x, cy: y, r: costs ? 17 : 15 })];
  if (costs && !capture) parts.push(s("path", { class: "slash", d: AWAY, transform: `translate(${x} ${y})` }));
  const kind = becomes === null ? undefined : kinds.get(becomes);
  if (kind) {
    const text = label(kind, "b", set);
    const size = (set === "letters" ? 17 : 20) * (text.length > 2 ? 0.72 : 1);
    parts.push(
      s(
        "g",
        { class: `becomes ${set}`, transform: `translate(${x + 29} ${y + rowHeight / 2 - 21})` },
        s("rect", { x: -17, y: -17, width: 34, height: 34, rx: 8 }),
        s("text", { y: size * 0.37, "font-size": size, "text-anchor": "middle" }, text),
      ),
    );
  }
  if (gains !== null) parts.push(gainSign(kinds.get(gains), [x - 30, y - rowHeight / 2 + 20], set));
  if (value) parts.push(valueSign(value, [x - 30, y + rowHeight / 2 - 20]));
  return parts;
}

/** A win is a full disc, a draw a ring, a loss a cross. @param {Value} value @param {[number, number]} centre */
function valueSign(value, [x, y]) {
  const sign = value === "loss" ? s("path", { d: "M-7 -7 L7 7 M7 -7 L-7 7" }) : s("circle", { class: "value-mark", r: 8 });
  return s("g", { class: `value-sign ${value}`, transform: `translate(${x} ${y})` }, s("circle", { class: "value-back", r: 17 }), sign);
}

/** What comes to the hand, or a cross. @param {Kind | undefined} kind @param {[number, number]} centre @param {PieceSet} set */
function gainSign(kind, [x, y], set) {
  const size = set === "letters" ? 17 : 22;
  const sign = kind
    ? s("text", { y: size * 0.37, "font-size": size, "text-anchor": "middle" }, label(kind, "b", set))
    : s("path", { d: "M-8 -8 L8 8 M8 -8 L-8 8" });
  return s("g", { class: `gains ${set}`, transform: `translate(${x} ${y})` }, s("circle", { r: 18 }), sign);
}

/** A piece that is lost unless its owner saves it this turn: hatched, with a clock. @param {string} at @param {[number, number]} centre */
export function savingSign(at, [x, y]) {
  return s(
    "g",
    { class: "saving", "data-stranded": at, transform: `translate(${x} ${y})` },
    hatched("url(#hatch-strong)"),
    s(
      "g",
      { class: "clock", transform: "translate(-30 -30)" },
      s("circle", { r: 17 }),
      s("path", { d: "M0 -10 V0 L7 5" }),
    ),
  );
}

/** A piece that the move in view gives up: hatched, with an arrow away. @param {string} at @param {[number, number]} centre */
export function costSign(at, [x, y]) {
  return s(
    "g",
    { class: "costs", "data-costs": at, transform: `translate(${x} ${y})` },
    hatched("url(#hatch-strong)"),
    s(
      "g",
      { class: "away", transform: "translate(30 -30)" },
      s("circle", { r: 17 }),
      s("path", { d: AWAY }),
    ),
  );
}

/** @param {string} fill */
function hatched(fill) {
  return s("rect", { class: "hatched", x: -43, y: -43, width: 86, height: 86, rx: 15, fill });
}
