// @ts-check
/** The rules of the game that a lesson is about, which is known by its name or is in a variant file. */

import { checkPosition, explainMove, findPosition, rulebook } from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { checkFile, checkSetUp, explainIn, positionIn } from "../lib/workshop_api.js";

/** @import { AskedPosition } from "../types/client" */
/** @import { CheckedPosition, FoundPosition, OfferedVariant, Rulebook } from "../types/wire" */

/**
 * @typedef {{
 *   rulebook: Rulebook,
 *   variant: OfferedVariant,
 *   check: (position: AskedPosition) => Promise<CheckedPosition>,
 *   find: (position: string, moves: string[], text?: string) => Promise<FoundPosition>,
 *   explain: (position: string, text: string) => Promise<string>,
 * }} Rules
 */

/** The game of a variant file. Throws if it has defects. @param {string} file @returns {Promise<Rules>} */
async function rulesIn(file) {
  const { defects, rulebook: found } = await checkFile(file);
  const [defect] = defects;
  if (!found)
    throw new Error(
      t("The file has defects; the first is in line {line}: {what}", {
        line: defect?.line ?? 1,
        what: defect?.what ?? "",
      }),
    );
  return {
    rulebook: found,
    variant: found.variant,
    check: (position) => checkSetUp(file, position),
    find: (position, moves, text) => positionIn(file, moves, text, position || null),
    explain: (position, text) => explainIn(file, [], text, position || null),
  };
}

/** @param {{ game: string, file: string }} lesson @returns {Promise<Rules>} */
export async function rulesOf({ game, file }) {
  if (file) return rulesIn(file);
  const found = await rulebook(game, "");
  const at = (/** @type {string} */ position, /** @type {string[]} */ moves) => ({
    variant: game,
    options: {},
    position: position || null,
    moves,
  });
  return {
    rulebook: found,
    variant: found.variant,
    check: (position) => checkPosition(game, {}, position),
    find: (position, moves, text) => findPosition(at(position, moves), moves.length, text),
    explain: (position, text) => explainMove(at(position, []), text),
  };
}
