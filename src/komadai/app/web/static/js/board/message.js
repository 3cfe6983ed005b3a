// @ts-check
/** Messages that the server sends to several readers: a template and its arguments. */

import { t } from "../lib/i18n.js";
import { OTHER, SIDE_NAMES } from "../lib/sides.js";
import { nameByCode } from "./piece_names.js";

/** @import { Kind, Message } from "../types/wire" */

/** The message in the language of the page. @param {Message} message @param {Map<string, Kind>} kinds */
export function messageWords({ text, side, pieces, note }, kinds) {
  /** @type {import("../lib/translate.js").Values} */
  const values = {};
  if (side) Object.assign(values, { side: SIDE_NAMES[side], other: SIDE_NAMES[OTHER[side]] });
  if (pieces) {
    const names = pieces.map((code) => nameByCode(code, kinds));
    const last = names.pop() ?? "";
    values.pieces = names.length ? t("no|{some} or {last}", { some: names.join(t("list|, ")), last }) : last;
  }
  if (note) values.note = t(note, values);
  return t(text, values);
}
