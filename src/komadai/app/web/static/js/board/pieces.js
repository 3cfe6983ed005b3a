// @ts-check
/** Drawings of pieces, centred at (0, 0) in a box of 100 by 100. */

import { s } from "../lib/dom.js";
import { fullName } from "./piece_names.js";

/** @import { PieceSet } from "../types/client" */
/** @import { Kind, Side, Variant } from "../types/wire" */

/** @typedef {{ side: Side, upsideDown: boolean, set: PieceSet, next?: Kind | undefined }} Look */

const STONE = 47; // radius
const KOMA = "0,-46 25,-36 37,44 -37,44 -25,-36";

/** How large one kanji is, in the size of that of the first set. */
const KANJI_SIZE = { kanji: 1, full: 1, brush: 1.16, short: 1.12, moves: 1.25, letters: 1 };

const UNIT = 8.5; // distance between points in the sign of the moves
const DOT = 6.4; // width of its dots

/** A place in it. @param {number} right @param {number} ahead @param {number} times */
function spot(right, ahead, times = 1) {
  return `${(right * times * UNIT).toFixed(1)} ${(-ahead * times * UNIT).toFixed(1)}`;
}

/**
 * A small sign of the moves of a kind, from the owner's point of view, centred at (0, 0) and some 40 wide: dots for
 * steps, lines for slides, which begin behind a square for hops, rings for several legs, a target for shots.
 * @param {Kind} kind @param {string} place SVG transform
 */
