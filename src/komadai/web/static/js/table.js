// @ts-check
/** A board at which moves are made: what is tapped goes down the tree of steps that the server published. */

import { actionsOf, Help } from "./actions.js";
import { Board } from "./board.js";
import { Card } from "./card.js";
import { placesOf, travelled } from "./compass.js";
import { Composing } from "./composing.js";
import { byId } from "./dom.js";
import { t } from "./i18n.js";
import { Panel } from "./panel.js";
import { kindsByCode } from "./pieces.js";
import { change, setting, watch } from "./prefs.js";
import { showStanding } from "./standing.js";
import { link, pointsOf, Walk } from "./steps.js";
import { Talk } from "./talk.js";
import { SIDE_NAMES, Tray } from "./trays.js";
import { changedWords, gainWords, heldWords, nameOf, pieceWords } from "./words.js";

/** @typedef {import("./types").Position} Position */
/** @typedef {import("./types").PlayedMove} PlayedMove */
/** @typedef {import("./types").Side} Side */
/** @typedef {import("./types").Step} Step */
/** @typedef {import("./types").Variant} Variant */

const FEW = 12; // legal points of a hand piece that are shown as soon as it is looked at

/** What pages with a board have in common. They say which position is shown, and what becomes of a move. */
export class Table {
  /** @param {Variant} variant @param {Position} position @param {Side | null} me whose eyes the board is seen with */
  constructor(variant, position, me) {
    this.variant = variant;
    this.kinds = kindsByCode(variant);
    this.me = me;
    this.flipped = me === "w";
    this.set = setting("pieces");
    this.walk = walkOf(position, variant);
    /** Text of a move string's beginning, for a piece that was tapped although it cannot move. @type {string | null} */
    this.stuck = null;
    /** The piece whose card is shown: side and code. @type {string | null} */
    this.carded = null;
    /** The point under the mouse or the keyboard's cursor. @type {string | null} */
    this.looked = null;

    this.board = new Board(byId("board"), variant, {
      tap: (at) => this.tapPoint(at),
      grab: (at) => this.grab(at),
      look: (at) => this.tell(at),
      hover: (at) => this.#look(at),
      inspect: (at) => this.inspect(at),
      name: (at) => `${at} ${this.#nameAt(at)}`,
    });
    const tapHand = (/** @type {Side} */ side, /** @type {string} */ code) => this.tapHand(side, code);
    const lookHand = (/** @type {Side} */ side, /** @type {string | null} */ code) => this.#lookHand(side, code);
    this.far = new Tray(byId("tray-far"), variant, tapHand, lookHand);
    this.near = new Tray(byId("tray-near"), variant, tapHand, lookHand);
    this.composing = new Composing(this);
    this.card = new Card(byId("card"), variant, this.kinds);
    if (this.composing.bare) this.card.invite(t("Point at a piece, or press it long, to see how it moves."));
    this.panel = new Panel(this.kinds, (step) => this.take(step), () => this.up());
    const actions = [...actionsOf(this), ...this.ownActions()];
    this.talk = new Talk(actions);
    this.help = new Help(actions);
    this.board.orient(this.flipped, this.set);
    this.#dress();
  }

