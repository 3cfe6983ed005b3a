// @ts-check
/** Drags of pieces from the hand to the board. */

import { dragPicture } from "../board/drag.js";

/** @import { Side } from "../types/wire" */
/** @import { MoveInput } from "./input.js" */

export class HandDrag {
  /** @param {MoveInput} input */
  constructor(input) {
    this.input = input;
    /** True while a piece is being dragged: a choice of faces waits until it has been dropped. */
    this.under = false;
    /** The point where a piece was dropped before its face was chosen. @type {string | null} */
    this.at = null;
  }

  /** A slot of a hand was pressed. @param {Side} side @param {string} code @param {PointerEvent} down */
  press(side, code, down) {
    const { board } = this.input;
    const picture = this.input.trayOf(side).picture(code);
    if (picture)
      dragPicture(board, down, picture, {
        grab: () => this.#grab(side, code),
        dropped: (at) => this.#dropped(code, at),
      });
  }

  /** Take up a piece in hand; returns whether it can be dropped somewhere. @param {Side} side @param {string} code */
  #grab(side, code) {
    const { input } = this;
    if (!input.active) return (side === input.me && input.host.intended?.grab(`${code}*`)) || false;
    const step = side === input.position.turn ? input.walk.drop(code) : undefined;
    if (!step) return false;
    this.under = true;
    if (input.walk.path[0] === step && input.walk.path.length === 1) input.refresh();
    else input.restart(step);
    if (input.walk.choosing) input.board.hint(input.walk.drops(code));
    return true;
  }

  /** @param {string} code @param {string | null} at */
  #dropped(code, at) {
    const { input } = this;
    this.under = false;
    if (!input.active) input.host.intended?.tap(at ?? `${code}*`);
    else if (!at) input.cancel();
    else if (input.walk.choosing && input.walk.drops(code).includes(at)) {
      this.at = at;
      input.refresh(); // asks for the face
    } else input.tapPoint(at);
  }

  /** The face has been chosen: drop it there. @param {import("../types/wire").Step} step */
  chosen(step) {
    const { at, input } = this;
    this.at = null;
    input.take(step);
    if (at) input.tapPoint(at);
  }
}
