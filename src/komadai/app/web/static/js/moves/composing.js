// @ts-check
/** The move being made: targets of the next step, its effects, and the choices and questions on the way. */

import { label } from "../board/pieces.js";
import { byId, onClick, say } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { title } from "../lib/phrases.js";
import { choicesOf } from "./choices.js";
import { Chooser } from "./chooser.js";
import { costList, effectStrip, foreseenEffects } from "./effects.js";
import { costsOf, farEnds, onlyMove } from "./step_walk.js";
import { costWords, gainWords, stepWords } from "./words.js";

/** @import { Target } from "../board/marks.js" */
/** @import { Step } from "../types/wire" */
/** @import { MoveInput } from "./input.js" */

/** The bounding box of some boxes. @param {DOMRect[]} boxes */
function around(boxes) {
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
  return new DOMRect(left, top, right - left, bottom - top);
}

export class Composing {
  /** @param {MoveInput} input */
  constructor(input) {
    this.input = input;
    this.chooser = new Chooser(() => input.up());
    /** Steps to the same point, while the person chooses between them. @type {Step[]} */
    this.between = [];
    /** Points several steps away that can be tapped at once, with the steps there. @type {Map<string, Step[]>} */
    this.far = new Map();
    /** True if the game has no hands: effects are then shown in the strip below the board. */
    this.bare = input.variant.hands.length === 0;
    byId("compose").hidden = !this.bare;
    onClick("done", () => input.finish());
    onClick("back", () => input.up());
  }

  /** The kind of the piece that moves. */
  get mover() {
    const { walk, position } = this.input;
    const first = walk.path[0];
    return first?.t === "select" ? position.board[first.at ?? ""]?.slice(1) : undefined;
  }

  /** @returns {Target[]} */
  targets() {
    const { walk, kinds } = this.input;
    this.far = new Map();
    if (!walk.path.length || !this.input.active || walk.choosing) return [];
    const { mover } = this;
    /** @param {Step} step @param {string | undefined} at @param {Target["form"]} form @returns {Target[]} */
    const target = (step, at, form) => {
      const becomes = mover !== undefined && step.piece && step.piece !== mover && form !== "stop" ? step.piece : null;
      const gains = gainWords(step, kinds) ? (step.gains ?? "") : null;
      const gone = onlyMove(step)?.piece === null;
      return at
        ? [{ at, form, becomes, gains, costs: costsOf(step).length > 0, gone, value: this.input.host.worth(step) }]
        : [];
    };
    const next = walk.children.flatMap((step) =>
      target(step, step.at, step.t === "capture" || step.t === "shoot" ? step.t : "go"),
    );
    const order = { shoot: 0, capture: 1, go: 2, stop: 3, far: 4 };
    next.sort((one, other) => order[one.form] - order[other.form]);
    const [end] = walk.ends;
    if (end) next.push(...target(end, walk.here ?? undefined, "stop"));
    if (mover !== undefined && walk.path.length) {
      this.far = farEnds(walk.children);
      for (const at of [walk.here, walk.path[0]?.at]) this.far.delete(at ?? "");
      for (const [at, way] of this.far) next.push(...way.slice(-1).flatMap((step) => target(step, at, "far")));
    }
    return next;
  }

  // --- Choices and questions ---

  /** Open the pop-up if the next step is a choice, or close it. */
  choose() {
    const { input } = this;
    const { walk, handDrag } = input;
    if (!walk.choosing) handDrag.at = null;
    if (handDrag.under) this.chooser.hide();
    else if (input.asking) this.#ask(input.asking);
    else if (this.between.length && input.active) this.#decide(this.between);
    else if (walk.choosing && input.active) this.#become();
    else this.chooser.hide();
  }

  #become() {
    const { input } = this;
    const { walk, position, variant, kinds, set, board, handDrag } = input;
    const { last } = walk;
    const side = position.turn;
    const why = (/** @type {string} */ code) => input.host.explain(`${code}*`);
    const { words, shape, choices } = choicesOf(
      walk,
      variant,
      kinds,
      { side, set },
      (step) => handDrag.chosen(step),
      why,
    );
    const at = (walk.ending && walk.here) || last?.at || handDrag.at;
    const anchor = at ? board.rect(at) : input.trayOf(side).rect(last?.code ?? "");
    this.chooser.show(anchor, words, choices, { shape, note: this.#gain(last), spoken: gainWords(last, kinds) });
  }

  /** Ask which of the steps to one point is meant. @param {Step[]} steps */
  #decide(steps) {
    const { input } = this;
    const words = (/** @type {Step} */ step) =>
      title(stepWords(step, input.kinds, input.position.board, input.places.short));
    const choices = steps.map((step) => ({ key: step.t, title: words(step), pick: () => input.take(step) }));
    this.chooser.show(input.board.rect(steps[0]?.at ?? ""), t("Which is meant?"), choices);
  }

