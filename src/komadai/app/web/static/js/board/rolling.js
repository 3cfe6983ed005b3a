// @ts-check
/** Cubes that roll a quarter turn, seen from above: one face goes down ahead while the next comes up behind it. */

const SIDE = 86; // of the drawing of a cube
const TIME = 280; // milliseconds
const STEPS = 8;

/**
 * The transforms of the two faces on their way, in equal steps.
 * @param {[number, number]} way the direction in which the cube rolls; if none, away from the person at the board
 * @returns {{ down: string[], up: string[] }}
 */
export function quarterTurn([dx, dy]) {
  const across = Math.abs(dx) > Math.abs(dy);
  const ahead = Math.sign(across ? dx : dy) || -1;
  const squeezed = (/** @type {number} */ shift, /** @type {number} */ share) =>
    across
      ? `translate(${(shift * SIDE).toFixed(1)}px, 0px) scale(${share.toFixed(3)}, 1)`
      : `translate(0px, ${(shift * SIDE).toFixed(1)}px) scale(1, ${share.toFixed(3)})`;
  const angles = Array.from({ length: STEPS + 1 }, (_, step) => (step / STEPS) * (Math.PI / 2));
  return {
    down: angles.map((angle) => squeezed((ahead * Math.sin(angle)) / 2, Math.cos(angle))),
    up: angles.map((angle) => squeezed((-ahead * Math.cos(angle)) / 2, Math.sin(angle))),
  };
}

/**
 * Draw a piece anew in its slot.
 * @param {Element} slot @param {Element} after
 * @param {[number, number][] | null} way from where to where it rolls there; `null` if it does not
 */
export function redraw(slot, after, way) {
  const before = slot.lastElementChild;
  const [from, to] = way ?? [];
  if (!before || !from || !to) return slot.replaceChildren(after);
  slot.replaceChildren(before, after);
  const { down, up } = quarterTurn([to[0] - from[0], to[1] - from[1]]);
  const timing = { duration: TIME, easing: "ease-in-out" };
  before.classList.add("rolling");
  before.animate({ transform: down }, timing).finished.finally(() => before.remove());
  after.animate({ transform: up }, timing);
}
