// @ts-check
/** Setting up a position: a board on which pieces are placed, with both hands. The server validates the position. */

import { copyField } from "../lib/clipboard.js";
import { button, filledBy, h } from "../lib/dom.js";
import { segments } from "../lib/form_fields.js";
import { t } from "../lib/i18n.js";
import { fault, title } from "../lib/phrases.js";
import { setting, watch } from "../lib/prefs.js";
import { SIDE_NAMES, SIDES } from "../lib/sides.js";
import { dragPicture } from "./drag.js";
import { kindName, kindsByCode, nameByCode, ownedName } from "./piece_names.js";
import { pieceIcon } from "./pieces.js";
import { withPlaces } from "./place_names.js";
import { squareName } from "./square_names.js";
import { Board } from "./svg.js";

/** @import { AskedPosition } from "../types/client" */
/** @import { CheckedPosition, OfferedVariant, Pieces, Side } from "../types/wire" */

const PAUSE = 120; // milliseconds after the last change before the server is asked
const MANY = 7; // more kinds in hand are narrow on a small screen
const WIPE = "-"; // the brush that removes pieces
const CAPTURE = "x"; // the brush that says where the last capture was, in games whose positions remember it
const PLAIN = {
  ghost: null,
  way: [],
  taken: [],
  targets: [],
  shaded: [],
  last: null,
  check: null,
  support: null,
  intended: null,
  stranded: [],
  held: [],
};

export class SetUp {
  /**
   * @param {OfferedVariant} variant
   * @param {(position: AskedPosition) => Promise<CheckedPosition>} check asks the server
   * @param {(found: CheckedPosition, fine: boolean) => void} checked told of each answer, and whether a game can begin there
   * @param {(name: string) => HTMLElement} part the element of the page for each part of this
   */
  constructor(variant, check, checked, part) {
    this.variant = variant;
    this.check = check;
    this.checked = checked;
    this.part = part;
    this.kinds = kindsByCode(variant);
    /** The pieces by point. @type {Record<string, string>} */
    this.pieces = {};
    /** @type {Pieces["hands"]} */
    this.hands = { b: {}, w: {} };
    /** @type {Side} */
    this.turn = "b";
    /** The point of the capture that the position remembers. @type {string | null} */
    this.takenOn = null;
    this.flipped = false;
    /** The piece that taps place, or `WIPE`. @type {string | null} */
    this.brush = null;
    /** The point of the selected piece. @type {string | null} */
    this.taken = null;
    /** The number of the latest change; answers to earlier ones are dropped. */
    this.changes = 0;
    this.waiting = 0;
    this.board = new Board(this.part("board"), variant, {
      tap: (at) => this.tap(at),
      grab: (at) => this.grab(at),
      look: (at) => this.announce(at),
      thrown: (at) => this.put(at, null),
      name: (at) => `${at} ${this.#nameAt(at)}`,
    });
    this.#listen();
  }

  // --- Input ---

  /** @param {string} at */
  tap(at) {
    const { brush, taken } = this;
    if (taken !== null) {
      this.taken = null;
      if (taken === at) this.show();
      else this.move(taken, at);
    } else if (brush === CAPTURE) {
      this.takenOn = this.takenOn === at ? null : at;
      this.changed();
    } else if (brush !== null) this.put(at, brush === WIPE || this.pieces[at] === brush ? null : brush);
    else if (this.pieces[at]) this.grab(at);
  }

  /** Select the piece there. @param {string} at */
  grab(at) {
    if (!this.pieces[at]) return false;
    this.taken = at;
    this.show();
    return true;
  }

  /** @param {string} at @param {string | null} piece */
  put(at, piece) {
    this.taken = null;
    if (piece) this.pieces[at] = piece;
    else delete this.pieces[at];
    this.changed();
  }

  /** @param {string} from @param {string} to */
  move(from, to) {
    this.pieces[to] = this.pieces[from] ?? "";
    delete this.pieces[from];
    this.changed();
  }

  /** @param {Side} side @param {string} code @param {number} by */
  hold(side, code, by) {
    this.hands[side][code] = Math.max(0, (this.hands[side][code] ?? 0) + by);
    this.changed();
  }

  /** @param {string | null} piece */
  choose(piece) {
    this.brush = this.brush === piece ? null : piece;
    this.taken = null;
    this.show();
  }

