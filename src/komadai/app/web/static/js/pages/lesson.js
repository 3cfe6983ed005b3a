// @ts-check
/** Entry point of the page of a stage. */

import { LessonPage } from "../lesson/page.js";
import { course, judge } from "../lib/api.js";
import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { pathParts } from "../lib/root.js";

const [, game = "", stage = ""] = pathParts();
try {
  const [found, begun] = await Promise.all([course(game), judge(game, stage, { moves: [], move: null, tries: 0 })]);
  new LessonPage(found, begun);
} catch (error) {
  byId("heading").textContent = t("The lesson could not be loaded: {fault}", { fault: fault(error) });
}
