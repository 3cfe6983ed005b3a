// @ts-check
/** Input of moves on a board: taps descend the prefix tree of legal moves that the server sent. */

import { showCompass } from "../board/compass.js";
import { PieceCard } from "../board/piece_card.js";
import { kindsByCode, nameByCode, ownedName } from "../board/piece_names.js";
import { placeNames, travelled, withPlaces } from "../board/place_names.js";
import { showSurvival } from "../board/survival.js";
import { Board } from "../board/svg.js";
import { Tray } from "../board/tray.js";
import { byId, onClick } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { fault } from "../lib/phrases.js";
import { setting, watch } from "../lib/prefs.js";
import { SIDE_NAMES, sided } from "../lib/sides.js";
import { Composing } from "./composing.js";
import { HandDrag } from "./hand_drag.js";
import { showHeading } from "./heading.js";
import { NextSteps } from "./next_steps.js";
import { pointsOf, walkOf } from "./step_walk.js";
import { gainWords, immobilizedWords } from "./words.js";

/** @import { MoveHost } from "../types/client" */
/** @import { PlayedMove, Side, Step, Variant } from "../types/wire" */

const FEW = 12; // at most so many legal drops of a piece are shown while it is only pointed at

/**
 * A board, the hands and the parts of the page around them. Its host supplies the position and takes the finished
 * moves.
 */
export class MoveInput {
  /** @param {MoveHost} host @param {Variant} variant */
  constructor(host, variant) {
    this.host = host;
    this.variant = variant;
    this.kinds = kindsByCode(variant);
    this.flipped = host.me === "w";
    this.set = setting("pieces");
    this.walk = walkOf(host.position, variant);
    /** Prefix of a move string, for a piece that was tapped although it has no legal move. @type {string | null} */
    this.stuck = null;
    /** The piece whose card is shown: side and code. @type {string | null} */
    this.carded = null;
    /** Whether that is the card of the piece that is moved. */
    this.cardOfMove = false;
    /** The point under the mouse or the keyboard cursor. @type {string | null} */
    this.looked = null;
    this.board = new Board(byId("board"), variant, {
      tap: (at) => this.tapPoint(at),
      grab: (at) => this.grab(at),
      look: (at) => this.announce(at),
      hover: (at) => this.#look(at),
      inspect: (at) => this.inspect(at),
      begun: () => this.walk.path.length > Number(!!this.#must), // which is taken up already
      thrown: (at) => (this.active ? this.cancel() : this.host.intended?.tap(at)),
      name: (at) => `${at} ${this.#nameAt(at)}`,
    });
    this.handDrag = new HandDrag(this);
    /** @type {import("../board/tray.js").Tray["act"]} */
    const hand = {
      tap: (side, code) => this.tapHand(side, code),
      look: (side, code) => this.#lookHand(side, code),
      press: (side, code, down) => this.handDrag.press(side, code, down),
      inspect: (side, code) => this.#introduce(side + code),
    };
    this.far = new Tray(byId("tray-far"), variant, hand);
    this.near = new Tray(byId("tray-near"), variant, hand);
    this.composing = new Composing(this);
    this.card = new PieceCard(byId("card"), variant, this.kinds);
    if (this.composing.bare) this.card.invite(t("Point at a piece, or long-press it, to see how it moves."));
    this.nextSteps = new NextSteps(
      this.kinds,
      (step) => this.take(step),
      () => this.up(),
    );
    this.board.orient(this.flipped, this.set);
    showCompass(this.board, this.places);
    showHeading(variant, this.composing.bare);
    this.#listen();
  }

  /** The buttons that every page with a board has, and the settings. */
  #listen() {
    onClick("flip", () => this.flip());
    byId("board").addEventListener("contextmenu", (event) => {
      if (event instanceof PointerEvent && event.pointerType === "mouse" && this.walk.path.length) this.up();
    });
    watch(() => {
      this.set = setting("pieces");
      this.board.relabel();
      this.refresh();
    });
  }

  // --- State ---

  get position() {
    return this.host.position;
  }

  get active() {
    return this.host.active;
  }

  get me() {
    return this.host.me;
  }

  /** True if a move has been begun. */
  get begun() {
    return this.walk.path.length > 0 || this.composing.between.length > 0;
  }

  /** The last step of a move that awaits confirmation, because it costs pieces or the settings ask for it. */
  get asking() {
    const { last, way } = this.walk;
    const wanted = {
      costly: last?.loses?.length,
      compound: last?.loses?.length || way.length > 2 || way.some(({ shots }) => shots.length),
      never: false,
    };
    return this.active && last?.usi !== undefined && wanted[setting("confirm")] ? last : undefined;
  }

