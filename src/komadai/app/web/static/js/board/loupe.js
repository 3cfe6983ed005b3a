// @ts-check
/** The loupe: a finger that stays on small points sees them magnified, and lifting it taps the point under it. */

import { buzz } from "../lib/attention.js";
import { h, s } from "../lib/dom.js";

/** @import { Board } from "./svg.js" */

const HOLD = 240; // milliseconds until it opens
const STILL = 10; // pixels that a finger may move meanwhile
const SHOWN = 340; // width of the part of the board in the loupe
const WIDTH = 150; // pixels, as in board.css
const ABOVE = 34; // pixels between the finger and the loupe

/**
 * @param {Board} board @param {SVGGElement} drawing the group to magnify
 * @param {{ choose: (at: string) => void, name: (at: string) => string }} act
 * `choose`: the finger left the loupe; `name`: the name of a point
 */
export function listen(board, drawing, { choose, name }) {
  drawing.id = "board-drawing";
  const hair = s("circle", { class: "loupe-hair", r: 50 });
  // refers to the drawing only while the loupe is open, since every change would be rendered twice
  const image = s("use");
  const glass = s("svg", { "aria-hidden": "true" }, image, hair);
  const words = h("p");
  const loupe = h("div", { class: "loupe", hidden: true }, glass, words);
  document.body.append(loupe);
  let swallow = false;

  /** @param {number} x @param {number} y on the screen @returns {string | null} */
  const show = (x, y) => {
    const at = document.elementFromPoint(x, y)?.getAttribute("data-at") ?? null;
    const matrix = board.svg.getScreenCTM()?.inverse();
    if (!matrix) return at;
    const spot = new DOMPoint(x, y).matrixTransform(matrix);
    glass.setAttribute("viewBox", `${spot.x - SHOWN / 2} ${spot.y - SHOWN / 2} ${SHOWN} ${SHOWN}`);
    hair.setAttribute("visibility", at ? "visible" : "hidden");
    if (at) {
      const [cx, cy] = board.centre(at);
      hair.setAttribute("cx", String(cx));
      hair.setAttribute("cy", String(cy));
    }
    image.setAttribute("href", `#${drawing.id}`);
    words.textContent = at ? name(at) : "";
    board.options.hover?.(at);
    loupe.hidden = false;
    loupe.style.left = `${Math.max(4, Math.min(innerWidth - WIDTH - 4, x - WIDTH / 2))}px`;
    loupe.style.top = `${Math.max(4, y - WIDTH - ABOVE)}px`;
    return at;
  };

  board.svg.addEventListener("pointerdown", (down) => {
    swallow = false;
    if (down.pointerType !== "touch" || !down.isPrimary || !board.view?.small) return;
    const { view } = board;
    const stop = new AbortController();
    const { signal } = stop;
    let [x, y] = [down.clientX, down.clientY];
    /** @type {string | null} */
    let at = null;
    let open = false;
    const timer = setTimeout(() => {
      if (view.fingers.size > 1 || view.panned) return end();
      swallow = open = true;
      buzz(8);
      at = show(x, y);
    }, HOLD);
    const end = () => {
      clearTimeout(timer);
      stop.abort();
      if (open) board.options.hover?.(null);
      loupe.hidden = true;
      image.removeAttribute("href");
    };
    const move = (/** @type {PointerEvent} */ event) => {
      if (event.pointerId !== down.pointerId) return;
      [x, y] = [event.clientX, event.clientY];
      if (open) at = show(x, y);
      else if (Math.hypot(x - down.clientX, y - down.clientY) > STILL) end();
    };
    const up = (/** @type {PointerEvent} */ event) => {
      if (event.pointerId !== down.pointerId) return end();
      const chosen = open && event.type === "pointerup" ? at : null;
      end();
      if (chosen) choose(chosen);
    };
    window.addEventListener("pointermove", move, { signal });
    window.addEventListener("pointerup", up, { signal });
    window.addEventListener("pointercancel", up, { signal });
    window.addEventListener("pointerdown", end, { signal, capture: true });
    // The page must not scroll while the loupe is open.
    board.svg.addEventListener("touchmove", (event) => open && event.preventDefault(), { signal, passive: false });
  });
  // It must not also tap.
  board.svg.addEventListener("click", (event) => swallow && event.stopImmediatePropagation(), { capture: true });
}
