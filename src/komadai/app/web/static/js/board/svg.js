// @ts-check
/** The board as SVG. It knows points and pieces but no rules: it draws positions and reports taps. */

import { h, s } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { still } from "../lib/prefs.js";
import { arrows } from "./arrows.js";
import { Cursor } from "./cursor.js";
import { dots } from "./dots.js";
import { Drawings } from "./drawings.js";
import { listen as listenForGestures } from "./gestures.js";
import { Labels, lines } from "./grid.js";
import { listen as listenForLoupe } from "./loupe.js";
import {
  burnSign,
  costSign,
  immobilizedSign,
  lostSign,
  mesh,
  savingSign,
  stripes,
  takenSign,
  targetSigns,
} from "./marks.js";
import { Overview } from "./overview.js";
import { kindsByCode } from "./piece_names.js";
import { drawPiece, label } from "./pieces.js";
import { redraw } from "./rolling.js";
import { trail } from "./trail.js";
import { supportLight, underMarks } from "./under.js";
import { View } from "./view.js";

/** @import { PieceSet } from "../types/client" */
/** @import { PlayedMove, Side, Variant } from "../types/wire" */
/** @import { Losses, Marks } from "./marks.js" */

const CELL = 100;
const LEAVING = 450; // milliseconds that a removed piece takes to disappear
const LABEL = 21; // size of the coordinates on a board of nine files or more
const FIELD = 8; // points across an unbounded board, about
const LARGE = 13; // files or ranks of a board that is too large for small screens

export class Board {
  /**
   * @param {HTMLElement} host @param {Variant} variant
   * @param {{
   *   tap?: (at: string) => void, grab?: (at: string) => boolean, look?: (at: string) => void, hover?: (at: string | null) => void,
   *   inspect?: (at: string) => void, thrown?: (at: string) => void, name?: (at: string) => string, coordinates?: boolean, begun?: () => boolean, words?: string,
   * }} [options]
   * `tap`: a point was tapped; `grab`: whether the piece there may be dragged; `look`: the cursor has moved there; `hover`:
   * the mouse has; `inspect`: a long press; `thrown`: the piece there was dragged off the board; `name`: the name of a point;
   * `begun`: whether the player has begun a move; `words`: text alternative of a board without interaction.
   */
  constructor(host, variant, options = {}) {
    this.variant = variant;
    this.options = options;
    this.kinds = kindsByCode(variant);
    this.points = new Map(variant.board.points.map((point) => [point.id, point]));
    this.byPlace = new Map(variant.board.points.map((point) => [`${point.x},${point.y}`, point.id]));
    /** The distance that the window of an unbounded board has moved. @type {[number, number]} */
    this.travelled = [0, 0];
    this.flipped = false;
    /** @type {PieceSet} */
    this.set = "kanji";
    /** @type {Record<string, string>} */
    this.pieces = {};
    /** @type {Map<string, SVGGElement>} */
    this.drawn = new Map();
    this.rowHeight = variant.look === "squares" ? 108 : CELL;
    /** The kings that have fallen at the end. @type {Animation[]} */
    this.fallen = [];
    this.width = variant.board.width * CELL;
    this.height = variant.board.height * this.rowHeight;
    const { unbounded } = variant.board;
    this.unbounded = unbounded;
    this.round = variant.look === "stones";
    const large = !unbounded && Math.max(variant.board.width, variant.board.height) >= LARGE;
    this.label =
      options.coordinates === false || unbounded
        ? 0
        : LABEL * (large ? 1.8 : Math.min(1, 0.35 + variant.board.width * 0.075));
    const rim = this.label ? this.label * 0.85 : 10;
    this.edge = { top: rim + this.label * 0.85, right: rim + this.label * 0.85, bottom: rim, left: rim };
    /** The points of the possible next steps. @type {string[]} */
    this.targets = [];
    this.cursor = new Cursor(this);
    /** The point of the piece that is drawn elsewhere: dragged, or a ghost. @type {string | null} */
    this.away = null;

    const { top, right, bottom, left } = this.edge;
    const [fullWidth, fullHeight] = [this.width + left + right, this.height + top + bottom];
    this.glow = s("g");
    this.under = s("g");
    const hatches = [stripes("hatch", "stripe"), stripes("hatch-strong", "stripe-dark", "stripe-light"), mesh("mesh")];
    this.labels = new Labels(variant, { width: this.width, height: this.height, row: this.rowHeight }, this.label);
    this.compass = s("g", { class: "labels compass" });
    this.path = s("g", { class: "marks" });
    this.grid = s("g", { class: "grid" });
    this.layer = s("g", { class: "pieces" });
    this.goals = s("g", { class: "marks" });
    this.signs = s("g", { class: "marks" });
    this.hints = s("g", { class: "marks" });
    this.over = s("g", { class: "marks" });
    this.pointed = s("g", { class: "marks" });
    this.drawings = new Drawings(this);
    this.hits = s("g", { class: "hits" });
    const interactive = options.tap !== undefined;
    const drawing = s(
      "g",
      {},
      this.glow,
      this.grid,
      this.under,
      this.compass,
      this.layer,
      this.goals,
      this.signs,
      this.hints,
      this.path,
      this.over,
      this.pointed,
      this.drawings.layer,
    );
    if (!this.round) drawing.insertBefore(this.under, this.grid);
    this.svg = s(
      "svg",
      {
        viewBox: `${-left} ${-top} ${fullWidth} ${fullHeight}`,
        class: `board-svg ${variant.look}`,
        tabindex: interactive ? 0 : null,
        role: interactive ? "application" : "img",
        "aria-label": interactive ? t("Board. Arrow keys move the cursor, Enter chooses.") : (options.words ?? ""),
      },
      s("defs", {}, ...hatches),
      drawing,
      this.labels.strip,
      this.labels.files,
      this.labels.ranks,
      this.hits,
    );
    this.element = h(
      "div",
      { class: unbounded ? "wood field" : large && interactive ? "wood zoomable" : "wood" },
      this.svg,
    );
    const { style } = /** @type {HTMLElement} */ (host.closest(".stage") ?? this.element);
    style.setProperty("--ratio", String(unbounded ? 1 : fullWidth / fullHeight));
    style.setProperty("--across", String(unbounded ? FIELD : fullWidth / CELL));
    style.setProperty("--most", `${variant.board.height * 205}px`);
    host.replaceChildren(this.element);
    if (options.tap) listenForGestures(this, options.tap);
    /** The points that the view of an unbounded board is fitted to, at first the middle. @type {string[]} */
    this.fitting = [
      this.byPlace.get(`${Math.floor(variant.board.width / 2)},${Math.floor(variant.board.height / 2)}`) ?? "",
    ];
    /** The miniature of a large board. @type {Overview | null} */
    this.overview = null;
    /** @type {View | null} */
    this.view = null; // created after the gestures, since dragging takes precedence over panning
    if (unbounded) this.view = new View(this.svg, this.element, { interactive });
    else if (large && interactive) {
      const whole = { x: (this.width + right - left) / 2, y: (this.height + bottom - top) / 2, size: fullWidth };
      const ratio = fullWidth / fullHeight;
      const overview = new Overview(this.width, this.height, (spot) => this.view?.center(spot));
      this.overview = overview;
      const moved = (/** @type {import("./view.js").Sight} */ sight) => {
        this.labels.follow(sight, whole, ratio, this.svg.clientWidth);
        overview.mark(sight, ratio);
      };
      this.view = new View(this.svg, this.element, { interactive, ratio, whole, moved, tools: [overview.element] });
      listenForLoupe(this, drawing, {
        choose: (at) => options.tap?.(at),
        name: (at) => options.name?.(at) ?? at,
      });
    }
    if (unbounded) this.view?.fit(this.centres(this.fitting), true);
    this.#drawGrid();
  }

