// @ts-check
/** Finds the study that the address names: a shared one, a draft of this browser, a game, or an empty one. */

import { TooLongError } from "../lib/bounds.js";
import { t } from "../lib/i18n.js";
import { pathParts } from "../lib/root.js";
import { emptyStudy, gameStudy, readRecords, sharedStudy } from "./api.js";
import { draft, drafts } from "./drafts.js";
import { recordOfHash } from "./record_link.js";

/** The study stored as a draft. @param {string} id */
async function stored(id) {
  const found = draft(id);
  if (!found) throw new Error(t("This browser has no such study."));
  const { study } = await readRecords(found.text);
  if (!study) throw new Error(t("That study cannot be read."));
  return study;
}

/** The study and the id of its draft; `null` if the address names none and there is no draft. */
export async function findStudy() {
  const query = new URLSearchParams(location.search);
  const [, id] = pathParts();
  const linked = await recordOfHash(location.hash).catch((error) => {
    if (error instanceof TooLongError) throw error;
    return "";
  });
  if (linked !== null) {
    const { study } = await readRecords(linked).catch(() => ({ study: null }));
    if (!study) throw new Error(t("The record in this link cannot be read: part of the link may be missing."));
    return { study, id: null };
  }
  if (id) return { study: await sharedStudy(id), id: null };
  const [game, named] = [query.get("game"), query.get("draft")];
  if (game) return { study: await gameStudy(game), id: null };
  if (query.has("variant")) return { study: await emptyStudy(location.search), id: null };
  const wanted = named ?? drafts()[0]?.id;
  return wanted ? { study: await stored(wanted), id: wanted } : null;
}