  /** What the page says of the game itself, and the buttons that every board has. */
  #dress() {
    const { variant } = this;
    document.body.classList.toggle("bare", this.composing.bare);
    byId("signs").hidden = !this.composing.bare;
    byId("title").textContent = t(variant.name);
    byId("summary").textContent = t(variant.summary);
    byId("learn").setAttribute("href", `/rules/${variant.id}?${new URLSearchParams(variant.options)}`);
    byId("rules").textContent = changedWords(variant);
    byId("flip").addEventListener("click", () => this.flip());
    byId("set").addEventListener("click", () => change("pieces", this.set === "kanji" ? "letters" : "kanji"));
    byId("board").addEventListener("contextmenu", (event) => {
      if (!(event instanceof PointerEvent) || event.pointerType !== "mouse" || !this.walk.path.length) return;
      event.preventDefault();
      this.up();
    });
    watch(() => {
      this.set = setting("pieces");
      this.board.relabel();
      this.refresh();
    });
  }

  // --- What pages say ---

  /** The position that is shown. @returns {Position} */
  get position() {
    throw new Error("a page says which position it shows");
  }

  /** Whether a person may act on the board now. @returns {boolean} */
  get active() {
    throw new Error("a page says when one may act");
  }

  /** Make a move. @param {string} _text a move string */
  play(_text) {
    throw new Error("a page says what becomes of a move");
  }

  /** Ask why a move is not legal; the answer is `told`. @param {string} _text */
  explain(_text) {
    throw new Error("a page says whom to ask");
  }

  /** Say why one may not act now. */
  sayBusy() {}

  /** What only this page can do. @returns {import("./actions.js").Action[]} */
  ownActions() {
    return [];
  }

  /** After how many moves the position is that is shown. @returns {number} */
  get made() {
    throw new Error("a page says how many moves were made");
  }

  /** Show the position so many moves on, or back. @param {number} _by */
  step(_by) {
    throw new Error("a page says how to go through its moves");
  }

  /** The move that led to the position that is shown, in words. @returns {Promise<string>} */
  lastWords() {
    throw new Error("a page knows its moves");
  }

  /** How it stands, in words. @returns {string[]} */
  statusWords() {
    return [byId("headline").textContent ?? ""];
  }

  /** The best that can come of a step, where that is known and shown. @param {Step} _step @returns {import("./types").Judged["outcome"] | null} */
  worth(_step) {
    return null;
  }

  /** The step that would make a move, while the person is asked about it: it costs pieces, or the settings say so. */
  get asking() {
    const { last, way } = this.walk;
    const wanted = { costly: last?.loses?.length, compound: last?.loses?.length || way.length > 2 || way.some(({ shots }) => shots.length), never: false };
    return this.active && last?.usi !== undefined && wanted[setting("confirm")] ? last : undefined;
  }

  /** What points are called: on a field without edges as seen from one's own royal piece. */
  get places() {
    const { variant, me, position } = this;
    return placesOf(variant, this.kinds, position.board, me ?? position.turn, me);
  }

  // --- What the person does ---

  /** @param {string} at */
  tapPoint(at) {
    const { walk } = this;
    const steps = walk.path.length ? walk.all(at) : [];
    const [step] = steps;
    const far = this.composing.far.get(at);
    const choosing = walk.ending || this.composing.between.length > 0;
    walk.ending = false;
    this.composing.between = [];
    if (!this.active) this.sayBusy();
    else if (this.asking) this.up();
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

  /** End the move under way here, or ask what the piece shall become. */
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

  /** Take up the piece there, if it may move. @param {string} at */
  grab(at) {
    const step = this.walk.select(at);
    if (!step || !this.active) return false;
    if (this.walk.path[0] !== step || this.walk.path.length > 1) this.restart(step);
    return true;
  }

  /** @param {Side} side @param {string} code */
  tapHand(side, code) {
    this.carded = side + code;
    this.#showCard();
    const step = this.walk.drop(code);
    if (!this.active) this.sayBusy();
    else if (side !== this.position.turn) this.say(t("That is {side}’s hand; {other} is to move.", { side: SIDE_NAMES[side], other: SIDE_NAMES[this.position.turn] }));
    else if (this.walk.path[0]?.code === code || this.stuck === `${code}*`) this.cancel();
    else if (step) this.restart(step);
    else {
      this.cancel();
      this.stuck = `${code}*`;
      this.say(t("The {piece} cannot be dropped anywhere now.", { piece: nameOf(code, this.kinds) }));
      this.explain(this.stuck);
      this.refresh();
    }
  }

  /** A tap on a point that no step leads to. @param {string} at */
  #illegal(at) {
    const start = this.#startOfMove();
    const piece = this.position.board[at];
    const place = this.places.long(at);
    if (start) {
      this.explain(start + (piece && this.walk.children.some((step) => step.t === "shoot") ? "*" : "") + at);
      if (this.walk.ending) this.refresh();
    } else if (!piece) {
      this.say(t("Nothing stands on {place}: choose one of your pieces first.", { place }));
    } else if (piece[0] === this.position.turn) {
      this.stuck = at;
      const name = t("{piece} on {place}", { piece: nameOf(piece.slice(1), this.kinds), place });
      this.say(this.position.held?.includes(at) ? heldWords(name) : t("The {piece} has no legal move now. Tap a square to learn why.", { piece: name }));
      this.refresh();
    } else {
      this.carded = piece;
      this.#showCard();
      this.say(t("That is {whose}.", { whose: pieceWords(piece, this.kinds) }));
    }
  }

  /** The move string begun so far, as far as the piece is concerned. */
  #startOfMove() {
    const [first, second] = this.walk.path;
    if (!first) return this.stuck;
    if (first.t === "select") return this.walk.way.map(({ at, shots }) => [at, ...shots].join("*")).join("");
    return `${second?.t === "face" ? second.code : first.code}*`;
  }

  /** @param {Step[]} steps one after the other */
  take(...steps) {
    if (!this.active) return;
    this.stuck = null;
    this.composing.between = [];
    this.say("");
    for (const step of steps) {
      this.walk.down(step);
      if (step.t === "select") this.carded = this.position.board[step.at ?? ""] ?? null;
      if (step.t === "face" || step.t === "drop") this.carded = this.position.turn + (step.code ?? "");
    }
    this.walk.advance();
    if (this.walk.usi === undefined || this.asking) this.refresh();
    else this.send();
  }

  /** Make the move that has been composed. */
  send() {
    if (this.walk.usi !== undefined) this.play(this.walk.usi);
  }

  /** @param {Step | undefined} step */
  restart(step) {
    this.walk.reset();
    if (step) this.take(step);
  }

  /** Undo one step. */
  up() {
    this.stuck = null;
    this.say("");
    if (this.composing.between.length) this.composing.between = [];
    else this.walk.up();
    this.refresh();
  }

  cancel() {
    this.stuck = null;
    this.say("");
    this.composing.between = [];
    this.walk.reset();
    this.refresh();
  }

  // --- What is shown ---

  /** The position is another one: nothing of a move has been made in it. */
  enter() {
    this.walk = walkOf(this.position, this.variant);
    this.stuck = null;
    this.composing.between = [];
  }

  /**
   * Show the position, and all of the field that matters in it.
   * @param {PlayedMove[]} moves that led to it @param {PlayedMove | null} moved the one that is seen to be made @param {boolean} atOnce
   */
  show(moves, moved, atOnce) {
    const { board, support, tree } = this.position;
    this.board.show(board, moved, travelled(moves));
    this.board.fit(() => [...Object.keys(board), ...(support?.pieces ?? []), ...(support?.links ?? []), ...pointsOf(tree)], atOnce, moved);
    this.refresh();
  }

  refresh() {
    const { position, walk } = this;
    const near = this.flipped ? "w" : "b";
    const far = this.flipped ? "b" : "w";
    this.board.orient(this.flipped, this.set);
    this.board.mark({
      selected: walk.path[0]?.at ?? (this.stuck && !this.stuck.includes("*") ? this.stuck : null),
      ghost: this.active ? walk.goal : null,
      way: this.active && walk.path[0]?.t === "select" ? walk.way : [],
      taken: this.active && (walk.underway || this.composing.bare) ? walk.taken : [],
      targets: this.composing.targets(),
      held: position.held ?? [],
      shaded: this.active && !walk.choosing ? (position.blocked[this.#startOfMove() ?? ""] ?? []) : [],
      last: position.last,
      support: position.support,
      stranded: position.stranded,
      check: position.check ? this.#royal(position.turn) : null,
    });
    for (const [tray, side, upsideDown] of /** @type {const} */ ([[this.far, far, true], [this.near, near, false]])) {
      const turn = this.active && position.turn === side;
      const live = new Set(turn ? walk.root.flatMap((step) => (step.t === "drop" ? [step.code ?? ""] : [])) : []);
      const held = walk.path[0]?.t === "drop" ? walk.path[0].code : this.stuck?.endsWith("*") ? this.stuck.slice(0, -1) : null;
      tray.show(side, position.hands[side], { upsideDown, set: this.set, turn, live, selected: turn ? (held ?? null) : null });
    }
    this.board.hint([]);
    this.composing.choose();
    this.composing.preview();
    for (const [id, side] of /** @type {const} */ ([["standing-far", far], ["standing-near", near]])) showStanding(byId(id), side, position.standing?.[side] ?? null, this.kinds);
    this.panel.showNext(this.active ? walk.children : [], walk.path.length, position.board, this.places.short, (step) => this.composing.follows(step));
    this.#showCard();
    byId("set").textContent = this.set === "kanji" ? t("Letters") : t("Kanji");
  }

  /** @param {Side} side */
  #royal(side) {
    const at = Object.entries(this.position.board).find(
      ([, piece]) => piece[0] === side && this.kinds.get(piece.slice(1))?.royal,
    );
    return at?.[0] ?? null;
  }

  /** The mouse or the cursor is on a point. @param {string | null} at */
  #look(at) {
    this.looked = at;
    this.composing.preview();
    if (this.composing.bare) this.#showCard();
  }

  /** A piece in hand is looked at: where few points are open to it, they are shown. @param {Side} side @param {string | null} code */
  #lookHand(side, code) {
    const ready = code !== null && this.active && side === this.position.turn && !this.walk.path.length;
    const points = ready ? this.walk.drops(code) : [];
    this.board.hint(points.length <= FEW ? points : []);
  }

  #showCard() {
    if (this.composing.bare && !this.walk.path.length) this.carded = this.position.board[this.looked ?? ""] ?? this.carded;
    if (this.carded) this.card.show(this.carded.slice(1), this.carded[0] === "w" ? "w" : "b", this.set);
  }

  /** Show the card of the piece there or, of a point that can be reached, what it would bring. @param {string} at */
  inspect(at) {
    this.#look(at);
    if (this.walk.path.length && (this.walk.at(at) || this.composing.far.has(at))) return;
    this.carded = this.position.board[at] ?? null;
    this.#showCard();
    if (this.carded) this.card.lift();
  }

  /** The stand of a side. @param {Side} side */
  handOf(side) {
    return side === (this.flipped ? "w" : "b") ? this.near : this.far;
  }

  /** Say something under the headline; it stays until the next step. @param {string} words @param {boolean} [news] rather than a fault */
  say(words, news = false) {
    byId("notice").classList.toggle("news", news);
    byId("notice").textContent = words;
  }

  /** The server's answer to why something is not possible, which names it. @param {string} about @param {string} text */
  told(about, text) {
    const named = this.variant.board.unbounded && text.startsWith(`${about} `);
    this.say(named ? t("That") + text.slice(about.length) : t(text));
  }

  /** What stands there, in words. @param {string} at */
  #nameAt(at) {
    const piece = this.position.board[at];
    return piece ? pieceWords(piece, this.kinds) : t("empty");
  }

  /** Tell those who cannot see the board what is under the cursor. @param {string} at */
  tell(at) {
    const { walk, composing } = this;
    const step = walk.path.length ? walk.at(at) : undefined;
    const end = at === walk.here ? walk.ends[0] : undefined;
    const saved = this.position.stranded.includes(at) ? t(", must be saved this turn") : this.position.held?.includes(at) ? t(", held fast") : "";
    const follows = step ?? (walk.ends.length === 1 ? end : undefined);
    const more = [gainWords(step, this.kinds), follows ? composing.follows(follows) : ""].filter(Boolean).join("; ");
    const reached = step || composing.far.has(at) ? t(", can be reached") : end ? t(", the move may end here") : "";
    byId("spoken").textContent = `${this.places.long(at)}: ${this.#nameAt(at)}${saved}${step?.t === "shoot" ? t(", can be shot") : reached}${more && `: ${more}`}`;
    this.#look(at);
  }

  flip() {
    this.flipped = !this.flipped;
    this.refresh();
  }

  /** The first piece in the hand of the side to move. @returns {HTMLButtonElement | null} */
  handToMove() {
    return this.handOf(this.position.turn).host.querySelector("button:not(:disabled)");
  }
}

/** The walk down a position's tree. @param {Position} position @param {import("./types").Variant} variant */
function walkOf({ tree, shared = [] }, { hands }) {
  link(tree, shared, hands.length > 0);
  return new Walk(tree);
}
