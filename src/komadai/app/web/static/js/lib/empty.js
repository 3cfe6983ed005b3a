// @ts-check
/** What a page shows where there is nothing yet: a picture, a sentence and the next step. */

import { h, s } from "./dom.js";

const KOMA = "0,-46 25,-36 37,44 -37,44 -25,-36";
const STEP = 92; // from one piece to the next

/** A piece; without writing the outline of one that is missing. @param {string} writing @param {number} at @param {number} of */
function koma(writing, at, of) {
  const place = `translate(${(at - (of - 1) / 2) * STEP} 0) rotate(${(at - (of - 1) / 2) * 7})`;
  return s(
    "g",
    { class: writing ? "empty-koma" : "empty-koma missing", transform: place },
    s("polygon", { points: KOMA }),
    writing ? s("text", { y: 24, "text-anchor": "middle" }, writing) : null,
  );
}

/**
 * The picture and what stands below it: sentences, links, buttons.
 * @param {string[]} pieces their writing; an empty one is missing @param {...Node} below
 */
export function emptyState(pieces, ...below) {
  const wide = pieces.length * STEP + 20;
  const box = `${-wide / 2} -62 ${wide} 124`;
  return h(
    "div",
    { class: "empty-state" },
    s(
      "svg",
      { viewBox: box, width: wide, height: 124, "aria-hidden": "true", focusable: "false" },
      ...pieces.map((writing, at) => koma(writing, at, pieces.length)),
    ),
    ...below,
  );
}
