// @ts-check
/** The lessons: all courses, or the chapters and stages of one, with what has been done in this browser. */

import { course, courses } from "../lib/api.js";
import { byId, entitle, h } from "../lib/dom.js";
import { progress } from "../lib/form_fields.js";
import { t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { learnt } from "../lib/prefs.js";
import { pathParts, ROOT } from "../lib/root.js";

/** @import { Course, CourseEntry } from "../types/wire" */

const game = pathParts()[1] ?? "";

/** The stages of a course that have been done. @param {string} game @param {string[]} stages */
function doneOf(game, stages) {
  const done = new Set(learnt(game).done);
  return new Set(stages.filter((id) => done.has(id)));
}

/** A link that begins a course, or goes on with it. @param {string} game @param {string[]} stages @param {Set<string>} done */
function onward(game, stages, done) {
  const next = stages.find((id) => !done.has(id)) ?? stages[0];
  const words = done.size === stages.length ? t("Once more") : done.size ? t("Continue") : t("Begin");
  return h("a", { class: "button primary", href: `${ROOT}learn/${game}/${next}` }, words);
}

/** @param {CourseEntry} entry @param {boolean} first whether it is the one to begin with */
function courseCard({ game, name, about, stages }, first) {
  const done = doneOf(game, stages);
  return h(
    "li",
    { class: "course", "data-course": game },
    first ? h("p", { class: "start-here" }, t("Start here")) : null,
    h("h2", {}, h("a", { href: `${ROOT}learn/${game}` }, name)),
    h("p", {}, about),
    progress(done.size, stages.length, t("Stages done")),
    h(
      "p",
      { class: "row" },
      onward(game, stages, done),
      h("a", { class: "button", href: `${ROOT}rules/${game}` }, t("Rules")),
      h("a", { class: "button", href: `${ROOT}new/${game}` }, t("game|Play")),
    ),
  );
}

async function showCourses() {
  const all = await courses();
  const begun = all.some(({ game, stages }) => doneOf(game, stages).size);
  byId("onward").replaceChildren(h("a", { class: "button", href: `${ROOT}today` }, t("Today: what comes back")));
  byId("courses").replaceChildren(...all.map((entry, number) => courseCard(entry, !begun && number === 0)));
}

/** @param {Course} found */
function showCourse({ variant, about, chapters }) {
  const stages = chapters.flatMap((chapter) => chapter.stages.map(({ id }) => id));
  const done = doneOf(variant.id, stages);
  entitle(t("Learn {game}", { game: t(variant.name) }));
  byId("about").textContent = about;
  byId("onward").replaceChildren(
    onward(variant.id, stages, done),
    h("a", { class: "button", href: `${ROOT}rules/${variant.id}` }, t("Rules")),
    h("a", { class: "button", href: `${ROOT}new/${variant.id}` }, t("game|Play")),
    h("a", { class: "button", href: `${ROOT}puzzles` }, t("Puzzles")),
    h("a", { class: "button", href: `${ROOT}learn` }, t("All courses")),
  );
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
                { href: `${ROOT}learn/${variant.id}/${id}`, class: done.has(id) ? "stage-link done" : "stage-link" },
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
  if (game) showCourse(await course(game));
  else await showCourses();
} catch (error) {
  byId("notice").textContent = t("The lessons could not be loaded: {fault}", { fault: fault(error) });
}
// Another stage may have been done since this page was left.
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
