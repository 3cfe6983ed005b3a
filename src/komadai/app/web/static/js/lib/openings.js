// @ts-check
/** How the lines of an opening book are called. */

import { t } from "./i18n.js";
import { moveText } from "./prefs.js";

/** @import { Opening, OpeningList } from "../types/wire" */

/** The name of a line: the established one, or its first moves. @param {OpeningList} list @param {Opening} opening */
export function openingName({ openings }, { name, first, moves }) {
  const line = moves.slice(0, first).map(moveText).join(" ");
  if (!name) return line;
  const alone = openings.filter((one) => one.name === name).length === 1;
  const last = moves[first - 1];
  return alone || !last ? name : t("{opening}, with {move}", { opening: name, move: moveText(last) });
}

/** The line of a training and what it asks for: a side's moves, or the one after so many plies. @param {string} training */
export function trainingOf(training) {
  const [id = "", part = ""] = training.split(".");
  return { id, part };
}
