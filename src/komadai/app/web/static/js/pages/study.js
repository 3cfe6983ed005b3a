// @ts-check
/** Entry point of the page of a study. */

import { emptyStudy } from "../lib/api.js";
import { TooLongError } from "../lib/bounds.js";
import { t } from "../lib/i18n.js";
import { moments } from "../lib/moments.js";
import { fault } from "../lib/phrases.js";
import { pathParts } from "../lib/root.js";
import { gameStudy, readRecords, sharedStudy } from "../study/api.js";
import { draft, drafts } from "../study/drafts.js";
import { listenForOpening, showOpenDialog } from "../study/open_dialog.js";
import { StudyPage } from "../study/page.js";
import { recordOfHash } from "../study/record_link.js";

/** The study stored as a draft. @param {string} id */
async function stored(id) {
  const found = draft(id);
  if (!found) throw new Error(t("This browser has no such study."));
  const { study } = await readRecords(found.text);
  if (!study) throw new Error(t("That study cannot be read."));
  return study;
}

/** The study and the id of its draft; `null` if the address names none and there is no draft. */
async function findStudy() {
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
  const kept = query.get("moment");
  if (kept) {
    const moment = moments().find((one) => one.id === kept);
    if (!moment) throw new Error(t("This browser no longer keeps that moment."));
    const { options, sfen, variant } = moment;
    return { study: await emptyStudy(`?${new URLSearchParams({ ...options, variant, position: sfen })}`), moment };
  }
  const [game, named] = [query.get("game"), query.get("draft")];
  if (game) return { study: await gameStudy(game), id: null };
  if (query.has("variant")) return { study: await emptyStudy(location.search), id: null };
  const wanted = named ?? drafts()[0]?.id;
  return wanted ? { study: await stored(wanted), id: wanted } : null;
}

/** Follow a live study. @param {string} id */
async function followLive(id) {
  const { Follower } = await import("../study/live_follower.js");
  new Follower(
    id,
    (study, follower) => {
      document.body.classList.remove("empty");
      const page = new StudyPage(study, null);
      page.follow(follower);
      return page;
    },
    (words) => void showOpenDialog(words),
  );
}

listenForOpening();
const [place, live] = pathParts();
try {
  const found = place === "live" && live ? await followLive(live) : await findStudy();
  if (found) {
    document.body.classList.remove("empty");
    const page = new StudyPage(found.study, found.id ?? null, found.moment ?? null);
    const query = new URLSearchParams(location.search);
    await page.chapters.go(Number(query.get("chapter") ?? 1) - 1);
    const ply = Number(query.get("ply"));
    if (ply) page.step(ply);
    if (query.has("review")) page.review.start();
    if (found.moment) await page.review.drill(found.moment, query.get("kind"));
    await page.resume();
  } else if (place !== "live") await showOpenDialog();
} catch (error) {
  void showOpenDialog(fault(error));
}
