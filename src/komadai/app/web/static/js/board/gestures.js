// @ts-check
/** What a board hears: taps, drags, long presses, the mouse that points, and keys. */

import { holdPage, onHold } from "../lib/press.js";
import { dragPiece } from "./drag.js";

/** @import { Board } from "./svg.js" */

/** The point of an element. @param {EventTarget | null} target */
function pointOf(target) {
  return target instanceof Element ? target.getAttribute("data-at") : null;
}

/** @param {Board} board @param {(at: string) => void} tap */
export function listen(board, tap) {
  const { cursor, drawings, options, svg } = board;
  svg.addEventListener("click", (event) => {
    const at = pointOf(event.target);
    if (drawings.on) return at && drawings.circle(at);
    if (!drawings.keep) drawings.clear();
    if (event instanceof PointerEvent && event.pointerType === "touch" && board.view?.small)
      board.view.approach(event.clientX, event.clientY);
    else if (at) tap(at);
  });
  svg.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse" && event.target instanceof Element) options.hover?.(pointOf(event.target));
  });
  svg.addEventListener("pointerleave", () => options.hover?.(null));
  let draws = false; // by the right button
  svg.addEventListener("pointerdown", (event) => {
    const at = pointOf(event.target);
    draws = event.button === 2 && !options.begun?.();
    if (at && (draws || drawings.on)) drawings.press(event, at);
    else dragPiece(board, event, tap);
  });
  svg.addEventListener("auxclick", (event) => {
    const at = pointOf(event.target);
    if (draws && at) drawings.circle(at);
  });
  svg.addEventListener("contextmenu", (event) => event.preventDefault());
  drawings.listen(document.getElementById("pencil"));
  holdPage(svg);
  onHold(svg, (target) => {
    const at = pointOf(target);
    if (!at || !options.inspect || drawings.on || board.view?.small) return false; // the loupe opens where points are small
    options.inspect(at);
    return true;
  });
  svg.addEventListener("keydown", (event) => {
    if (board.view?.key(event) || cursor.key(event)) event.preventDefault();
    else if ((event.key === "Enter" || event.key === " ") && cursor.at) {
      event.preventDefault();
      tap(cursor.at);
    } else return;
    event.stopPropagation();
  });
  svg.addEventListener("focus", () => cursor.draw());
  svg.addEventListener("blur", () => cursor.draw());
}
