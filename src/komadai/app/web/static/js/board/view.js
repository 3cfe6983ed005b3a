// @ts-check
/** Fitting, zooming and panning of a board: unbounded, or too large for small screens. */

import { button, h, s } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { still } from "../lib/prefs.js";

/** @typedef {[number, number]} Spot the centre of a point */
/** @typedef {{ x: number, y: number, size: number }} Sight centre and width of the visible part */
/**
 * `ratio`: width to height; `whole`: the whole of a bounded board; `moved`: called when the view changes; `tools`: more
 * controls.
 * @typedef {{ interactive: boolean, ratio?: number, whole?: Sight, moved?: (sight: Sight) => void, tools?: Node[] }} Options
 */

const CELL = 100;
const MARGIN = 0.85; // cells around the outermost points
const LEAST = 6.4; // least width of a fitted view, in cells
const CLOSEST = 3.2; // width of the closest view, in cells
const STEP = 1.3; // factor of a zoom button
const TAP = 26; // least size of a point that fingers can hit, in pixels
const SMALL = 28; // pixels: a tap on a smaller point zooms in instead
const CLOSE = 46; // size of a point after such a tap, in pixels
const PAN_FROM = 6; // pixels of movement that turn a press into a pan
const DURATION = 320; // milliseconds of an animated change of view
const PAUSE = 220; // milliseconds before the view follows a move

/** The octant of a direction, 0 to 7. @param {number} x @param {number} y */
function octant(x, y) {
  return (Math.round(Math.atan2(y, x) / (Math.PI / 4)) + 8) % 8;
}

export class View {
  /** @param {SVGSVGElement} svg @param {HTMLElement} element its container @param {Options} options */
  constructor(svg, element, { interactive, ratio = 1, whole, moved, tools = [] }) {
    this.svg = svg;
    this.element = element;
    this.ratio = ratio;
    this.whole = whole ?? null;
    this.onChange = moved;
    /** @type {Sight} */
    this.view = whole ?? { x: 0, y: 0, size: LEAST * CELL };
    /** The view that shows everything. @type {Sight} */
    this.fitted = this.view;
    /** True if the person has changed the view. */
    this.moved = false;
    /** The target of the running animation. @type {Sight | null} */
    this.heading = null;
    this.frame = 0;
    this.rim = h("div", { class: "rim" });
    element.append(this.rim);
    /** Targets; arrows at the rim point to those out of view. @type {Spot[]} */
    this.targets = [];
    /** Pressed pointers. @type {Map<number, Spot>} */
    this.fingers = new Map();
    /** True if their gesture is a pan or a pinch, and not a tap. */
    this.panned = false;
    /** True if a tap has zoomed the view, so that it is refitted after the move. */
    this.lent = false;
    if (interactive) this.#listen(tools);
    this.#set(this.view);
  }

  // --- Fitting ---