  // --- Geometry ---

  /** Centre of a point. @param {string} at @returns {[number, number]} */
  centre(at) {
    const point = this.points.get(at);
    const { width, height } = this.variant.board;
    const [x, y] = point ? [point.x + this.travelled[0], point.y + this.travelled[1]] : [0, 0];
    return this.flipped
      ? [(width - x - 0.5) * CELL, (height - y - 0.5) * this.rowHeight]
      : [(x + 0.5) * CELL, (y + 0.5) * this.rowHeight];
  }

  /** @param {string[]} points */
  centres(points) {
    return points.map((at) => this.centre(at));
  }

  /**
   * The name of a point after the window has moved by a vector.
   * @param {string} at @param {readonly [number, number]} by
   */
  renamed(at, [dx, dy]) {
    const point = this.points.get(at);
    return (point && this.byPlace.get(`${point.x + dx},${point.y + dy}`)) ?? null;
  }

  /** A rectangle over a point. @param {string} at @param {string} className @param {number} [inset] */
  cell(at, className, inset = 0) {
    const [x, y] = this.centre(at);
    return s("rect", {
      class: className,
      x: x - CELL / 2 + inset,
      y: y - this.rowHeight / 2 + inset,
      width: CELL - 2 * inset,
      height: this.rowHeight - 2 * inset,
      rx: this.round ? CELL : this.unbounded ? 18 : null,
    });
  }

  /** The place of a point on the page. @param {string} at @returns {DOMRect} */
  rect(at) {
    return (this.hits.querySelector(`[data-at="${at}"]`) ?? this.svg).getBoundingClientRect();
  }

  /** Width of a point on the page, in pixels. */
  get cellWidth() {
    return this.rect(this.variant.board.points[0]?.id ?? "").width;
  }