  mirror() {
    const { width } = this.variant.board;
    const mirrored = (/** @type {string} */ at) => {
      const point = this.board.points.get(at);
      return (point && this.board.byPlace.get(`${width - 1 - point.x},${point.y}`)) ?? at;
    };
    this.pieces = Object.fromEntries(Object.entries(this.pieces).map(([at, piece]) => [mirrored(at), piece]));
    this.takenOn = this.takenOn && mirrored(this.takenOn);
    this.changed();
  }

  /** @param {Pieces} pieces @param {Side} turn @param {string | null} [takenOn] */
  set({ board, hands }, turn, takenOn = null) {
    this.taken = null;
    this.takenOn = takenOn;
    this.pieces = { ...board };
    this.hands = { b: { ...hands.b }, w: { ...hands.w } };
    this.turn = turn;
    this.changed();
    this.board.fit(() => Object.keys(this.pieces), true, null);
  }

  /** Set up a position string. @param {string} text */
  async read(text) {
    clearTimeout(this.waiting);
    const found = await this.#ask(text);
    if (found?.pieces) this.set(found.pieces, found.turn, found.takenOn);
    // on a phone the defects are below the screen
    if (found?.defects.length) this.part("defects").scrollIntoView({ block: "nearest" });
  }

  // --- Display ---

