// @ts-check
/** Entry point of the page that walks through perfect play. */

import { byId } from "../lib/dom.js";
import { fault } from "../lib/phrases.js";
import { pathParts } from "../lib/root.js";
import { emptyStudy } from "../study/api.js";
import { PerfectPage } from "../study/perfect_page.js";

const query = new URLSearchParams(location.search);
const sfen = query.get("sfen");
query.delete("sfen");
query.set("variant", pathParts()[1] ?? "");
if (sfen) query.set("position", sfen);
try {
  new PerfectPage(await emptyStudy(`?${query}`));
} catch (error) {
  byId("headline").textContent = "";
  byId("notice").textContent = fault(error);
}
