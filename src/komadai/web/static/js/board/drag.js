// @ts-check
/** Dragging pieces with the mouse. Fingers do not drag, because they scroll. */

/** @typedef {import("./svg.js").Board} Board */

const FROM = 6; // pixels of movement that turn a press into a drag

/** @param {Board} board @param {PointerEvent} down @param {(at: string) => void} tap */
export function drag(board, down, tap) {
  const from = down.target instanceof Element ? down.target.getAttribute("data-at") : null;
  if (down.pointerType !== "mouse" || down.button !== 0 || !from) return;
  const stop = new AbortController();
  /** @type {SVGGElement | null} */
  let piece = null;
  const move = (/** @type {PointerEvent} */ event) => {
    if (!piece) {
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < FROM) return;
      if (!board.options.grab?.(from)) return stop.abort();
      piece = board.lift(from);
    }
    const matrix = board.svg.getScreenCTM()?.inverse();
    if (!piece || !matrix) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    piece.style.transform = `translate(${x}px, ${y}px)`;
  };
  const drop = (/** @type {PointerEvent} */ event) => {
    stop.abort();
    if (!piece) return;
    const under = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY) : null;
    const to = under?.getAttribute("data-at") ?? null;
    piece.classList.remove("dragged");
    board.send(from, to && under?.classList.contains("live") ? to : from);
    if (to && to !== from) tap(to);
    else if (under && !board.element.contains(under)) board.options.thrown?.(from);
  };
  window.addEventListener("pointermove", move, { signal: stop.signal });
  window.addEventListener("pointerup", drop, { signal: stop.signal });
  window.addEventListener("pointercancel", drop, { signal: stop.signal });
}