  // --- Drawing ---

  #drawGrid() {
    const { noDrops, points } = this.variant.board;
    const size = { width: this.width, height: this.height, row: this.rowHeight };
    /** @type {SVGElement[]} */
    const parts =
      this.unbounded && this.view
        ? dots(this.view.fitted, this.centre(points[0]?.id ?? ""))
        : lines(this.variant, size);
    for (const at of noDrops) {
      const [x, y] = this.centre(at);
      parts.push(s("path", { class: "no-drop", d: `M${x} ${y - 15} l15 15 l-15 15 l-15 -15 Z` }));
    }
    this.grid.replaceChildren(...parts);
    this.relabel();
    this.hits.replaceChildren(
      ...points.map(({ id }) => {
        const hit = this.cell(id, "hit");
        hit.dataset.at = id;
        return hit;
      }),
    );
  }

  /** Draw the coordinates, for instance after the setting has changed. */
  relabel() {
    this.labels.draw((at) => this.centre(at));
    if (this.view?.whole) this.labels.follow(this.view.view, this.view.whole, this.view.ratio, this.svg.clientWidth);
  }

  /** Set the point of view and the piece set. @param {boolean} flipped @param {PieceSet} set */
  orient(flipped, set) {
    if (flipped === this.flipped && set === this.set) return;
    this.flipped = flipped;
    this.set = set;
    this.layer.replaceChildren();
    this.drawn.clear();
    const pieces = this.pieces;
    this.pieces = {};
    if (this.unbounded) this.view?.fit(this.centres(this.fitting), true);
    else this.view?.refit(true);
    this.#drawGrid();
    this.drawings.draw();
    this.show(pieces, null);
  }

  /**
   * Fit the view of an unbounded board to these points. Other boards are shown whole again, unless the person has
   * zoomed to a part that contains the last move.
   * @param {() => string[]} points @param {boolean} atOnce @param {PlayedMove | null} moved
   */
  fit(points, atOnce, moved) {
    const missed =
      moved && !this.unbounded && [moved.from ?? moved.to, moved.to].some((at) => !this.view?.sees(this.centre(at)));
    if (this.view && (this.view.lent || missed)) this.view.refit(atOnce, atOnce ? 0 : LEAVING);
    if (!this.unbounded) return;
    const seen = points();
    if (seen.length) this.fitting = seen;
    this.view?.fit(this.centres(this.fitting), atOnce);
    this.#drawGrid();
  }

  /**
   * The window of an unbounded board has moved: rename the points without moving anything on the screen.
   * @param {[number, number]} to
   */
  #travel([x, y]) {
    const by = /** @type {const} */ ([this.travelled[0] - x, this.travelled[1] - y]);
    if (!by[0] && !by[1]) return;
    this.travelled = [x, y];
    /** @type {Map<string, SVGGElement>} */
    const drawn = new Map();
    /** @type {Record<string, string>} */
    const pieces = {};
    for (const [at, element] of this.drawn) {
      const name = this.renamed(at, by);
      if (name === null) element.remove();
      else {
        drawn.set(name, element);
        pieces[name] = this.pieces[at] ?? "";
      }
    }
    this.drawn = drawn;
    this.pieces = pieces;
    this.fitting = this.fitting.flatMap((at) => this.renamed(at, by) ?? []);
    this.cursor.at = this.cursor.at && this.renamed(this.cursor.at, by);
    this.away = this.away && this.renamed(this.away, by);
    this.#drawGrid();
  }

  /**
   * Show these pieces; if `moved` is given, animate that move.
   * @param {Record<string, string>} pieces @param {PlayedMove | null} moved
   * @param {[number, number]} [travelled] distance that the window has moved since the start
   */
  show(pieces, moved, travelled = this.travelled) {
    const changed = Object.keys({ ...this.pieces, ...pieces }).some((at) => this.pieces[at] !== pieces[at]);
    if (changed) for (const one of this.fallen.splice(0)) one.cancel();
    const rolls = moved && this.variant.look === "cubes" && !still();
    const way = rolls ? this.centres([moved.from ?? moved.to, moved.to]) : null;
    if (moved?.from && moved.from !== moved.to) {
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
        mover.getBoundingClientRect(); // forces a layout, so that the animation starts at the old place
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
      redraw(slot, this.#draw(piece), this.pieces[at]?.[0] === piece[0] ? way : null);
      this.#place(slot, at);
      if (!this.drawn.has(at)) this.layer.append(slot);
      this.drawn.set(at, slot);
    }
    this.pieces = { ...pieces };
    this.overview?.show(
      Object.entries(pieces).map(([at, piece]) => ({ side: piece[0] ?? "b", spot: this.centre(at) })),
    );
  }

  /**
   * Animate a removed piece: it slides toward the capturer's hand or, in games without hands, fades.
   * @param {SVGGElement} element @param {string} at
   */
  #leave(element, at) {
    if (still()) return element.remove();
    const taker = this.pieces[at]?.[0] === "w" ? "b" : "w";
    const [x, y] = this.centre(at);
    element.getBoundingClientRect();
    element.classList.add("leaving");
    if (this.variant.hands.length)
      element.style.transform = `translate(${x}px, ${y + (this.#upsideDown(taker) ? -4 : 4) * CELL}px)`;
    setTimeout(() => element.remove(), LEAVING);
  }

  /** @param {SVGGElement} element @param {string} at */
  #place(element, at) {
    const [x, y] = this.centre(at);
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /**
   * Draw the piece of one point at another; a piece drawn elsewhere before returns to its own point.
   * @param {string | null} home @param {string | null} to
   */
  send(home, to) {
    const back = this.away === null ? undefined : this.drawn.get(this.away);
    if (back && this.away && (this.away !== home || !to)) this.#place(back, this.away);
    back?.classList.remove("ghost");
    const piece = home === null ? undefined : this.drawn.get(home);
    this.away = piece ? home : null;
    if (!piece || !to) return;
    if (this.layer.lastElementChild !== piece) this.layer.append(piece);
    piece.classList.toggle("ghost", to !== home);
    this.#place(piece, to);
  }

  /** Lift a piece for dragging. @param {string} at */
  lift(at) {
    const piece = this.drawn.get(at);
    this.away = at;
    if (piece) this.layer.append(piece);
    piece?.classList.add("dragged");
    return piece ?? null;
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
    const { support, way, taken } = marks;
    this.under.replaceChildren(...underMarks(this, marks));
    this.send(marks.ghost ? marks.selected : null, marks.ghost);
    for (const [at, slot] of this.drawn) slot.classList.toggle("captured", taken.includes(at));

    this.glow.replaceChildren(...supportLight(this, support));
    this.signs.replaceChildren(
      ...marks.held.map((at) => immobilizedSign(at, this.centre(at))),
      ...marks.stranded.map((at) => savingSign(at, this.centre(at))),
      ...taken.filter((at) => at !== marks.ghost).map((at) => takenSign(at, this.centre(at))),
    );
    this.path.replaceChildren(...(this.round || way.length > 2 ? trail(way, (at) => this.centre(at)) : []));
    this.view?.point(this.centres(marks.targets.flatMap(({ at, form }) => (form === "far" ? [] : [at]))));

    const { kinds, set, rowHeight, round } = this;
    const over = marks.targets.flatMap((target) =>
      targetSigns(target, this.centre(target.at), { kinds, set, rowHeight, round }),
    );
    const { intended } = marks;
    if (intended) over.push(s("g", { class: "intended" }, ...arrows([intended], this.means)));
    this.over.replaceChildren(...over);
    this.cursor.draw();
    this.targets = marks.targets.flatMap(({ at, form }) => (form === "far" ? [] : [at]));
    const reachable = new Set(marks.targets.map((target) => target.at));
    const movable = new Set(marks.movable);
    for (const hit of this.hits.children) {
      const at = hit.getAttribute("data-at") ?? "";
      hit.classList.toggle("live", reachable.has(at));
      hit.classList.toggle("movable", movable.has(at));
    }
  }

  /** Mark the points where a piece that is pointed at could be dropped. @param {string[]} points */
  hint(points) {
    this.hints.replaceChildren(
      ...points.map((at) => {
        const [x, y] = this.centre(at);
        return s("circle", { class: "hint", cx: x, cy: y, r: 17 });
      }),
    );
  }

  /**
   * Show moves as arrows, the best first.
   * @param {PlayedMove[]} moves @param {boolean} [replies] whether they are answers of the opponent
   */
  showArrows(moves, replies = false) {
    this.pointed.classList.toggle("replies", replies);
    this.pointed.replaceChildren(...arrows(moves, this.means));
  }

  /** What arrows need to know. @returns {import("./arrows.js").Means} */
  get means() {
    const named = (/** @type {string} */ code) => {
      const kind = this.kinds.get(code);
      return kind ? label(kind, "b", this.set) : code;
    };
    return { centre: (at) => this.centre(at), label: named };
  }

  /** Show the effects of the move in view other than captures. @param {Losses} losses */
  showLosses({ loses, burns, mover }) {
    for (const sign of this.signs.querySelectorAll("[data-costs], [data-burns]")) sign.remove();
    const lost = loses.filter((at) => at !== mover);
    this.signs.append(
      ...lost.map((at) => (this.round ? burnSign(at, this.centre(at), true) : costSign(at, this.centre(at)))),
      ...burns.map((at) => burnSign(at, this.centre(at), false)),
      ...(mover ? [lostSign(mover, this.centre(mover))] : []),
    );
  }
}
