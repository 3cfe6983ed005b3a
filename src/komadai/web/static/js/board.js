// @ts-check
/** The board as SVG. It knows points and pieces, no rule: it shows what it is told and reports taps. */

import { h, s } from "./dom.js";
import { Field } from "./field.js";
import { halo } from "./halo.js";
import { costSign, savingSign, stripes, targetSigns } from "./marks.js";
import { drawPiece, kindsByCode } from "./pieces.js";

/** @typedef {import("./types").Variant} Variant */
/** @typedef {import("./types").Side} Side */
/** @typedef {import("./types").PieceSet} PieceSet */
/** @typedef {import("./types").PlayedMove} PlayedMove */
/**
 * What is shown over and under the pieces.
 * `ghost` is where the selected piece is shown while the rest of its move is still to be chosen; `shaded` are points
 * forbidden to it; `stranded` are pieces that must be saved this turn.
 * @typedef {{ selected: string | null, ghost: string | null, targets: import("./marks.js").Target[], shaded: string[], last: PlayedMove | null, check: string | null, support: { pieces: string[], links: string[] } | null, stranded: string[] }} Marks
 */

const CELL = 100;
const LEAVING = 450; // milliseconds until a piece that left is gone
const DRAG_FROM = 6; // pixels the mouse must move before a press becomes a drag
const LABEL = 21; // size of the coordinates on a board of nine files or more

export class Board {
  /**
   * @param {HTMLElement} host @param {Variant} variant
   * @param {{ tap?: (at: string) => void, grab?: (at: string) => boolean, look?: (at: string) => void, hover?: (at: string | null) => void, coordinates?: boolean, words?: string }} [options]
   * `tap`: a point was chosen; `grab`: may the piece there be dragged? `look`: the cursor is there; `hover`: the mouse is; `words`: what a board shows that is only to be looked at.
   */
  constructor(host, variant, options = {}) {
    this.variant = variant;
    this.options = options;
    this.kinds = kindsByCode(variant);
    this.points = new Map(variant.board.points.map((point) => [point.id, point]));
    this.byPlace = new Map(variant.board.points.map((point) => [`${point.x},${point.y}`, point.id]));
    /** How far the window of an unbounded field has moved. @type {[number, number]} */
    this.travelled = [0, 0];
    this.flipped = false;
    /** @type {PieceSet} */
    this.set = "kanji";
    /** @type {Record<string, string>} */
    this.pieces = {};
    /** @type {Map<string, SVGGElement>} */
    this.drawn = new Map();
    this.rowHeight = variant.look === "squares" ? 108 : CELL;
    this.width = variant.board.width * CELL;
    this.height = variant.board.height * this.rowHeight;
    const { unbounded } = variant.board;
    this.label = options.coordinates === false || unbounded ? 0 : LABEL * Math.min(1, 0.35 + variant.board.width * 0.075);
    const rim = this.label ? this.label * 0.85 : 10;
    this.edge = { top: rim + this.label * 0.85, right: rim + this.label * 0.85, bottom: rim, left: rim };
    /** The point under the keyboard's cursor. @type {string | null} */
    this.cursor = null;
    /** The point of a piece that is shown elsewhere: dragged, or a ghost. @type {string | null} */
    this.away = null;

    const { top, right, bottom, left } = this.edge;
    const [fullWidth, fullHeight] = [this.width + left + right, this.height + top + bottom];
    this.glow = s("g");
    this.under = s("g");
    const hatches = [stripes("hatch", "stripe"), stripes("hatch-strong", "stripe-dark", "stripe-light")];
    this.grid = s("g", { class: "grid" });
    this.layer = s("g", { class: "pieces" });
    this.signs = s("g", { class: "marks" });
    this.hints = s("g", { class: "marks" });
    this.over = s("g", { class: "marks" });
    this.hits = s("g", { class: "hits" });
    const interactive = options.tap !== undefined;
    this.svg = s(
      "svg",
      {
        viewBox: `${-left} ${-top} ${fullWidth} ${fullHeight}`,
        class: `board-svg ${variant.look}`,
        tabindex: interactive ? 0 : null,
        role: interactive ? "application" : "img",
        "aria-label": interactive ? "Board. Arrow keys move the cursor, Enter chooses." : (options.words ?? ""),
      },
      s("defs", {}, ...hatches),
      this.glow,
      this.under,
      this.grid,
      this.layer,
      this.signs,
      this.hints,
      this.over,
      this.hits,
    );
    this.element = h("div", { class: unbounded ? "wood field" : "wood" }, this.svg);
    this.element.style.setProperty("--ratio", String(unbounded ? 1 : fullWidth / fullHeight));
    this.element.style.setProperty("--most", `${variant.board.height * 205}px`);
    host.replaceChildren(this.element);
    if (options.tap) this.#listen(options.tap);
    this.field = unbounded ? new Field(this.svg, this.element, interactive) : null; // after `#listen`: a grabbed piece comes first
    /** What the view of the field is fitted to, the middle at first. @type {string[]} */
    this.fitting = [this.byPlace.get(`${Math.floor(variant.board.width / 2)},${Math.floor(variant.board.height / 2)}`) ?? ""];
    this.field?.fit(this.#centres(this.fitting), true);
    this.#drawGrid();
  }

  // --- Geometry ---

  /** Centre of a point. @param {string} at @returns {[number, number]} */
  #centre(at) {
    const point = this.points.get(at);
    const { width, height } = this.variant.board;
    const [x, y] = point ? [point.x + this.travelled[0], point.y + this.travelled[1]] : [0, 0];
    return this.flipped
      ? [(width - x - 0.5) * CELL, (height - y - 0.5) * this.rowHeight]
      : [(x + 0.5) * CELL, (y + 0.5) * this.rowHeight];
  }

