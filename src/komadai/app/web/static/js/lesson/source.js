// @ts-check
/** Where the lessons of a page come from: the server's courses, or a lesson that somebody made and put into the address. */

import { course, judge, rulebook } from "../lib/api.js";
import { TooLongError } from "../lib/bounds.js";
import { t } from "../lib/i18n.js";
import { pathParts, ROOT } from "../lib/root.js";
import { checkFile, checkLesson, fileOfHash, judgeIn, lessonOfHash, taughtCourse } from "../lib/workshop_api.js";

/** @import { Course, LessonAnswer, Rulebook } from "../types/wire" */
/** @import { Taught } from "../lib/workshop_api.js" */

/**
 * `kept`: the name under which the browser keeps what is done; `contents`: the address of all stages, and `at` that of
 * one; `taught`: what the address holds, unless it is a course of the server.
 * @typedef {{
 *   kept: string, contents: string, at: (stage: string) => string,
 *   course: () => Promise<Course>,
 *   judge: (stage: string, asked: { moves: string[], move: string | null, tries: number }) => Promise<LessonAnswer>,
 *   taught: Taught | null,
 * }} Source
 */

/** The server's course of a game. @param {string} game @returns {Source} */
function ownSource(game) {
  return {
    kept: game,
    contents: `${ROOT}learn/${game}`,
    at: (stage) => `${ROOT}learn/${game}/${stage}`,
    course: () => course(game),
    judge: (stage, asked) => judge(game, stage, asked),
    taught: null,
  };
}

/** What the address holds. @returns {Promise<Taught>} */
async function taughtHere() {
  try {
    const lesson = await lessonOfHash(location.hash);
    if (lesson) return { lesson };
    const file = await fileOfHash(location.hash);
    if (file) return { file };
  } catch (error) {
    if (error instanceof TooLongError) throw error;
  }
  throw new Error(t("The address holds no lesson that can be read."));
}

/** A short name of a text, which no game has. @param {string} text */
function nameOf(text) {
  let [low, high] = [0x9e3779b9, 0x85ebca6b];
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ low, 0xc2b2ae35) ^ (high >>> 13);
  }
  return `~${(low >>> 0).toString(36)}${(high >>> 0).toString(36)}`;
}

/** The rules of the game that a lesson is about. @param {Taught} taught @returns {Promise<Rulebook>} */
export async function rulesTaught(taught) {
  const { variant = "", game = "" } = "file" in taught ? {} : ((await checkLesson(taught.lesson)).lesson ?? {});
  const file = "file" in taught ? taught.file : variant;
  const found = file ? (await checkFile(file)).rulebook : await rulebook(game, "");
  if (!found) throw new Error(t("The address holds no lesson that can be read."));
  return found;
}

/** The lesson in the address. @returns {Promise<Source>} */
async function sharedSource() {
  const taught = await taughtHere();
  return {
    kept: nameOf(Object.values(taught)[0] ?? ""),
    contents: `${ROOT}lesson${location.hash}`,
    at: (stage) => `${ROOT}lesson/${encodeURIComponent(stage)}${location.hash}`,
    course: () => taughtCourse(taught),
    judge: (stage, asked) => judgeIn(taught, stage, asked),
    taught,
  };
}

/** The lessons of this page. */
export function sourceHere() {
  const [page, game = ""] = pathParts();
  return page === "lesson" ? sharedSource() : Promise.resolve(ownSource(game));
}
