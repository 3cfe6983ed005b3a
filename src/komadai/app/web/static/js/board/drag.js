// @ts-check
/** Dragging pieces to points of the board: from other points, and from a hand. */

import { h, s } from "../lib/dom.js";
import { byFinger, follow } from "../lib/press.js";

/** @import { Board } from "./svg.js" */

const ABOVE = 58; // pixels between a finger and the piece that it drags
const LARGER = 1.25; // a piece above a finger
const AROUND = 85; // radius of the light around the point under it

/** The point at a place on the page, and what lies there. @param {PointerEvent} event */
export function pointUnder({ clientX, clientY }) {
  const element = document.elementFromPoint(clientX, clientY);
  return { element, at: element?.getAttribute("data-at") ?? null };
}

/**
 * Light up the point to which a piece is dragged, so that it is seen around a finger.
 * @param {Board} board @param {string | null} at
 */
function aim(board, at) {
  board.over.querySelector(".aimed")?.remove();
  if (!at) return;
  const [cx, cy] = board.centre(at);
  board.over.append(s("circle", { class: "aimed", cx, cy, r: AROUND }));
}

/**
 * Drag the piece of a point. Fingers drag pieces that may move; elsewhere they scroll the page or move the view.
 * @param {Board} board @param {PointerEvent} down @param {(at: string) => void} tap
 */
export function dragPiece(board, down, tap) {
  const hit = down.target instanceof Element ? down.target : null;
  const from = hit?.getAttribute("data-at");
  const finger = byFinger(down);
  if (down.button !== 0 || !from || (finger && (board.view?.small || !hit?.classList.contains("movable")))) return;
  /** @type {SVGGElement | null} */
  let piece = null;
  follow(down, {
    begin() {
      if (!board.options.grab?.(from)) return false;
      piece = board.lift(from);
      return piece !== null;
    },
    move(event) {
      const matrix = board.svg.getScreenCTM()?.inverse();
      if (!piece || !matrix) return;
      const above = finger ? ABOVE : 0;
      const { x, y } = new DOMPoint(event.clientX, event.clientY - above).matrixTransform(matrix);
      piece.style.transform = `translate(${x}px, ${y}px) scale(${finger ? LARGER : 1})`;
      aim(board, pointUnder(event).at);
    },
    end(event) {
      const { element, at } = event ? pointUnder(event) : { element: null, at: null };
      aim(board, null);
      piece?.classList.remove("dragged");
      board.send(from, at && element?.classList.contains("live") ? at : from);
      if (at && at !== from) tap(at);
      else if (event && !board.element.contains(element)) board.options.thrown?.(from);
    },
  });
}

/**
 * Drag a piece that is not on the board. `dropped` is given the point, or `null` if it was let go elsewhere.
 * @param {Board} board @param {PointerEvent} down @param {Element} picture
 * @param {{ grab: () => boolean, dropped: (at: string | null) => void }} act
 */
export function dragPicture(board, down, picture, { grab, dropped }) {
  if (down.button !== 0) return;
  const finger = byFinger(down);
  const ghost = h("div", { class: "carried" }, picture.cloneNode(true));
  follow(down, {
    begin() {
      if (!grab()) return false;
      ghost.style.width = `${Math.max(36, board.cellWidth) * (finger ? LARGER : 1)}px`;
      document.body.append(ghost);
      return true;
    },
    move(event) {
      ghost.style.left = `${event.clientX}px`;
      ghost.style.top = `${event.clientY - (finger ? ABOVE : 0)}px`;
      aim(board, pointUnder(event).at);
    },
    end(event) {
      ghost.remove();
      aim(board, null);
      dropped(event && pointUnder(event).at);
    },
  });
}
