// @ts-check
/** Signs on points: targets of the move being made, and its effects. They differ in shape, not only in colour. */

import { s } from "../lib/dom.js";
import { script, smallLabel } from "./pieces.js";

/** @import { PieceSet } from "../types/client" */
/** @import { Kind, PlayedMove } from "../types/wire" */
/** @typedef {import("../types/wire").Judged["outcome"]} Value */
/**
 * A target: a point of the next step, of the end of the move (`stop`), or of an end several steps on (`far`).
 * `becomes`: the kind that the mover promotes to there; `gains`: the kind that a capture brings to the hand if it
 * differs from the captured one, the empty string if that leaves the game; `costs`: the move loses pieces of one's own;
 * `gone`: the mover leaves the game there; `value`: the best outcome, if it is known and shown.
 * @typedef {{
 *   at: string, form: "go" | "capture" | "shoot" | "stop" | "far", becomes: string | null, gains: string | null,
 *   costs: boolean, gone: boolean, value: Value | null,
 * }} Target
 */
/**
 * `round`: pieces are stones, and lost pieces burn instead of going to a hand.
 * @typedef {{ kinds: Map<string, Kind>, set: PieceSet, rowHeight: number, round: boolean }} Style
 */
/**
 * The marks over and under the pieces. `ghost`: the point where the selected piece is drawn during a compound move,
 * `way`: its path there and `taken`: the points of its captures; `shaded`: points forbidden to it; `stranded`: pieces
 * that must be saved this turn; `held`: immobilized pieces; `movable`: pieces that can be dragged;
 * `intended`: the move chosen for one's next turn.
 * @typedef {{
 *   selected: string | null, ghost: string | null, way: import("../types/wire").Landing[], taken: string[],
 *   targets: Target[], shaded: string[], last: PlayedMove | null, check: string | null,
 *   support: { pieces: string[], links: string[] } | null, stranded: string[], held: string[],
 *   movable: string[], intended: Pick<PlayedMove, "usi" | "from" | "to"> | null,
 * }} Marks
 */
/**
 * Effects of the move in view: own pieces lost (`mover`: the moving piece among them) and other pieces removed.
 * @typedef {{ loses: string[], burns: string[], mover: string | null }} Losses
 */

const AWAY = "M-6 6 L6 -6 M-3 -6.5 H6.5 V3"; // an arrow pointing away
const CHAIN = "M-2 -2 a5.5 5.5 0 1 0 -5 5 M2 2 a5.5 5.5 0 1 0 5 -5 M-3.5 3.5 L3.5 -3.5"; // two links of one

/**
 * A pattern of stripes.
 * @param {string} id @param {string} strong class of the stripes @param {string} [weak] class of stripes between them
 */
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

/**
 * Circles around a point, the wider ones behind.
 * @param {[number, number]} centre @param {number} r @param {string[]} classes
 */
function circles([x, y], r, ...classes) {
  return classes.map((name) => s("circle", { class: name, cx: x, cy: y, r }));
}

/**
 * The main sign of a target.
 * @param {Target} target @param {[number, number]} centre @param {Style} style @returns {SVGElement[]}
 */
function sign({ form, costs }, [x, y], { round }) {
  switch (form) {
    case "capture":
      return circles([x, y], round ? 48 : 43, "ring-back", "ring");
    case "shoot": {
      const d = `M${x - 60} ${y} h24 M${x + 60} ${y} h-24 M${x} ${y - 60} v24 M${x} ${y + 60} v-24`;
      return [
        ...circles([x, y], 47, "aim-back"),
        s("path", { class: "aim-back", d }),
        ...circles([x, y], 47, "aim"),
        s("path", { class: "aim", d }),
      ];
    }
    case "stop":
      return circles([x, y], 49, "halt-back", "halt");
    case "far":
      return circles([x, y], 9, "far");
    case "go":
      return circles([x, y], costs ? 17 : 15, costs ? "dot hollow" : "dot");
  }
}

/**
 * All signs of a target.
 * @param {Target} target @param {[number, number]} centre @param {Style} style @returns {SVGElement[]}
 */
