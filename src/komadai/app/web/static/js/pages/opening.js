// @ts-check
/** Entry point of the page on which an opening is trained. */

import { OpeningPage } from "../lesson/opening.js";
import { openingList, train } from "../lib/api.js";
import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { trainingOf } from "../lib/openings.js";
import { fault } from "../lib/phrases.js";
import { pathParts } from "../lib/root.js";

const [, game = "", training = ""] = pathParts();
try {
  const [list, begun] = await Promise.all([openingList(game), train(game, training, { moves: [] })]);
  const opening = list.openings.find(({ id }) => id === trainingOf(training).id);
  if (!opening) throw new Error(t("There is no such opening of this game."));
  new OpeningPage(list, opening, training, begun);
} catch (error) {
  byId("heading").textContent = t("The opening could not be loaded: {fault}", { fault: fault(error) });
}