  /** Names of points; on an unbounded board they are relative to one's own royal piece. */
  get places() {
    return placeNames(this.variant, this.kinds, this.position.board, this.me ?? this.position.turn, this.me);
  }

  /** A text of the server with the names of squares on this page. @param {string} text */
  placed(text) {
    return withPlaces(sided(text), this.places, this.kinds);
  }

  // --- Input ---

  /** A point was tapped: take the step there, end the move there, or select the piece there. @param {string} at */
  tapPoint(at) {
    const { walk } = this;
    const steps = walk.path.length ? walk.all(at) : [];
    const [step] = steps;
    const far = this.composing.far.get(at);
    const choosing = walk.ending || this.composing.between.length > 0;
    walk.ending = false;
    this.composing.between = [];
    if (!this.active) {
      if (this.host.intended?.tap(at)) return;
      this.#introduce(this.position.board[at]);
      this.host.sayBusy();
    } else if (this.asking) this.up();
    else if (steps.length > 1) {
      this.composing.between = steps;
      this.refresh();
    } else if (step) this.take(step);
    else if (walk.ends.length && at === walk.here) choosing ? this.refresh() : this.finish();
    else if (far) this.take(...far);
    else if (walk.path[0]?.at === at || this.stuck === at) this.cancel();
    else if (walk.select(at)) this.restart(walk.select(at));
    else this.#illegal(at);
  }

  /** End the compound move here; if there is a choice of promotions, offer it. */
  finish() {
    const { ends } = this.walk;
    const [end] = ends;
    if (!this.active || !end || this.walk.choosing) return;
    if (ends.length === 1) this.take(end);
    else {
      this.walk.ending = true;
      this.refresh();
    }
  }

  /** Select the piece there if it has a legal move; returns whether it has. @param {string} at */
  grab(at) {
    if (!this.active) return this.host.intended?.grab(at) ?? false;
    const step = this.walk.select(at);
    if (!step) return false;
    if (this.walk.path[0] !== step || this.walk.path.length > 1) this.restart(step);
    return true;
  }

  /** A piece in hand was tapped. @param {Side} side @param {string} code */
  tapHand(side, code) {
    this.carded = side + code;
    this.#showCard();
    const step = this.walk.drop(code);
    if (!this.active) {
      if (side !== this.me || !this.host.intended?.tap(`${code}*`)) this.host.sayBusy();
    } else if (side !== this.position.turn)
      showNotice(
        t("That is {side}’s hand; {other} is to move.", {
          side: SIDE_NAMES[side],
          other: SIDE_NAMES[this.position.turn],
        }),
        true,
      );
    else if (this.walk.path[0]?.code === code || this.stuck === `${code}*`) this.cancel();
    else if (step) this.restart(step);
    else {
      const drop = `${code}*`;
      this.#giveUp(drop);
      showNotice(t("The {piece} cannot be dropped anywhere now.", { piece: nameByCode(code, this.kinds) }));
      this.host.explain(drop);
      this.refresh();
    }
  }