  /**
   * Fit the view to these points, and drop the person's changes.
   * @param {Spot[]} spots @param {boolean} atOnce without animation
   */
  fit(spots, atOnce) {
    const [xs, ys] = [spots.map(([x]) => x), spots.map(([, y]) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const size = Math.max(right - left, bottom - top) + (1 + 2 * MARGIN) * CELL;
    this.fitted = { x: (left + right) / 2, y: (top + bottom) / 2, size: Math.max(LEAST * CELL, size) };
    this.refit(atOnce, PAUSE);
  }

  /** Return to the fitted view. @param {boolean} [atOnce] @param {number} [pause] milliseconds to wait first */
  refit(atOnce = false, pause = 0) {
    this.moved = this.lent = false;
    this.#go(this.fitted, atOnce, pause);
  }

  /** Size of a point in pixels. */
  get pixels() {
    return ((this.svg.clientWidth || 400) / (this.heading ?? this.view).size) * CELL;
  }

  /** True if points are too small for fingers, and zooming would help. */
  get small() {
    return this.whole !== null && this.pixels < SMALL;
  }

  /**
   * Zoom to a place on the screen so that fingers can hit points there, until the view is refitted.
   * @param {number} clientX @param {number} clientY
   */
  approach(clientX, clientY) {
    const [x, y] = this.spot(clientX, clientY);
    this.moved = this.lent = true;
    this.#go({ x, y, size: ((this.svg.clientWidth || 400) / CLOSE) * CELL });
  }

  /** True if a spot is in view. @param {Spot} spot */
  sees([x, y]) {
    const { x: middleX, y: middleY, size } = this.heading ?? this.view;
    return Math.abs(x - middleX) <= size / 2 && Math.abs(y - middleY) <= size / this.ratio / 2;
  }

  /** Centre the view on a spot. @param {Spot} spot */
  center([x, y]) {
    this.moved = true;
    this.#go({ ...(this.heading ?? this.view), x, y }, true);
  }

  /** Show arrows to those of these spots that are out of view. @param {Spot[]} spots */
  point(spots) {
    this.targets = spots;
    this.#arrows();
  }

  // --- Changing the view ---

  /** Zoom by a factor (above 1: in) around a fixed spot. @param {number} factor @param {Spot} [about] */
  zoom(factor, about) {
    const view = this.heading ?? this.view;
    const size = Math.max((this.whole ? 2 : 1) * CLOSEST * CELL, Math.min(this.#widest(), view.size / factor));
    const [x, y] = about ?? [view.x, view.y];
    const scale = size / view.size;
    this.moved = this.whole === null || size < this.whole.size;
    this.#go({ x: x + (view.x - x) * scale, y: y + (view.y - y) * scale, size }, about !== undefined);
  }

  /** Move the view by a fraction of its size. @param {number} right @param {number} down */
  pan(right, down) {
    const view = this.heading ?? this.view;
    this.moved = this.moved || this.whole === null;
    this.#go({ ...view, x: view.x + right * view.size, y: view.y + down * view.size });
  }

  /** Move the view just far enough to contain a spot. @param {Spot} spot */
  reveal([x, y]) {
    const view = this.heading ?? this.view;
    const near = (/** @type {number} */ middle, /** @type {number} */ to, /** @type {number} */ size) => {
      const room = size / 2 - CELL * 0.75;
      return Math.max(to - room, Math.min(to + room, middle));
    };
    const to = { ...view, x: near(view.x, x, view.size), y: near(view.y, y, view.size / this.ratio) };
    if ((to.x === view.x && to.y === view.y) || (this.whole && !this.moved)) return;
    this.moved = true;
    this.#go(to);
  }

  /** Handle a key; returns whether it changes the view. @param {KeyboardEvent} event */
  key({ key, shiftKey }) {
    const by = shiftKey
      ? { ArrowLeft: [-0.2, 0], ArrowRight: [0.2, 0], ArrowUp: [0, -0.2], ArrowDown: [0, 0.2] }[key]
      : undefined;
    if (by) this.pan(by[0] ?? 0, by[1] ?? 0);
    else if (key === "+" || key === "=") this.zoom(STEP);
    else if (key === "-") this.zoom(1 / STEP);
    else if (key === "0") this.refit();
    else return false;
    return true;
  }

  /** Width of the widest view in which fingers can still hit points. */
  #widest() {
    if (this.whole) return this.whole.size;
    const width = this.svg.clientWidth || 400;
    return Math.max(this.fitted.size, Math.min(this.fitted.size * 1.8, (width / TAP) * CELL));
  }

  /** @param {Sight} to @param {boolean} [atOnce] @param {number} [pause] */
  #go(to, atOnce = false, pause = 0) {
    cancelAnimationFrame(this.frame);
    const { fitted, view: from, whole } = this;
    const room = whole ? (whole.size - to.size) / 2 : fitted.size / 2; // keeps the pieces in sight
    const clamped = (/** @type {number} */ middle, /** @type {number} */ home, /** @type {number} */ room) =>
      Math.max(home - room, Math.min(home + room, middle));
    const end = this.moved
      ? { size: to.size, x: clamped(to.x, fitted.x, room), y: clamped(to.y, fitted.y, room / this.ratio) }
      : to;
    const same = end.x === from.x && end.y === from.y && end.size === from.size;
    if (same || atOnce || still()) {
      this.heading = null;
      this.#set(end);
      return;
    }
    this.heading = end;
    const start = performance.now() + pause;
    const step = (/** @type {number} */ now) => {
      const part = Math.max(0, Math.min(1, (now - start) / DURATION));
      const eased = 1 - (1 - part) ** 3;
      const between = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * eased;
      this.#set(
        part === 1 ? end : { x: between(from.x, end.x), y: between(from.y, end.y), size: between(from.size, end.size) },
      );
      if (part < 1) this.frame = requestAnimationFrame(step);
      else this.heading = null;
    };
    this.frame = requestAnimationFrame(step);
  }

  /** @param {Sight} view */
  #set(view) {
    this.view = view;
    const { x, y, size } = view;
    const tidy = [x - size / 2, y - size / 2 / this.ratio, size, size / this.ratio].map((value) =>
      Number(value.toFixed(2)),
    );
    this.svg.setAttribute("viewBox", tidy.join(" "));
    this.element.classList.toggle("moved", this.moved);
    this.onChange?.(view);
    this.#arrows();
  }