function glyph({ moves, walks = [], shot = null }, place) {
  const far = (/** @type {number} */ right, /** @type {number} */ ahead) =>
    2.2 / Math.max(Math.abs(right), Math.abs(ahead));
  const dots = moves.filter(({ reach }) => reach === 1).map(({ right, ahead }) => `M${spot(right, ahead)}h0`);
  const lines = moves
    .filter(({ reach }) => reach !== 1)
    .map(
      (leg) =>
        `M${spot(leg.right, leg.ahead, leg.hops ? 1.4 : 0.45)}L${spot(leg.right, leg.ahead, far(leg.right, leg.ahead))}`,
    );
  const hurdles = moves
    .filter(({ hops }) => hops)
    .map(({ right, ahead }) =>
      s("rect", { class: "glyph-hurdle", x: right * UNIT - 2.4, y: -ahead * UNIT - 2.4, width: 4.8, height: 4.8 }),
    );
  const rings = walks
    .flatMap(({ vectors }) => vectors)
    .map(([right, ahead]) => s("circle", { cx: right * UNIT, cy: -ahead * UNIT, r: 3.1 }));
  return s(
    "g",
    { class: "glyph", transform: place },
    lines.length ? s("path", { class: "glyph-lines", d: lines.join("") }) : null,
    dots.length ? s("path", { class: "glyph-dots", d: dots.join(""), "stroke-width": DOT }) : null,
    ...hurdles,
    ...rings,
    shot
      ? s("path", { class: "glyph-shot", d: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0M-8 0H8M0 -8V8" })
      : s("path", { class: "glyph-self", d: "M-2.6 0h5.2" }),
  );
}

/** The writing on a piece. @param {Kind} kind @param {Side} side @param {PieceSet} set */
export function label(kind, side, set) {
  if (set === "letters") return kind.code;
  if (set === "full") return fullName(kind, side);
  if (set === "short" || set === "moves") return side === "w" ? kind.shortWhite : kind.short;
  return side === "w" ? kind.kanjiWhite : kind.kanji;
}

/** The writing where there is little room. @param {Kind} kind @param {Side} side @param {PieceSet} set */
export function smallLabel(kind, side, set) {
  return label(kind, side, set === "full" ? "kanji" : set);
}

/** True if pieces of a set bear a sign of their moves. @param {PieceSet} set */
function signed(set) {
  return set === "letters" || set === "moves";
}

/** The class of writing in a set, for its font. @param {PieceSet} set */
export function script(set) {
  return set === "letters" ? "letters" : `kanji in-${set}`;
}

/**
 * Text on a piece. Kanji turn with the piece, letters stay upright.
 * @param {string} text @param {number} size @param {number} x @param {number} y @param {Look} look
 * @param {string} [extra]
 */
function writing(text, size, x, y, look, extra = "") {
  const letters = look.set === "letters";
  const chars = [...text];
  const stacked = !letters && chars.length > 1;
  const fit = letters ? ([1, 0.8, 0.62, 0.5][chars.length - 1] ?? 0.4) : stacked ? 0.72 : KANJI_SIZE[look.set];
  const fontSize = size * fit;
  const group = s("g", {
    class: `${script(look.set)} ${extra}`,
    "font-size": fontSize,
    transform: `translate(${x} ${y})${letters && look.upsideDown ? " rotate(180)" : ""}`,
  });
  const lines = stacked ? chars : [text];
  lines.forEach((line, index) => {
    const row = (index - (lines.length - 1) / 2) * fontSize;
    group.append(s("text", { x: 0, y: row + fontSize * (letters ? 0.35 : 0.37), "text-anchor": "middle" }, line));
  });
  return group;
}

/**
 * The code of a kind, or its kanji, above the sign of its moves.
 * @param {Kind} kind @param {number} size @param {number} above y of the code @param {number} below y of the sign
 * @param {Look} look @param {number} [x] x of both @param {boolean} [turned] whether to turn the sign upside down
 */
function lettered(kind, size, above, below, look, x = 0, turned = false) {
  return [
    writing(label(kind, look.side, look.set), size, x, above, look, kind.turned ? "turned" : ""),
    glyph(kind, `translate(${x} ${below})${turned ? " rotate(180)" : ""}`),
  ];
}

/** A five-sided wooden piece. @param {Kind} kind @param {Look} look */
function koma(kind, look) {
  return [
    s("polygon", { class: "koma-body", points: KOMA }),
    s("polyline", { class: "koma-shine", points: "-35,42 -23.5,-34.5 0,-43.8 23.5,-34.5" }),
    s("polyline", { class: "koma-shade", points: "-36,42.6 36,42.6 24.6,-34" }),
    ...(signed(look.set)
      ? lettered(kind, 27, -20, 20, look)
      : [writing(label(kind, look.side, look.set), 48, 0, 6, look, kind.turned ? "turned" : "")]),
  ];
}

/**
 * A cube from above: rim, top face, an arrowhead for its direction, and the face that comes up next.
 * @param {Kind} kind @param {Look} look
 */
function cube(kind, look) {
  const next = look.next;
  const parts = [
    s("rect", { class: "cube-rim", x: -43, y: -43, width: 86, height: 86, rx: 15 }),
    s("rect", { class: "cube-face", x: -34, y: -30, width: 68, height: 66, rx: 10 }),
    s("path", { class: "cube-front", d: "M-10 -33.5 L0 -41 L10 -33.5 Z" }),
    ...(signed(look.set)
      ? lettered(kind, 24, -17, 14, look, next ? -9 : 0)
      : [
          writing(
            label(kind, look.side, look.set),
            next ? 48 / KANJI_SIZE[look.set] : 48,
            next ? -4 : 0,
            next ? -1 : 3,
            look,
          ),
        ]),
  ];
  if (next) {
    parts.push(
      s("rect", { class: "cube-corner", x: 8, y: 10, width: 26, height: 26, rx: 8 }),
      writing(smallLabel(next, look.side, look.set), 20, 21, 23, look, "small"),
    );
  }
  return parts;
}

/**
 * A round stone, black or white; a promoted one has a second rim. The writing stays upright, since the colour shows the
 * owner.
 * @param {Kind} kind @param {Look} look
 */
function stone(kind, look) {
  const text = label(kind, look.side, look.set);
  const upright = { ...look, upsideDown: false };
  const count = [...text].length;
  const size = [58, 56, 41][count - 1] ?? 36;
  return [
    s("circle", { class: "stone-body", r: STONE }),
    s("path", { class: "stone-shine", d: "M-34 -22 A41 41 0 0 1 4 -40.5" }),
    kind.turned ? s("circle", { class: "stone-rim", r: STONE - 4.5 }) : null,
    ...(signed(look.set)
      ? lettered(kind, 27, -25, 11, upright, 0, look.upsideDown)
      : [writing(text, size, 0, 0, upright, kind.turned ? "turned" : "")]),
  ];
}

/**
 * A piece as an SVG group.
 * @param {Variant} variant @param {Kind} kind @param {Look} look
 */
export function drawPiece(variant, kind, look) {
  if (variant.look === "stones")
    return s(
      "g",
      { class: `piece stones side-${look.side} ${look.set}-set` },
      s("circle", { class: "shadow", cy: 3.5, r: STONE }),
      ...stone(kind, look),
    );
  const cubes = variant.look === "cubes";
  const turn = look.upsideDown ? "rotate(180)" : null;
  const scale = cubes || kind.royal ? null : "scale(0.95)";
  const shadow = cubes
    ? s("rect", { class: "shadow", x: -43, y: -39, width: 86, height: 86, rx: 15 })
    : s("polygon", { class: "shadow", points: KOMA, transform: `translate(0 4)${turn ? ` ${turn}` : ""}` });
  return s(
    "g",
    { class: `piece ${variant.look} side-${look.side} ${look.set}-set`, transform: scale },
    shadow,
    s("g", { transform: turn }, ...(cubes ? cube(kind, look) : koma(kind, look))),
  );
}

/** The width of a piece in hand, in that of a square. @param {Variant} variant */
export function closeness(variant) {
  return variant.look === "squares" ? 0.78 : 1;
}

/** The height of a piece in hand, in its width: five-sided pieces are cut close there. @param {Variant} variant */
export function tallness(variant) {
  return variant.look === "squares" ? 1.25 : 1.04;
}

/**
 * A piece as a separate SVG image.
 * @param {Variant} variant @param {Kind} kind @param {Look} look @param {boolean} [close] whether it is cut close
 */
export function pieceIcon(variant, kind, look, close = false) {
  const tight = close && variant.look === "squares";
  return s(
    "svg",
    {
      viewBox: tight ? "-39 -47.5 78 97.5" : "-50 -50 100 104",
      class: "icon",
      "aria-hidden": "true",
      focusable: "false",
    },
    drawPiece(variant, kind, look),
  );
}