  /** A point was tapped that no step leads to: say why. @param {string} at */
  #illegal(at) {
    const start = this.#startOfMove();
    const piece = this.position.board[at];
    const place = this.places.long(at);
    if (start) {
      this.host.explain(start + (piece && this.walk.children.some((step) => step.t === "shoot") ? "*" : "") + at);
      if (this.walk.choosing) this.#giveUp(null); // the choices would lie upon what is said
      this.refresh();
    } else if (!piece) {
      showNotice(t("There is no piece at {place}: choose one of your pieces first.", { place }), true);
    } else if (piece[0] === this.position.turn) {
      this.stuck = at;
      const name = t("{piece} at {place}", { piece: nameByCode(piece.slice(1), this.kinds), place });
      showNotice(
        this.position.held?.includes(at)
          ? immobilizedWords(name)
          : t("The {piece} has no legal move now. Tap a square to learn why.", { piece: name }),
      );
      this.refresh();
    } else {
      this.#introduce(piece);
      showNotice(t("That is {whose}; its card says how it moves.", { whose: ownedName(piece, this.kinds) }), true);
    }
  }

  /** Show the card of a piece that is not to be moved now. @param {string | undefined} piece */
  #introduce(piece) {
    if (!piece) return;
    [this.carded, this.cardOfMove] = [piece, false];
    this.#showCard();
    this.card.lift();
  }

  /** Prefix of the move string: the piece and its path so far. */
  #startOfMove() {
    const [first, second] = this.walk.path;
    if (!first) return this.stuck;
    if (first.t === "select") return this.walk.way.map(({ at, shots }) => [at, ...shots].join("*")).join("");
    return `${second?.t === "face" ? second.code : first.code}*`;
  }

  /** Take steps in sequence, and play the move if that completes it. @param {Step[]} steps */
  take(...steps) {
    if (!this.active) return;
    this.stuck = null;
    this.composing.between = [];
    showNotice("");
    for (const step of steps) {
      this.walk.down(step);
      if (step.t === "select") this.carded = this.position.board[step.at ?? ""] ?? null;
      if (step.t === "face" || step.t === "drop") this.carded = this.position.turn + (step.code ?? "");
    }
    this.cardOfMove = true;
    this.walk.advance();
    if (this.walk.usi === undefined || this.asking) this.refresh();
    else this.send();
  }

  /** Play the completed move. */
  send() {
    if (this.walk.usi !== undefined) this.host.play(this.walk.usi);
  }

  /** Start another move with this step. @param {Step | undefined} step */
  restart(step) {
    this.walk.reset();
    if (step) this.take(step);
  }

  /** Undo one step. */
  up() {
    this.stuck = null;
    showNotice("");
    if (this.composing.between.length) this.composing.between = [];
    else this.walk.up();
    this.refresh();
  }

  /** Give up the move begun. */
  cancel() {
    this.#giveUp(null);
    showNotice("");
    this.refresh();
  }

  /** Forget the move begun. @param {string | null} stuck the piece that was tapped instead and cannot move */
  #giveUp(stuck) {
    this.stuck = stuck;
    this.composing.between = [];
    this.walk.reset();
  }

  // --- Display ---

  /** Start at the root of the tree: the position has changed. */
  enter() {
    this.walk = walkOf(this.position, this.variant);
    this.stuck = null;
    this.composing.between = [];
    this.board.drawings.clear();
    if (!this.cardOfMove || this.composing.bare) return; // where there are no hands, the card has a place of its own
    this.carded = null;
    this.card.hide();
  }

  /**
   * Show the position; on an unbounded board fit the view to it.
   * @param {PlayedMove[]} moves the moves that led to it @param {PlayedMove | null} moved the one to animate
   * @param {boolean} atOnce change the view without animation
   */
  show(moves, moved, atOnce) {
    const { board, support, tree } = this.position;
    this.board.show(board, moved, travelled(moves));
    this.board.fit(
      () => [
        ...Object.keys(board),
        ...(this.host.aims ?? []),
        ...(support?.pieces ?? []),
        ...(support?.links ?? []),
        ...pointsOf(tree),
      ],
      atOnce,
      moved,
    );
    this.refresh();
  }

  /** The step that takes up the piece that must be dropped, where nothing else is legal. */
  get #must() {
    const [only, other] = this.walk.root;
    return !other && only?.t === "drop" ? only : null;
  }

  /** Draw everything again. */
  refresh() {
    const { position, walk } = this;
    if (this.active && !this.begun && !this.stuck && this.#must) {
      walk.down(this.#must);
      walk.advance();
    }
    const { intended } = this.host;
    const [near, far] = /** @type {[Side, Side]} */ (this.flipped ? ["w", "b"] : ["b", "w"]);
    this.board.orient(this.flipped, this.set);
    this.board.mark({
      selected: walk.path[0]?.at ?? intended?.from ?? (this.stuck && !this.stuck.includes("*") ? this.stuck : null),
      ghost: this.active ? walk.goal : null,
      way: this.active && walk.path[0]?.t === "select" ? walk.way : [],
      taken: this.active && (walk.underway || this.composing.bare) ? walk.taken : [],
      targets: this.composing.targets(),
      held: position.held ?? [],
      movable: this.#movable(),
      intended: intended?.to ? { usi: intended.from ?? "", from: intended.from, to: intended.to } : null,
      shaded: this.active && !walk.choosing ? (position.blocked[this.#startOfMove() ?? ""] ?? []) : [],
      last: position.last,
      support: position.support,
      stranded: position.stranded,
      check: position.check ? this.#royal(position.turn) : null,
    });
    for (const [tray, side, upsideDown] of /** @type {const} */ ([
      [this.far, far, true],
      [this.near, near, false],
    ])) {
      const turn = this.active && position.turn === side;
      const live = new Set(turn ? walk.root.flatMap((step) => (step.t === "drop" ? [step.code ?? ""] : [])) : []);
      if (intended?.open && side === this.me) for (const code in position.hands[side]) live.add(code);
      const held =
        walk.path[0]?.t === "drop" ? walk.path[0].code : this.stuck?.endsWith("*") ? this.stuck.slice(0, -1) : null;
      tray.show(side, position.hands[side], {
        upsideDown,
        set: this.set,
        turn,
        live,
        selected:
          (turn ? held : side === this.me && intended?.from?.endsWith("*") ? intended.from.slice(0, -1) : null) ?? null,
      });
    }
    this.board.hint([]);
    this.composing.choose();
    this.composing.preview();
    for (const [id, side] of /** @type {const} */ ([
      ["standing-far", far],
      ["standing-near", near],
    ]))
      showSurvival(byId(id), side, position.standing?.[side] ?? null, this.kinds, this.set);
    this.nextSteps.show(this.active ? walk.children : [], walk.path.length, position.board, this.places.short, (step) =>
      this.composing.effects(step),
    );
    this.#showCard();
    this.host.refreshed();
  }

  /** The points of the pieces that can be dragged. */
  #movable() {
    if (this.active) return this.walk.root.flatMap(({ t, at }) => (t === "select" && at ? [at] : []));
    const { board } = this.position;
    return this.host.intended?.open ? Object.keys(board).filter((at) => board[at]?.[0] === this.me) : [];
  }

  /** The point of the royal piece of a side. @param {Side} side */
  #royal(side) {
    const at = Object.entries(this.position.board).find(
      ([, piece]) => piece[0] === side && this.kinds.get(piece.slice(1))?.royal,
    );
    return at?.[0] ?? null;
  }

  /** The mouse or the cursor has moved to a point. @param {string | null} at */
  #look(at) {
    this.looked = at;
    this.host.looked?.(at, false);
    this.composing.preview();
    if (this.composing.bare) this.#showCard();
  }

  /**
   * A piece in hand is hovered or focused: show its legal drops if they are few.
   * @param {Side} side @param {string | null} code
   */
  #lookHand(side, code) {
    const ready = code !== null && this.active && side === this.position.turn && !this.walk.path.length;
    const points = ready ? this.walk.drops(code) : [];
    this.board.hint(points.length <= FEW ? points : []);
  }

  #showCard() {
    if (this.composing.bare && !this.walk.path.length)
      this.carded = this.position.board[this.looked ?? ""] ?? this.carded;
    if (this.carded) this.card.show(this.carded.slice(1), this.carded[0] === "w" ? "w" : "b", this.set);
  }

  /** A long press: show the effect of the step to that point, or the card of the piece on it. @param {string} at */
  inspect(at) {
    this.#look(at);
    this.host.looked?.(at, true);
    if (this.composing.bare && this.walk.path.length && (this.walk.at(at) || this.composing.far.has(at))) return;
    this.carded = null;
    this.#introduce(this.position.board[at]);
  }

  /** The tray of a side. @param {Side} side */
  trayOf(side) {
    return side === (this.flipped ? "w" : "b") ? this.near : this.far;
  }

  /** Show why a move is illegal; the server's text names the move. @param {string} about @param {string} text */
  explained(about, text) {
    const named = this.variant.board.unbounded && text.startsWith(`${about} `);
    showNotice(this.placed(named ? t("That") + text.slice(about.length) : t(text)));
  }

  /** Show why a move is illegal as soon as the server has said it. @param {string} about @param {Promise<string>} reason */
  explain(about, reason) {
    reason.then((words) => this.explained(about, words)).catch((error) => showNotice(fault(error)));
  }

  /** The piece on a point, in words. @param {string} at */
  #nameAt(at) {
    return ownedName(this.position.board[at], this.kinds);
  }

  /** Announce the point under the cursor to screen readers. @param {string} at */
  announce(at) {
    const { walk, composing } = this;
    const step = walk.path.length ? walk.at(at) : undefined;
    const end = at === walk.here ? walk.ends[0] : undefined;
    const saved = this.position.stranded.includes(at)
      ? t(", must be saved this turn")
      : this.position.held?.includes(at)
        ? t(", held fast")
        : "";
    const follows = step ?? (walk.ends.length === 1 ? end : undefined);
    const more = [gainWords(step, this.kinds), follows ? composing.effects(follows) : ""].filter(Boolean).join("; ");
    const reached = step || composing.far.has(at) ? t(", can be reached") : end ? t(", the move may end here") : "";
    byId("spoken").textContent =
      `${this.places.long(at)}: ${this.#nameAt(at)}${saved}${step?.t === "shoot" ? t(", can be shot") : reached}${more && `: ${more}`}`;
    this.#look(at);
  }

  flip() {
    this.flipped = !this.flipped;
    this.refresh();
  }

  /** The first piece in the hand of the side to move. @returns {HTMLButtonElement | null} */
  handToMove() {
    return this.trayOf(this.position.turn).host.querySelector("button:not(:disabled)");
  }
}
