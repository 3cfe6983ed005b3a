// @ts-check
/** The end of a game on the board: the loser's king falls, or its cubes scatter and come back. */

import { still } from "../lib/prefs.js";

/** @import { Side } from "../types/wire" */
/** @import { Board } from "./svg.js" */

const FALL = 900; // milliseconds
const SCATTER = 1600; // there and back
const FAR = 150; // distance of a cube thrown, a point being 100 wide

/**
 * Play it once, unless animations are off. A fallen king lies until the board changes.
 * @param {Board} board @param {Side} loser
 */
export function topple(board, loser) {
  if (still()) return;
  const cubes = board.variant.look === "cubes";
  const lost = [...board.drawn].filter(([at]) => {
    const piece = board.pieces[at] ?? "";
    return piece[0] === loser && (cubes || board.kinds.get(piece.slice(1))?.royal);
  });
  lost.forEach(([, slot], number) => {
    const piece = slot.lastElementChild;
    if (!piece) return;
    if (cubes) scatter(piece, number / lost.length);
    else board.fallen.push(fall(piece));
  });
}

/** A king tips over to its side and rocks. @param {Element} piece */
function fall(piece) {
  const turned = (/** @type {number} */ angle, /** @type {number} */ down) => ({
    transform: `translate(${down * 2}px, ${down}px) rotate(${angle}deg)`,
  });
  const frames = [turned(0, 0), turned(-7, 0), turned(84, 4), turned(74, 2), turned(86, 4), turned(82, 4)];
  return piece.animate(frames, { duration: FALL, easing: "ease-in", fill: "forwards" });
}

/** A cube tumbles away and comes back. @param {Element} piece @param {number} part of a turn: the direction */
function scatter(piece, part) {
  const angle = (part + 0.13) * 2 * Math.PI;
  const [x, y] = [Math.cos(angle) * FAR, Math.sin(angle) * FAR];
  const away = `translate(${x.toFixed(0)}px, ${y.toFixed(0)}px) rotate(${x < 0 ? -200 : 200}deg)`;
  piece.animate(
    [
      { transform: "none", easing: "cubic-bezier(.15, .7, .4, 1)" },
      { transform: away, opacity: 0.85, offset: 0.45 },
      { transform: away, opacity: 0.85, offset: 0.6, easing: "ease-in-out" },
      { transform: "none" },
    ],
    { duration: SCATTER },
  );
}
