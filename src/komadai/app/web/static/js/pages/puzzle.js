// @ts-check
/** Entry point of the page of a puzzle. */

import { PuzzlePage } from "../lesson/puzzle.js";
import { puzzle, puzzleList } from "../lib/api.js";
import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { pathParts } from "../lib/root.js";

const [, game = "", id = ""] = pathParts();
try {
  const [list, begun] = await Promise.all([puzzleList(game), puzzle(game, id)]);
  new PuzzlePage(list, begun);
} catch (error) {
  byId("heading").textContent = t("The puzzle could not be loaded: {fault}", { fault: fault(error) });
}
