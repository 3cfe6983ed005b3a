// @ts-check
/** Entry point of a game of the workshop, whose variant file is in the address. */

import { fitSheet } from "../lesson/sheet.js";
import { TooLongError } from "../lib/bounds.js";
import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { ROOT } from "../lib/root.js";
import { checkFile, fileOfHash } from "../lib/workshop_api.js";
import { openOwnRules } from "../moves/heading.js";
import { WorkshopGame } from "../workshop/game.js";

/** The file in the address. */
async function file() {
  try {
    return await fileOfHash(location.hash);
  } catch (error) {
    if (error instanceof TooLongError) throw error;
    return null;
  }
}

try {
  const text = await file();
  if (!text) throw new Error(t("The address holds no file that can be read."));
  byId("edit").setAttribute("href", `${ROOT}workshop${location.hash}`);
  byId("lessons").setAttribute("href", `${ROOT}lesson${location.hash}`);
  const { defects, rulebook, position } = await checkFile(text);
  const [defect] = defects;
  if (!rulebook || !position)
    throw new Error(
      t("The file has defects; the first is in line {line}: {what}", {
        line: defect?.line ?? 1,
        what: defect?.what ?? "",
      }),
    );
  new WorkshopGame(text, rulebook, position);
  openOwnRules(async () => rulebook);
  fitSheet(byId("notice"));
} catch (error) {
  byId("heading").textContent = t("The game could not be loaded: {fault}", { fault: fault(error) });
}
