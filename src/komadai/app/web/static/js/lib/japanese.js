// @ts-check
/** Moves and squares in Japanese on a page in another language, marked for screen readers and for the choice of a font. */

import { h } from "./dom.js";
import { LANGUAGE } from "./i18n.js";
import { setting } from "./prefs.js";

const MOVE = /[☗☖０-９北東南西][\u3000\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uff60]+|[北東南西]/g;

/** True if moves are written in another language than that of the page. */
export function foreignMoves() {
  return LANGUAGE !== "ja" && setting("notation") === "japanese";
}

/** A text as children of an element, its moves and squares in Japanese marked. @param {string} text @returns {(Node | string)[]} */
export function marked(text) {
  if (LANGUAGE === "ja") return [text];
  const parts = /** @type {(Node | string)[]} */ ([]);
  let at = 0;
  for (const { 0: move, index } of text.matchAll(MOVE)) {
    parts.push(text.slice(at, index), h("span", { lang: "ja" }, move));
    at = index + move.length;
  }
  return [...parts, text.slice(at)].filter((part) => part !== "");
}