  /** Ask for confirmation of a move. @param {Step} step */
  #ask(step) {
    const { input } = this;
    const at = input.walk.here;
    if (!at) return;
    this.chooser.show(
      around([at, ...(step.loses ?? []), ...(step.burns ?? [])].map((point) => input.board.rect(point))),
      this.cost(step) ? t("{cost}.", { cost: title(this.cost(step)) }) : t("Play this move?"),
      [
        { key: "play", title: t("Play"), pick: () => input.send() },
        { key: "cancel", title: t("Cancel"), pick: () => input.up() },
      ],
    );
  }

  // --- Effects ---

  /** The cost of a move, in words. @param {Step | undefined} step */
  cost(step) {
    const { walk, position, variant, kinds } = this.input;
    if (!this.bare) return costWords(costsOf(step), position.turn, variant);
    const end = step && onlyMove(step);
    const goal = step?.at && step.t !== "shoot" ? step.at : walk.here;
    if (end?.loses?.length) return costList(end, this.mover ?? "", goal, position.board, kinds);
    const lost = costsOf(step).length;
    return lost ? n("burns {count} of yours", "burns {count} of yours", lost) : "";
  }

  /** The effects of a step in the list beside the board. @param {Step} step */
  effects(step) {
    if (!this.bare) return this.cost(step);
    const { walk, position, kinds } = this.input;
    const { end, parts } = walk.path.length
      ? foreseenEffects(walk, step, this.mover ?? "", position.board, kinds)
      : { end: null, parts: [] };
    const plain =
      parts.length === 1 &&
      (step.t === "promote" ||
        ((step.t === "capture" || step.t === "shoot") && end?.prey?.length === 1 && !walk.taken.length));
    return end && !plain ? parts.map(({ text }) => text).join(" · ") : this.cost(step);
  }

  /** The gain of a capture, in the writing of the pieces. @param {Step | undefined} step */
  #gain(step) {
    return gainWords(step, this.input.kinds, (kind) => label(kind, "b", this.input.set));
  }

  /** Show the effects of the move in view: the one being made, or the one under the mouse or the cursor. */
  preview() {
    const { input } = this;
    const { walk, looked, active, asking } = input;
    if (this.bare) return this.#strip();
    const step = walk.choosing || asking ? walk.last : walk.path.length && looked ? walk.at(looked) : undefined;
    const words = active ? [this.#gain(step), asking ? "" : this.cost(step)].filter(Boolean).join(" · ") : "";
    input.board.showLosses({ loses: active ? costsOf(step) : [], burns: [], mover: null });
    say("preview", words);
  }

  /** The step under the mouse or the cursor, if it continues the move begun. */
  #viewed() {
    const { walk, looked, asking } = this.input;
    if (asking || walk.choosing || !looked || !walk.path.length) return undefined;
    return (
      walk.at(looked) ??
      this.far.get(looked)?.at(-1) ??
      (looked === walk.here ? (walk.ends.length === 1 ? walk.ends[0] : undefined) : undefined)
    );
  }

  /** Update the strip of effects and the buttons beside it. */
  #strip() {
    const { input } = this;
    const { walk, active, position, kinds } = input;
    const begun = active && walk.path.length > 0;
    const step = this.#viewed();
    const { end, parts } =
      begun && (step || walk.path.length > 1)
        ? foreseenEffects(walk, step, this.mover ?? "", position.board, kinds)
        : { end: null, parts: [] };
    const strip = byId("strip");
    const goal = step?.at && step.t !== "shoot" ? step.at : walk.here;
    strip.replaceChildren(...(end && !parts.length ? [t("takes nothing")] : effectStrip(parts)));
    strip.classList.toggle("final", end !== null);
    input.board.showLosses({
      loses: end?.loses ?? (step ? costsOf(step) : []),
      burns: end?.burns ?? [],
      mover: end?.piece === null ? goal : null,
    });
    byId("done").toggleAttribute("disabled", !begun || !walk.ends.length || walk.choosing);
    byId("back").toggleAttribute("disabled", !begun);
  }
}