  /** @param {string[]} points */
  #centres(points) {
    return points.map((at) => this.#centre(at));
  }

  /** What a point was or will be called when the window has moved. @param {string} at @param {readonly [number, number]} by */
  #renamed(at, [dx, dy]) {
    const point = this.points.get(at);
    return (point && this.byPlace.get(`${point.x + dx},${point.y + dy}`)) ?? null;
  }

  /** @param {string} at @param {string} className @param {number} [inset] */
  #cell(at, className, inset = 0) {
    const [x, y] = this.#centre(at);
    return s("rect", {
      class: className,
      x: x - CELL / 2 + inset,
      y: y - this.rowHeight / 2 + inset,
      width: CELL - 2 * inset,
      height: this.rowHeight - 2 * inset,
      rx: this.field ? 18 : null,
    });
  }

  /** Where a point is on the page. @param {string} at @returns {DOMRect} */
  rect(at) {
    return (this.hits.querySelector(`[data-at="${at}"]`) ?? this.svg).getBoundingClientRect();
  }

  // --- Drawing ---

  #drawGrid() {
    const { width, height, marks, noDrops, points } = this.variant.board;
    /** @type {SVGElement[]} */
    const parts = this.field ? this.field.dots(this.#centre(points[0]?.id ?? "")) : [];
    for (const at of noDrops) {
      const [x, y] = this.#centre(at);
      parts.push(s("path", { class: "no-drop", d: `M${x} ${y - 15} l15 15 l-15 15 l-15 -15 Z` }));
    }
    for (let x = 1; x < width && !this.field; x++) parts.push(s("line", { x1: x * CELL, y1: 0, x2: x * CELL, y2: this.height }));
    for (let y = 1; y < height && !this.field; y++)
      parts.push(s("line", { x1: 0, y1: y * this.rowHeight, x2: this.width, y2: y * this.rowHeight }));
    if (!this.field) parts.push(s("rect", { class: "frame", x: 0, y: 0, width: this.width, height: this.height }));
    for (const [x, y] of marks) parts.push(s("circle", { class: "star", cx: x * CELL, cy: y * this.rowHeight, r: 6.5 }));
    if (this.label) {
      const [size, gap] = [this.label, this.label * 0.85];
      for (const point of points) {
        const [x, y] = this.#centre(point.id);
        const [, file = "", rank = ""] = /^(\d+)(\D+)$/.exec(point.id) ?? [];
        if (y < this.rowHeight) parts.push(s("text", { class: "label", x, y: size * 0.35 - gap, "font-size": size }, file));
        if (x > this.width - CELL) parts.push(s("text", { class: "label", x: this.width + gap, y: y + size * 0.35, "font-size": size }, rank));
      }
    }
    this.grid.replaceChildren(...parts);
    this.hits.replaceChildren(
      ...points.map(({ id }) => {
        const hit = this.#cell(id, "hit");
        hit.dataset["at"] = id;
        return hit;
      }),
    );
  }

  /** Turn the board round, or change the pieces. @param {boolean} flipped @param {PieceSet} set */
  orient(flipped, set) {
    if (flipped === this.flipped && set === this.set) return;
    this.flipped = flipped;
    this.set = set;
    this.layer.replaceChildren();
    this.drawn.clear();
    const pieces = this.pieces;
    this.pieces = {};
    this.field?.fit(this.#centres(this.fitting), true);
    this.#drawGrid();
    this.show(pieces, null);
  }

  /**
   * Fit the view of an unbounded field to these points; a board with edges is always seen whole.
   * @param {string[]} points @param {boolean} atOnce
   */
  fit(points, atOnce) {
    if (!this.field) return;
    if (points.length) this.fitting = points;
    this.field.fit(this.#centres(this.fitting), atOnce);
    this.#drawGrid();
  }

  /** The window of an unbounded field has moved: nothing is seen to move, but points are called otherwise. @param {[number, number]} to */
  #travel([x, y]) {
    const by = /** @type {const} */ ([this.travelled[0] - x, this.travelled[1] - y]);
    if (!by[0] && !by[1]) return;
    this.travelled = [x, y];
    /** @type {Map<string, SVGGElement>} */
    const drawn = new Map();
    /** @type {Record<string, string>} */
    const pieces = {};
    for (const [at, element] of this.drawn) {
      const called = this.#renamed(at, by);
      if (called === null) element.remove();
      else {
        drawn.set(called, element);
        pieces[called] = this.pieces[at] ?? "";
      }
    }
    this.drawn = drawn;
    this.pieces = pieces;
    this.fitting = this.fitting.flatMap((at) => this.#renamed(at, by) ?? []);
    this.cursor = this.cursor && this.#renamed(this.cursor, by);
    this.away = this.away && this.#renamed(this.away, by);
    this.#drawGrid();
  }

  /**
   * Show these pieces; if `moved` is given, the piece that made that move is seen to slide.
   * @param {Record<string, string>} pieces @param {PlayedMove | null} moved
   * @param {[number, number]} [travelled] how far the window has moved since the start
   */
  show(pieces, moved, travelled = this.travelled) {
    if (moved?.from) {
      const mover = this.drawn.get(moved.from);
      this.drawn.get(moved.to)?.remove();
      this.drawn.delete(moved.to);
      delete this.pieces[moved.to];
      if (mover) {
        this.drawn.set(moved.to, mover);
        this.drawn.delete(moved.from);
        this.pieces[moved.to] = this.pieces[moved.from] ?? "";
        delete this.pieces[moved.from];
        this.layer.append(mover);
        mover.getBoundingClientRect(); // what has just been put on top begins its way where it was
        this.#place(mover, moved.to);
      }
    }
    this.#travel(travelled);
    for (const [at, element] of this.drawn) {
      if (pieces[at] !== undefined) continue;
      if (moved) this.#leave(element, at);
      else element.remove();
      this.drawn.delete(at);
    }
    for (const [at, piece] of Object.entries(pieces)) {
      if (this.pieces[at] === piece && this.drawn.has(at)) continue;
      const slot = this.drawn.get(at) ?? s("g", { class: "slot" });
      slot.replaceChildren(this.#draw(piece));
      this.#place(slot, at);
      if (!this.drawn.has(at)) this.layer.append(slot);
      this.drawn.set(at, slot);
    }
    this.pieces = { ...pieces };
  }

  /** A piece that the end of a turn takes goes the way to its taker's hand. @param {SVGGElement} element @param {string} at */
  #leave(element, at) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return element.remove();
    const taker = this.pieces[at]?.[0] === "w" ? "b" : "w";
    const [x, y] = this.#centre(at);
    element.getBoundingClientRect();
    element.classList.add("leaving");
    element.style.transform = `translate(${x}px, ${y + (this.#upsideDown(taker) ? -4 : 4) * CELL}px)`;
    setTimeout(() => element.remove(), LEAVING);
  }

  /** @param {SVGGElement} element @param {string} at */
  #place(element, at) {
    const [x, y] = this.#centre(at);
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /**
   * Show the piece of one point at another, and the piece that was away at home again.
   * @param {string | null} home @param {string | null} to
   */
  #send(home, to) {
    const back = this.away === null ? undefined : this.drawn.get(this.away);
    if (back && this.away) this.#place(back, this.away);
    const piece = home === null ? undefined : this.drawn.get(home);
    this.away = piece ? home : null;
    if (!piece || !to) return;
    this.layer.append(piece);
    this.#place(piece, to);
  }

  /** @param {string} piece side and code */
  #draw(piece) {
    const side = piece[0] === "w" ? "w" : "b";
    const kind = this.kinds.get(piece.slice(1));
    if (!kind) return s("g");
    const next = kind.next === null ? undefined : this.kinds.get(kind.next);
    return drawPiece(this.variant, kind, { side, upsideDown: this.#upsideDown(side), set: this.set, next });
  }

  /** @param {Side} side */
  #upsideDown(side) {
    return (side === "w") !== this.flipped;
  }

  /** @param {Marks} marks */
  mark(marks) {
    const under = [];
    const { last, support } = marks;
    const [from, to] = [last?.from, last?.to].map((at) => at && this.#renamed(at, last?.shift ?? [0, 0]));
    if (from) under.push(this.#cell(from, "last-from"));
    if (to) under.push(this.#cell(to, "last-to"));
    if (marks.check) under.push(this.#cell(marks.check, "check", 3));
    for (const at of marks.shaded) {
      const cell = this.#cell(at, "shaded");
      cell.setAttribute("fill", "url(#hatch)");
      cell.dataset["shaded"] = at;
      under.push(this.#cell(at, "shade"), cell);
    }
    if (marks.selected) under.push(this.#cell(marks.selected, "selected", 2));
    this.under.replaceChildren(...under);
    this.#send(marks.ghost ? marks.selected : null, marks.ghost);

    this.#shine(support);
    this.signs.replaceChildren(...marks.stranded.map((at) => savingSign(at, this.#centre(at))));
    this.field?.point(this.#centres(marks.targets.map(({ at }) => at)));

    const { kinds, set, rowHeight } = this;
    const over = marks.targets.flatMap((target) => targetSigns(target, this.#centre(target.at), { kinds, set, rowHeight }));
    this.over.replaceChildren(...over);
    this.#drawCursor();
    const reachable = new Set(marks.targets.map((target) => target.at));
    for (const hit of this.hits.children) hit.classList.toggle("live", reachable.has(hit.getAttribute("data-at") ?? ""));
  }

  /** Show where pieces have support. The light leaves no hole under what stands in its midst. @param {Marks["support"]} support */
  #shine(support) {
    const whole = (/** @type {string[]} */ points) => {
      const lit = new Set(points);
      const amid = (/** @type {string} */ at) =>
        this.kinds.get(this.pieces[at]?.slice(1) ?? "")?.royal ||
        [[1, 0], [-1, 0], [0, 1], [0, -1]].every(([dx = 0, dy = 0]) => lit.has(this.#renamed(at, [dx, dy]) ?? ""));
      return this.#centres(points.length ? [...new Set([...points, ...Object.keys(this.pieces).filter(amid)])] : []);
    };
    const look = { cell: /** @type {[number, number]} */ ([CELL, this.rowHeight]), soft: this.field !== null };
    this.glow.replaceChildren(...halo(whole(support?.pieces ?? []), whole(support?.links ?? []), look));
  }

  /** Show where a piece that is only looked at could be put. @param {string[]} points */
  hint(points) {
    this.hints.replaceChildren(
      ...points.map((at) => {
        const [x, y] = this.#centre(at);
        return s("circle", { class: "hint", cx: x, cy: y, r: 17 });
      }),
    );
  }

  /** Show which of the mover's own pieces the move in view gives up. @param {string[]} points */
  costs(points) {
    for (const sign of this.signs.querySelectorAll("[data-costs]")) sign.remove();
    this.signs.append(...points.map((at) => costSign(at, this.#centre(at))));
  }

  // --- Input ---

  /** @param {(at: string) => void} tap */
  #listen(tap) {
    this.svg.addEventListener("click", (event) => {
      const at = event.target instanceof Element ? event.target.getAttribute("data-at") : null;
      if (at) tap(at);
    });
    this.svg.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse" && event.target instanceof Element) this.options.hover?.(event.target.getAttribute("data-at"));
    });
    this.svg.addEventListener("pointerleave", () => this.options.hover?.(null));
    this.svg.addEventListener("pointerdown", (event) => this.#drag(event, tap));
    this.svg.addEventListener("keydown", (event) => {
      if (this.field?.key(event) || this.key(event.key)) event.preventDefault();
      else if ((event.key === "Enter" || event.key === " ") && this.cursor) {
        event.preventDefault();
        tap(this.cursor);
      } else return;
      event.stopPropagation();
    });
    this.svg.addEventListener("focus", () => this.#drawCursor());
    this.svg.addEventListener("blur", () => this.#drawCursor());
  }

  /**
   * Let the mouse carry a piece; a finger taps, so that it can scroll.
   * @param {PointerEvent} down @param {(at: string) => void} tap
   */
  #drag(down, tap) {
    const from = down.target instanceof Element ? down.target.getAttribute("data-at") : null;
    if (down.pointerType !== "mouse" || down.button !== 0 || !from) return;
    const stop = new AbortController();
    /** @type {SVGGElement | undefined} */
    let piece;
    const move = (/** @type {PointerEvent} */ event) => {
      if (!piece) {
        if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < DRAG_FROM) return;
        if (!this.options.grab?.(from)) return stop.abort();
        piece = this.drawn.get(from);
        this.away = from;
        if (piece) this.layer.append(piece);
        piece?.classList.add("dragged");
      }
      const matrix = this.svg.getScreenCTM()?.inverse();
      if (!piece || !matrix) return;
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
      piece.style.transform = `translate(${x}px, ${y}px)`;
    };
    const drop = (/** @type {PointerEvent} */ event) => {
      stop.abort();
      if (!piece) return;
      const under = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY) : null;
      const to = under?.getAttribute("data-at");
      piece.classList.remove("dragged");
      this.#send(from, to && under?.classList.contains("live") ? to : from);
      if (to && to !== from) tap(to);
    };
    window.addEventListener("pointermove", move, { signal: stop.signal });
    window.addEventListener("pointerup", drop, { signal: stop.signal });
    window.addEventListener("pointercancel", drop, { signal: stop.signal });
  }

  /** Let an arrow key move the cursor; whether it was one. @param {string} key */
  key(key) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (!by) return false;
    if (document.activeElement !== this.svg) this.svg.focus({ preventScroll: true });
    else this.#step(by[0] ?? 0, by[1] ?? 0);
    if (!this.cursor) this.#step(0, 0);
    return true;
  }

  /** Move the cursor, as seen on the screen. @param {number} right @param {number} down */
  #step(right, down) {
    const { width, height, points } = this.variant.board;
    const here = this.cursor ? this.points.get(this.cursor) : undefined;
    const sign = this.flipped ? -1 : 1;
    const clamp = (/** @type {number} */ value, /** @type {number} */ size) => Math.max(0, Math.min(size - 1, value));
    const [x, y] = here
      ? [clamp(here.x + right * sign, width), clamp(here.y + down * sign, height)]
      : [Math.floor(width / 2), Math.floor(height / 2)];
    this.cursor = points.find((point) => point.x === x && point.y === y)?.id ?? null;
    this.#drawCursor();
    if (!this.cursor) return;
    this.field?.reveal(this.#centre(this.cursor));
    this.options.look?.(this.cursor);
  }

  /** The cursor is seen while the keyboard is on the board. */
  #drawCursor() {
    this.over.querySelector(".cursor")?.remove();
    const focused = document.activeElement === this.svg;
    if (this.cursor && focused) this.over.append(this.#cell(this.cursor, "cursor", 4));
  }
}