export function targetSigns(target, [x, y], style) {
  const { form, becomes, gains, costs, gone, value } = target;
  const { kinds, set, rowHeight, round } = style;
  const parts = sign(target, [x, y], style);
  if (costs && round) parts.push(flame([x + 31, y - 31], "flame own small"));
  else if (costs && form === "go")
    parts.push(s("path", { class: "slash", d: AWAY, transform: `translate(${x} ${y})` }));
  if (gone) parts.push(crossed([x - 31, y - 31], 11));
  const kind = becomes === null ? undefined : kinds.get(becomes);
  if (kind) {
    const text = smallLabel(kind, "b", set);
    const size = (set === "letters" ? 17 : 20) * (text.length > 2 ? 0.72 : 1);
    parts.push(
      s(
        "g",
        { class: `becomes ${script(set)}`, transform: `translate(${x + 29} ${y + rowHeight / 2 - 21})` },
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
  const sign =
    value === "loss" ? s("path", { d: "M-7 -7 L7 7 M7 -7 L-7 7" }) : s("circle", { class: "value-mark", r: 8 });
  return s(
    "g",
    { class: `value-sign ${value}`, transform: `translate(${x} ${y})` },
    s("circle", { class: "value-back", r: 17 }),
    sign,
  );
}

/**
 * The kind that comes to the hand, or a cross.
 * @param {Kind | undefined} kind @param {[number, number]} centre @param {PieceSet} set
 */
function gainSign(kind, [x, y], set) {
  const size = set === "letters" ? 17 : 22;
  const sign = kind
    ? s("text", { y: size * 0.37, "font-size": size, "text-anchor": "middle" }, smallLabel(kind, "b", set))
    : s("path", { d: "M-8 -8 L8 8 M8 -8 L-8 8" });
  return s("g", { class: `gains ${script(set)}`, transform: `translate(${x} ${y})` }, s("circle", { r: 18 }), sign);
}

/**
 * A sign on a piece: its ground, and a badge at a corner.
 * @param {[number, number]} centre @param {Record<string, string>} attributes @param {SVGElement} ground
 * @param {string} badge its class @param {string} place @param {string} d what is drawn on it
 */
function badged([x, y], attributes, ground, badge, place, d) {
  const drawn = [s("circle", { r: 17 }), s("path", { d })];
  const corner = s("g", { class: badge, transform: `translate(${place})` }, ...drawn);
  return s("g", { ...attributes, transform: `translate(${x} ${y})` }, ground, corner);
}

/**
 * A piece that is lost unless it is saved this turn: hatched, with a clock.
 * @param {string} at @param {[number, number]} centre
 */
export function savingSign(at, centre) {
  const attributes = { class: "saving", "data-stranded": at };
  return badged(centre, attributes, hatched("url(#hatch-strong)"), "clock", "-30 -30", "M0 -10 V0 L7 5");
}

/**
 * A piece that the move would lose to the opponent's hand: hatched, with an arrow pointing away.
 * @param {string} at @param {[number, number]} centre
 */
export function costSign(at, centre) {
  return badged(centre, { class: "costs", "data-costs": at }, hatched("url(#hatch-strong)"), "away", "30 -30", AWAY);
}

/** @param {string} fill */
function hatched(fill) {
  return s("rect", { class: "hatched", x: -43, y: -43, width: 86, height: 86, rx: 15, fill });
}

const FLAME =
  "M0 -24 C13 -10 19 -3 19 8 A19 19 0 0 1 -19 8 C-19 0 -14 -5 -11 -13 C-8 -6 -4 -4 -3 -5 C-6 -13 -3 -19 0 -24 Z";

/** @param {[number, number]} centre @param {string} className */
function flame([x, y], className) {
  return s("path", {
    class: className,
    d: FLAME,
    transform: `translate(${x} ${y})${className.includes("small") ? " scale(.62)" : ""}`,
  });
}

/** @param {[number, number]} centre @param {number} size */
function crossed([x, y], size) {
  return s("path", {
    class: "crossed",
    d: `M${x - size} ${y - size} L${x + size} ${y + size} M${x + size} ${y - size} L${x - size} ${y + size}`,
  });
}

/**
 * A piece that the move would remove without capturing it.
 * @param {string} at @param {[number, number]} centre @param {boolean} own
 */
export function burnSign(at, centre, own) {
  return s(
    "g",
    { class: own ? "burning own" : "burning", [own ? "data-costs" : "data-burns"]: at },
    ...circles(centre, 47, "scorched"),
    flame([centre[0] + 26, centre[1] - 26], own ? "flame own" : "flame"),
  );
}

/** The mover, if the move would remove it. @param {string} at @param {[number, number]} centre */
export function lostSign(at, centre) {
  return s("g", { class: "lost", "data-costs": at }, crossed(centre, 38));
}

/** A piece captured earlier in the move being made. @param {string} at @param {[number, number]} centre */
export function takenSign(at, centre) {
  return s("g", { class: "taken", "data-taken": at }, crossed(centre, 22));
}

/** An immobilized piece: under a mesh, with links of a chain. @param {string} at @param {[number, number]} centre */
export function immobilizedSign(at, centre) {
  const net = s("circle", { class: "mesh", r: 47, fill: "url(#mesh)" });
  return badged(centre, { class: "held-sign", "data-held": at }, net, "chain", "-31 -31", CHAIN);
}

/** A pattern of a mesh. @param {string} id */
export function mesh(id) {
  return s(
    "pattern",
    { id, width: 16, height: 16, patternUnits: "userSpaceOnUse" },
    s("path", { class: "mesh-line", d: "M0 0 L16 16 M16 0 L0 16" }),
  );
}
