// @ts-check
/** Opens the study that the address names: one that was shared or is kept here, a game, or an empty one. */

import { draft, drafts } from "./drafts.js";
import { t } from "./i18n.js";
import { prepareOpening, showOpening } from "./opening.js";
import { empty, played, read, shared } from "./studyapi.js";
import { StudyPage } from "./studypage.js";
import { fault } from "./words.js";

const query = new URLSearchParams(location.search);

/** The study of a draft. @param {string} id */
async function kept(id) {
  const found = draft(id);
  if (!found) throw new Error(t("That study is not kept in this browser."));
  const { study } = await read(found.text);
  if (!study) throw new Error(t("That study cannot be read."));
  return study;
}

/** What the address names, and the draft it comes from; nothing where it names none and none is kept. */
async function find() {
  const [, , id] = location.pathname.split("/");
  if (id) return { study: await shared(decodeURIComponent(id)), id: null };
  const [game, named] = [query.get("game"), query.get("draft")];
  if (game) return { study: await played(game), id: null };
  if (query.has("variant")) return { study: await empty(location.search), id: null };
  const wanted = named ?? drafts()[0]?.id;
  return wanted ? { study: await kept(wanted), id: wanted } : null;
}

prepareOpening();
try {
  const found = await find();
  if (found) {
    document.body.classList.remove("empty");
    const page = new StudyPage(found.study, found.id);
    const ply = Number(query.get("ply"));
    if (ply) page.step(ply);
  } else showOpening();
} catch (error) {
  showOpening(fault(error));
}
