// @ts-check
/** Entry point of the page of an own mistake. */

import { DrillPage } from "../lesson/drill.js";
import { Recall } from "../lesson/recall.js";
import { emptyStudy, findPosition } from "../lib/api.js";
import { byId } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { cardOf, nameOf } from "../lib/memory.js";
import { mistakeOf } from "../lib/mistake.js";
import { fault } from "../lib/phrases.js";
import { ROOT } from "../lib/root.js";

const id = decodeURIComponent(location.hash.slice(1));
const mistake = mistakeOf(cardOf(id)?.of);
window.addEventListener("hashchange", () => location.reload());
try {
  if (!mistake) throw new Error(t("This browser has not kept this position, or it was forgotten."));
  const { variant, options, position } = mistake;
  const query = new URLSearchParams({ ...options, variant });
  const [study, found] = await Promise.all([
    emptyStudy(`?${query}`),
    findPosition({ variant, options, position, moves: [] }, 0),
  ]);
  new DrillPage(study.variant, found.position, mistake, new Recall(nameOf(id), true));
} catch (error) {
  byId("heading").textContent = t("The position could not be loaded: {fault}", { fault: fault(error) });
  byId("following").setAttribute("href", `${ROOT}today`);
}