  /** Draw an arrow at the rim for each direction with targets out of view; pressing it moves the view there. */
  #arrows() {
    const { x, y, size } = this.view;
    /** @type {Map<number, Spot>} */
    const found = new Map();
    for (const spot of this.targets) {
      const [dx, dy] = [spot[0] - x, spot[1] - y];
      if (Math.max(Math.abs(dx), Math.abs(dy) * this.ratio) > size / 2 - CELL * 0.2) found.set(octant(dx, dy), spot);
    }
    const wanted = [...found.keys()].sort().join();
    if (this.rim.dataset.to === wanted) return;
    this.rim.dataset.to = wanted;
    this.rim.replaceChildren(
      ...[...found].map(([way, spot]) =>
        button(
          {
            class: `rim-arrow to-${way}`,
            title: t("More targets in this direction"),
            "aria-label": t("Show what can be reached beyond the view"),
          },
          () => this.reveal(spot),
          s(
            "svg",
            { viewBox: "-12 -12 24 24", "aria-hidden": "true" },
            s("path", { d: "M-7 -7 L6 0 L-7 7 Z", transform: `rotate(${way * 45})` }),
          ),
        ),
      ),
    );
  }

  // --- Input ---

  /** @param {Node[]} more */
  #listen(more) {
    const tools = h(
      "div",
      { class: "view-tools", role: "group", "aria-label": t("View") },
      button({ class: "view-fit", title: t("Show everything (0)") }, () => this.refit(), t("Fit")),
      button({ class: "view-in", title: t("Nearer (+)"), "aria-label": t("Zoom in") }, () => this.zoom(STEP), "+"),
      button(
        { class: "view-out", title: t("Farther (−)"), "aria-label": t("Zoom out") },
        () => this.zoom(1 / STEP),
        "−",
      ),
      ...more,
    );
    this.element.append(tools);
    this.svg.addEventListener(
      "wheel",
      (event) => {
        if (this.whole && !this.moved && event.deltaY > 0) return;
        event.preventDefault();
        this.zoom(
          Math.exp(-Math.sign(event.deltaY) * Math.min(0.3, Math.abs(event.deltaY) / 400)),
          this.spot(event.clientX, event.clientY),
        );
      },
      { passive: false },
    );
    this.svg.addEventListener("pointerdown", (event) => this.#press(event));
    // The end of a pan or a pinch is not a tap.
    this.svg.addEventListener("click", (event) => this.panned && event.stopImmediatePropagation(), { capture: true });
  }

  /** The spot under a place on the screen. @param {number} clientX @param {number} clientY @returns {Spot} */
  spot(clientX, clientY) {
    const box = this.svg.getBoundingClientRect();
    const { x, y, size } = this.view;
    return [
      x + ((clientX - box.left) / box.width - 0.5) * size,
      y + (((clientY - box.top) / box.height - 0.5) * size) / this.ratio,
    ];
  }

  /** One pointer pans, two zoom. @param {PointerEvent} down */
  #press(down) {
    if (down.button !== 0) return;
    if (!this.fingers.size) this.panned = false;
    this.fingers.set(down.pointerId, [down.clientX, down.clientY]);
    if (this.fingers.size > 1) this.panned = true;
    const movable = down.target instanceof Element && down.target.classList.contains("movable") && !this.small;
    const taken = movable || this.element.classList.contains("drawing");
    const stop = new AbortController();
    const end = () => {
      this.fingers.delete(down.pointerId);
      this.svg.classList.remove("panning");
      stop.abort();
    };
    const move = (/** @type {PointerEvent} */ event) => {
      if (event.pointerId !== down.pointerId) return;
      const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) >= PAN_FROM;
      if (!this.panned && !far) return;
      if (((this.whole && !this.moved) || taken) && this.fingers.size < 2) {
        this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
        return; // the whole board is visible, or something else is dragged
      }
      this.panned = true;
      this.svg.classList.add("panning");
      this.#follow(event);
    };
    const up = (/** @type {PointerEvent} */ event) => event.pointerId === down.pointerId && end();
    window.addEventListener("pointermove", move, { signal: stop.signal });
    window.addEventListener("pointerup", up, { signal: stop.signal });
    window.addEventListener("pointercancel", up, { signal: stop.signal });
  }

  /** Let the view follow the fingers. @param {PointerEvent} event */
  #follow(event) {
    const gauge = () => {
      const all = [...this.fingers.values()];
      const [x, y] = [
        all.reduce((sum, at) => sum + at[0], 0) / all.length,
        all.reduce((sum, at) => sum + at[1], 0) / all.length,
      ];
      const [one, two] = all;
      return { x, y, apart: one && two ? Math.hypot(one[0] - two[0], one[1] - two[1]) : 0 };
    };
    const before = gauge();
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const after = gauge();
    const scale = this.view.size / (this.svg.clientWidth || 1);
    this.moved = this.moved || this.whole === null;
    const { view } = this;
    if (this.moved)
      this.#go({ ...view, x: view.x - (after.x - before.x) * scale, y: view.y - (after.y - before.y) * scale }, true);
    if (before.apart && after.apart) this.zoom(after.apart / before.apart, this.spot(after.x, after.y));
  }
}