  changed() {
    this.show();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      const { pieces: board, hands, turn, takenOn } = this;
      void this.#ask({ board, hands, turn, takenOn });
    }, PAUSE);
  }

  /** Let the server validate a position, and show its answer. @param {AskedPosition} position */
  async #ask(position) {
    const change = ++this.changes;
    this.part("notice").textContent = "";
    try {
      const found = await this.check(position);
      if (change !== this.changes) return null;
      const fine = found.position !== null && !found.defects.length;
      this.part("fine").textContent = fine
        ? t("This position can be played.")
        : found.problem
          ? t("This position can be studied as a problem, but no game can be played from it.")
          : "";
      this.part("defects").replaceChildren(
        ...found.defects.map((words) => h("li", {}, title(withPlaces(t(words), { short: squareName })))),
      );
      const text = /** @type {HTMLInputElement} */ (this.part("text"));
      if (found.position && (typeof position === "string" || document.activeElement !== text))
        text.value = found.position;
      this.checked(found, fine);
      return found;
    } catch (error) {
      this.part("notice").textContent = fault(error);
      return null;
    }
  }

  show() {
    const set = setting("pieces");
    this.board.orient(this.flipped, set);
    this.board.show(this.pieces, null);
    const taken = this.takenOn ? [this.takenOn] : [];
    this.board.mark({ ...PLAIN, selected: this.taken, movable: Object.keys(this.pieces), taken });
    const [near, far] = this.flipped ? /** @type {const} */ (["w", "b"]) : /** @type {const} */ (["b", "w"]);
    this.#hand(this.part("hand-near"), near);
    this.#hand(this.part("hand-far"), far);
    for (const one of this.part("palette").querySelectorAll("button"))
      one.setAttribute("aria-pressed", String(one.dataset.piece === this.brush));
    const brush =
      this.brush === WIPE
        ? t("Tap pieces to remove them.")
        : this.brush === CAPTURE
          ? t("Tap the square where one was captured with the last move: {pieces}.", { pieces: this.#remembered() })
          : this.brush
            ? t("Tap squares to place: {piece}.", { piece: ownedName(this.brush, this.kinds) })
            : "";
    this.part("brush").textContent =
      brush ||
      (this.taken
        ? t("Picked up: {piece}. Tap its new square.", { piece: this.#nameAt(this.taken) })
        : t("Choose a piece, or tap one on the board to move it."));
    for (const input of this.part("turn").querySelectorAll("input")) input.checked = input.value === this.turn;
  }

  /**
   * The hand of a side: the count of each kind, with buttons to change it.
   * @param {HTMLElement} host @param {Side} side
   */
  #hand(host, side) {
    const set = setting("pieces");
    const key = JSON.stringify([side, set, this.hands[side]]);
    if (filledBy(host, key)) return;
    const focused = document.activeElement?.getAttribute("data-key");
    host.setAttribute("role", "group");
    host.classList.toggle("many", this.variant.hands.length > MANY);
    host.setAttribute("aria-label", t("{side}’s hand", { side: SIDE_NAMES[side] }));
    host.replaceChildren(
      ...this.variant.hands.flatMap((code) => {
        const kind = this.kinds.get(code);
        if (!kind) return [];
        const count = this.hands[side][code] ?? 0;
        const words = { piece: kindName(kind), side: SIDE_NAMES[side], count };
        const icon = pieceIcon(this.variant, kind, { side, upsideDown: host === this.part("hand-far"), set });
        const change = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ said) =>
          button(
            { "aria-label": said, title: said, "data-key": `${side}${code}${sign}`, disabled: by < 0 && !count },
            () => this.hold(side, code, by),
            sign,
          );
        return [
          h(
            "div",
            { class: count ? "slot" : "slot none", "data-held": `${side}${code}` },
            h("div", { class: "piece-in-hand" }, icon, h("span", { class: "count" }, count ? String(count) : "")),
            change(1, "+", t("One {piece} more in {side}’s hand, now {count}", words)),
            change(-1, "−", t("One {piece} fewer in {side}’s hand, now {count}", words)),
          ),
        ];
      }),
    );
    if (focused) /** @type {HTMLElement | null} */ (host.querySelector(`[data-key="${focused}"]:enabled`))?.focus();
  }

  #palette() {
    const set = setting("pieces");
    const pieces = (/** @type {Side} */ side) =>
      this.variant.kinds.map((kind) => {
        const piece = side + kind.code;
        const words = title(ownedName(piece, this.kinds));
        const icon = pieceIcon(this.variant, kind, {
          side,
          upsideDown: side === "w",
          set,
          next: this.kinds.get(kind.next ?? ""),
        });
        const made = button(
          { "data-piece": piece, title: words },
          () => this.choose(piece),
          icon,
          h("span", { class: "visually-hidden" }, words),
        );
        made.addEventListener("pointerdown", (down) =>
          dragPicture(this.board, down, icon, {
            grab: () => true,
            dropped: (at) => at && this.put(at, piece),
          }),
        );
        return made;
      });
    const wipe = button({ "data-piece": WIPE }, () => this.choose(WIPE), t("Remove"));
    const capture = button({ "data-piece": CAPTURE }, () => this.choose(CAPTURE), t("Last capture"));
    const brushes = this.variant.remembers.length ? [wipe, capture] : [wipe];
    const rows = [pieces("b"), pieces("w")].map((row) => h("div", {}, ...row));
    this.part("palette").replaceChildren(...rows, h("div", { class: "wipes" }, ...brushes));
  }

  /** The names of the kinds whose capture the position remembers. */
  #remembered() {
    const names = this.variant.remembers.map((code) => nameByCode(code, this.kinds));
    return [...new Set(names)].join(t("list|, "));
  }

  /** @param {string} at */
  #nameAt(at) {
    return ownedName(this.pieces[at], this.kinds);
  }

  /** Announce the point under the cursor to screen readers. @param {string} at */
  announce(at) {
    this.part("spoken").textContent = `${at}: ${this.#nameAt(at)}`;
  }

  async #copy() {
    const fault = await copyField(/** @type {HTMLInputElement} */ (this.part("text")));
    this.part("notice").textContent = fault;
    if (!fault) this.part("fine").textContent = t("Copied.");
  }

  #listen() {
    const { variant } = this;
    this.#palette();
    this.part("turn").replaceChildren(
      ...segments(
        "turn",
        SIDES.map((side) => [side, SIDE_NAMES[side]]),
        this.turn,
      ).children,
    );
    this.part("turn").addEventListener("change", ({ target }) => {
      this.turn = target instanceof HTMLInputElement && target.value === "w" ? "w" : "b";
      this.changed();
    });
    this.part("flip").addEventListener("click", () => {
      this.flipped = !this.flipped;
      this.show();
    });
    this.part("mirror").addEventListener("click", () => this.mirror());
    this.part("clear").addEventListener("click", () => this.set({ board: {}, hands: { b: {}, w: {} } }, "b"));
    this.part("begin").addEventListener("click", () => this.set(variant.start, "b"));
    this.part("copy").addEventListener("click", () => void this.#copy());
    this.part("entry").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.read(/** @type {HTMLInputElement} */ (this.part("text")).value.trim());
    });
    this.part("board").addEventListener(
      "keydown",
      (event) => {
        const { at } = this.board.cursor;
        if ((event.key === "Delete" || event.key === "Backspace") && at) this.put(at, null);
        else if (event.key === "Escape") this.choose(this.brush);
      },
      { capture: true },
    );
    watch(() => {
      this.#palette();
      this.board.relabel();
      this.show();
    });
  }
}
