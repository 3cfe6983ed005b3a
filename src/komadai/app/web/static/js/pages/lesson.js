// @ts-check
/** Entry point of the page of a stage. */

import { LessonPage } from "../lesson/page.js";
import { rulesTaught, sourceHere } from "../lesson/source.js";
import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { pathParts } from "../lib/root.js";
import { openOwnRules } from "../moves/heading.js";

const stage = pathParts().at(-1) ?? "";
window.addEventListener("hashchange", () => location.reload());
try {
  const source = await sourceHere();
  const [found, begun] = await Promise.all([source.course(), source.judge(stage, { moves: [], move: null, tries: 0 })]);
  new LessonPage(source, found, begun);
  const { taught } = source;
  if (taught) openOwnRules(() => rulesTaught(taught));
} catch (error) {
  byId("heading").textContent = t("The lesson could not be loaded: {fault}", { fault: fault(error) });
}
