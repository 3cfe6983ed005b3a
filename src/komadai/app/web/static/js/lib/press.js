// @ts-check
/** Presses of the mouse and of fingers: drags, swipes, long presses; all others are taps. */

import { buzz } from "./attention.js";
import { onClick } from "./dom.js";

const HOLD = 450; // milliseconds of a long press
const SWIPE = 45; // pixels to the side, twice as far as up or down, that are a swipe
const FAR = { mouse: 6, finger: 10 }; // pixels of movement that turn a press into a drag

/** True if a finger or a pen presses, and not the mouse. @param {PointerEvent} event */
export function byFinger({ pointerType }) {
  return pointerType !== "mouse";
}

/** True if a press has moved. @param {PointerEvent} down @param {PointerEvent} event */
function moved(down, event) {
  const far = byFinger(down) ? FAR.finger : FAR.mouse;
  return Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) >= far;
}

/** The number of presses that are followed now. */
let followed = 0;

/** Let the page not scroll under a finger that is followed on an element. @param {SVGElement} element */
export function holdPage(element) {
  const hold = (/** @type {TouchEvent} */ event) => {
    if (followed && event.cancelable) event.preventDefault();
  };
  element.addEventListener("touchmove", hold, { passive: false }); // parts of SVG have no touch-action of their own
}

/** Swallow the click that may follow the press now ending. */
function swallowClick() {
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  const swallow = (/** @type {Event} */ event) => {
    stop.abort();
    event.stopPropagation();
    event.preventDefault();
  };
  window.addEventListener("click", swallow, options);
  for (const next of ["pointerdown", "keydown"]) window.addEventListener(next, () => stop.abort(), options);
}

/**
 * Follow a press that may become a drag. A second finger ends it, and a long press never becomes one.
 * @param {PointerEvent} down
 * @param {{
 *   begin: () => boolean, move: (event: PointerEvent) => void, end: (event: PointerEvent | null) => void,
 * }} act `begin`: whether the drag is wanted; `end` is given the release, or `null` if the drag was broken off
 */
export function follow(down, { begin, move, end }) {
  const stop = new AbortController();
  const { signal } = stop;
  let begun = false;
  followed++;
  signal.addEventListener("abort", () => followed--);
  const finish = (/** @type {PointerEvent | null} */ event) => {
    stop.abort();
    if (!begun) return;
    swallowClick();
    end(event);
  };
  const own = (/** @type {(event: PointerEvent) => void} */ act) => (/** @type {PointerEvent} */ event) =>
    event.pointerId === down.pointerId && act(event);
  const follows = own((event) => {
    if (!begun) {
      if (!moved(down, event)) return;
      if ((byFinger(down) && event.timeStamp - down.timeStamp > HOLD) || !begin()) return stop.abort();
      begun = true;
    }
    move(event);
  });
  window.addEventListener("pointermove", follows, { signal });
  window.addEventListener("pointerup", own(finish), { signal });
  const cancelled = own(() => finish(null));
  window.addEventListener("pointercancel", cancelled, { signal });
  window.addEventListener("pointerdown", (event) => event !== down && finish(null), { signal, capture: true });
}

/**
 * Listen for long presses of fingers.
 * @param {Element} element @param {(target: Element) => boolean} held returns whether it makes use of the long press
 */
export function onHold(element, held) {
  element.addEventListener("pointerdown", (event) => {
    const down = /** @type {PointerEvent} */ (event);
    const { target } = down;
    if (!byFinger(down) || !down.isPrimary || !(target instanceof Element)) return;
    const stop = new AbortController();
    const { signal } = stop;
    const timer = setTimeout(() => {
      stop.abort();
      if (!held(target)) return;
      swallowClick();
      buzz(8);
    }, HOLD);
    signal.addEventListener("abort", () => clearTimeout(timer));
    window.addEventListener("pointermove", (move) => moved(down, move) && stop.abort(), { signal });
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
      window.addEventListener(name, () => stop.abort(), { signal });
    window.addEventListener("pointerdown", (next) => next !== down && stop.abort(), { signal, capture: true });
  });
  // The menu that systems open after a long press would end it.
  element.addEventListener("contextmenu", (event) => {
    if (event instanceof PointerEvent && byFinger(event)) event.preventDefault();
  });
}

/**
 * Listen for swipes of a finger to the side; CSS must let the element have them (`data-swipe`).
 * @param {HTMLElement} element @param {(by: 1 | -1) => void} swiped 1: to the left, which leads on
 */
function onSwipe(element, swiped) {
  element.addEventListener("pointerdown", (down) => {
    if (!byFinger(down) || !down.isPrimary) return;
    const stop = new AbortController();
    const { signal } = stop;
    const end = (/** @type {PointerEvent} */ up) => {
      if (up.pointerId !== down.pointerId) return;
      stop.abort();
      const [right, low] = [up.clientX - down.clientX, up.clientY - down.clientY];
      if (Math.abs(right) >= SWIPE && Math.abs(right) > 2 * Math.abs(low)) swiped(right < 0 ? 1 : -1);
    };
    window.addEventListener("pointerup", end, { signal });
    window.addEventListener("pointercancel", () => stop.abort(), { signal });
  });
}

/**
 * Let the buttons beside the moves, and swipes over the parts of the page marked `data-swipe`, walk through the moves.
 * @param {(by: number) => void} step
 */
export function stepThrough(step) {
  for (const [id, by] of Object.entries({ first: -Infinity, previous: -1, following: 1, last: Infinity }))
    onClick(id, () => step(by));
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-swipe]")))
    onSwipe(part, step);
}
