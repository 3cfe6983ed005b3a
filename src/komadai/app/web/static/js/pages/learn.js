// @ts-check
/** The lessons: all courses, or the chapters and stages of one, with what has been done in this browser. */

import { sourceHere } from "../lesson/source.js";
import { courses } from "../lib/api.js";
import { byId, entitle, h } from "../lib/dom.js";
import { progress } from "../lib/form_fields.js";
import { t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { learnt } from "../lib/prefs.js";
import { pathParts, ROOT } from "../lib/root.js";

/** @import { Source } from "../lesson/source.js" */
/** @import { Course, CourseEntry } from "../types/wire" */

const [page, named = ""] = pathParts();

/** The stages of a course that have been done. @param {string} game @param {string[]} stages */
function doneOf(game, stages) {
  const done = new Set(learnt(game).done);
  return new Set(stages.filter((id) => done.has(id)));
}

/**
 * A link that begins a course, or goes on with it.
 * @param {number} done the number of stages done @param {number} all @param {string} next
 */
function onward(done, all, next) {
  const words = done && done === all ? t("Once more") : done ? t("Continue") : t("Begin");
  return h("a", { class: "button primary", href: next }, words);
}

/**
 * A link to the first stage that is not done.
 * @param {(stage: string) => string} at its address @param {string[]} stages @param {Set<string>} done
 */
function onwardIn(at, stages, done) {
  return onward(done.size, stages.length, at(stages.find((id) => !done.has(id)) ?? stages[0] ?? ""));
}

/** How far a course has been done, and a link to go on: to its contents, where it is made only then. @param {CourseEntry} entry */
function standing({ game, stages }) {
  if (stages) {
    const done = doneOf(game, stages);
    return [
      progress(done.size, stages.length, t("Stages done")),
      onwardIn((id) => `${ROOT}learn/${game}/${id}`, stages, done),
    ];
  }
  const { done, of } = learnt(game);
  return [of ? progress(done.length, of, t("Stages done")) : null, onward(done.length, of, `${ROOT}learn/${game}`)];
}

/** @param {CourseEntry} entry @param {boolean} first whether it is the one to begin with */
function courseCard(entry, first) {
  const { game, name, about } = entry;
  const [bar, link] = standing(entry);
  return h(
    "li",
    { class: "course", "data-course": game },
    first ? h("p", { class: "start-here" }, t("Start here")) : null,
    h("h2", {}, h("a", { href: `${ROOT}learn/${game}` }, name)),
    h("p", {}, about),
    bar,
    h(
      "p",
      { class: "row" },
      link,
      h("a", { class: "button", href: `${ROOT}rules/${game}` }, t("Rules")),
      h("a", { class: "button", href: `${ROOT}new/${game}` }, t("game|Play")),
    ),
  );
}

async function showCourses() {
  const all = await courses();
  const begun = all.some(({ game }) => learnt(game).done.length);
  const cards = all.map((entry, number) => courseCard(entry, !begun && number === 0));
  const made = all.findIndex(({ stages }) => !stages);
  byId("onward").replaceChildren(
    h("a", { class: "button", href: `${ROOT}today` }, t("Today: what comes back")),
    h("a", { class: "button", href: `${ROOT}teach` }, t("Write a lesson")),
    h("a", { class: "button", href: `${ROOT}openings` }, t("Openings")),
  );
  byId("courses").replaceChildren(...cards.splice(0, made < 0 ? cards.length : made));
  byId("made").replaceChildren(...cards);
  byId("others").hidden = !cards.length;
}

/** What else there is for those who learn a game. @param {Source} source @param {Course} found */
function besides({ taught }, { variant, puzzles, openings }) {
  const link = (/** @type {string} */ to, /** @type {string} */ words) =>
    h("a", { class: "button", href: `${ROOT}${to}` }, words);
  if (taught && "file" in taught)
    return [
      link(`workshop/play${location.hash}`, t("game|Play")),
      link(`workshop${location.hash}`, t("The game in the workshop")),
    ];
  if (taught) return [link(`teach${location.hash}`, t("Change this lesson"))];
  return [
    link(`rules/${variant.id}`, t("Rules")),
    link(`new/${variant.id}`, t("game|Play")),
    puzzles ? link(`puzzles/${puzzles.game}`, t("Puzzles")) : "",
    openings ? link(`openings/${variant.id}`, t("Openings")) : "",
    link("learn", t("All courses")),
  ];
}

/** @param {Source} source @param {Course} found */
function showCourse(source, found) {
  const { variant, about, chapters } = found;
  const stages = chapters.flatMap((chapter) => chapter.stages.map(({ id }) => id));
  const done = doneOf(source.kept, stages);
  const lesson = source.taught !== null && "lesson" in source.taught;
  const game = t(variant.name);
  entitle(lesson ? t("A lesson of {game}", { game }) : t("Learn {game}", { game }));
  byId("about").textContent = lesson ? `${about} ${t("(Made by somebody who passed it on.)")}` : about;
  byId("onward").replaceChildren(onwardIn(source.at, stages, done), ...besides(source, found));
  byId("standing").replaceChildren(progress(done.size, stages.length, t("Stages done")));
  byId("chapters").replaceChildren(
    ...chapters.map(({ title, stages }) =>
      h(
        "section",
        { class: "chapter" },
        h("h2", {}, title),
        h(
          "ol",
          { class: "stages" },
          ...stages.map(({ id, title }) =>
            h(
              "li",
              {},
              h(
                "a",
                { href: source.at(id), class: done.has(id) ? "stage-link done" : "stage-link" },
                h("span", { class: "sign", "aria-hidden": "true" }, done.has(id) ? "✓" : ""),
                h("span", {}, title),
                done.has(id) ? h("span", { class: "visually-hidden" }, t(", done")) : null,
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

try {
  if (named || page === "lesson") {
    const source = await sourceHere();
    showCourse(source, await source.course());
  } else await showCourses();
} catch (error) {
  byId("notice").textContent = t("The lessons could not be loaded: {fault}", { fault: fault(error) });
}
window.addEventListener("hashchange", () => location.reload());
// Another stage may have been done since this page was left.
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
