// @ts-check
/** The home page: games to continue, and a card for each variant. */

import { SelfPlaying } from "../board/self_playing.js";
import { waiting } from "../game/people.js";
import { opponentWords, playedGames, stateWords, yours } from "../game/played.js";
import { dailyPart } from "../lesson/daily.js";
import { allVariants } from "../lib/api.js";
import { button, byId, h } from "../lib/dom.js";
import { moment, n, t } from "../lib/i18n.js";
import { memory } from "../lib/memory.js";
import { fault } from "../lib/phrases.js";
import { games, learnt, profile, puzzled, watch } from "../lib/prefs.js";
import { perfectPlay, ROOT } from "../lib/root.js";
import { nameSidesOf } from "../lib/sides.js";
import { dueWords } from "../lib/today_words.js";

/** @import { Played } from "../types/client" */
/** @import { OfferedVariant } from "../types/wire" */

const SHOWN = 6; // most games to continue

const boards = new SelfPlaying();

/** The links of a game. @param {OfferedVariant} variant @param {Played[]} going */
function links(variant, going) {
  const { id, puzzles, solved } = variant;
  const open = going.find((game) => game.variant === id);
  return h(
    "div",
    { class: "row" },
    h("a", { class: "button primary", href: `${ROOT}new/${id}` }, t("game|Play")),
    open ? h("a", { class: "button", href: `${ROOT}game/${open.id}` }, t("Continue")) : null,
    h("a", { class: "button", href: `${ROOT}learn/${id}` }, t("Learn")),
    h("a", { class: "button", href: `${ROOT}study?variant=${id}` }, t("Study")),
    puzzles ? h("a", { class: "button", href: `${ROOT}puzzles/${puzzles.game}` }, t("Puzzles")) : null,
    // The page of a game's own puzzles has these links.
    ...(solved && puzzles?.game !== id
      ? [
          h("a", { class: "button", href: `${ROOT}hardest/${id}` }, t("Hardest wins")),
          h("a", { class: "button", href: perfectPlay(variant) }, t("Perfect play")),
        ]
      : []),
  );
}

/** The size of a game and the time it takes. @param {OfferedVariant} variant */
function measures({ board: { width, height, unbounded }, kinds, about: { minutes } }) {
  const [least, most] = minutes;
  return [
    unbounded ? t("No edges") : `${width}×${height}`,
    n("{count} kind of piece", "{count} kinds of piece", kinds.length),
    ...(most ? [t("{least} to {most} minutes", { least, most })] : []),
  ].join(" · ");
}

/** What has been done in this browser of a game's lessons and puzzles. @param {OfferedVariant} variant */
function progress({ id, puzzles }) {
  const lessons = learnt(id);
  const solved = puzzles ? puzzled(puzzles.game).solved.length : 0;
  const words = [
    lessons.done.length ? t("Lessons: {done} of {count}", { done: lessons.done.length, count: lessons.of }) : "",
    puzzles && solved
      ? t("Puzzles: {done} of {count}", { done: Math.min(solved, puzzles.count), count: puzzles.count })
      : "",
  ].filter(Boolean);
  return words.length ? h("p", { class: "quiet learnt" }, words.join(" · ")) : null;
}

/** Another form of a game, on its card. @param {OfferedVariant} variant @param {Played[]} going */
function form(variant, going) {
  return h(
    "details",
    { class: "form", "data-variant": variant.id },
    h("summary", {}, t(variant.name)),
    h("p", {}, t(variant.summary)),
    h("p", { class: "quiet" }, measures(variant)),
    links(variant, going),
  );
}

/** @param {OfferedVariant} variant @param {boolean} first @param {OfferedVariant[]} forms @param {Played[]} going */
function card(variant, first, forms, going) {
  const name = t(variant.name);
  return h(
    "article",
    { class: first ? "card first" : "card" },
    h(
      "div",
      { class: "card-game", "data-variant": variant.id },
      boards.add(variant, t("{game}, a sample game", { game: name })),
      first ? h("a", { class: "start-here", href: `${ROOT}learn/${variant.id}` }, t("Start here: the lessons")) : null,
      h("h2", {}, name),
      h("p", {}, t(variant.summary)),
      variant.about.story ? h("p", { class: "quiet" }, t(variant.about.story)) : null,
      h("p", { class: "quiet" }, measures(variant)),
      progress(variant),
      links(variant, going),
    ),
    ...forms.map((one) => form(one, going)),
  );
}

/** The games of the shelf, on one card. @param {OfferedVariant[]} classics @param {Played[]} going */
function shelfCard(classics, going) {
  return h(
    "article",
    { class: "card", id: "shelf" },
    h("h2", {}, t("The shelf")),
    h("p", {}, t("Classic variants, small and large, with the same opponents, studies and rules.")),
    ...classics.map((one) => form(one, going)),
    h("p", {}, h("a", { class: "button", href: `${ROOT}workshop` }, t("Workshop")), " ", t("Games of your own")),
  );
}

/** The button that stops the boards and lets them play on. */
function pauseButton() {
  const words = () => (boards.paused ? t("Let the boards play") : t("Stop the boards"));
  const made = button(
    { class: "plain", id: "pause-boards" },
    () => {
      boards.paused = !boards.paused;
      made.textContent = words();
    },
    words(),
  );
  return made;
}

/** A game to continue. @param {Played} game @param {OfferedVariant[]} offered */
function entry(game, offered) {
  const { id, variant, last } = game;
  const known = offered.find((one) => one.id === variant);
  nameSidesOf(game.start, known, game.names);
  const name = t(known?.name ?? variant);
  const against = waiting(game) ? "" : opponentWords(game);
  return h(
    "li",
    {},
    h(
      "a",
      { class: "button", href: `${ROOT}game/${id}` },
      h("strong", {}, name),
      h("span", { class: "quiet" }, [against, moment(last * 1000)].filter(Boolean).join(" · ")),
      h(
        "span",
        { class: yours(game) ? "your-turn" : "quiet" },
        yours(game) ? h("span", { "aria-hidden": "true" }, "● ") : null,
        stateWords(game),
      ),
    ),
  );
}

/** @param {OfferedVariant[]} offered @param {OfferedVariant[]} classics @param {Played[]} going */
function show(offered, classics, going) {
  boards.clear();
  const games = offered
    .filter(({ about }) => !about.of)
    .sort((one, other) => one.about.order - other.about.order || one.name.localeCompare(other.name));
  byId("cards").replaceChildren(
    ...games.map((variant, index) => {
      const forms = offered.filter(({ about }) => about.of === variant.id);
      return card(variant, index === 0, forms, going);
    }),
    ...(classics.length ? [shelfCard(classics, going)] : []),
  );
  byId("games").replaceChildren(...going.slice(0, SHOWN).map((game) => entry(game, [...offered, ...classics])));
  byId("latest").hidden = !going.length;
  const puzzling = [...games, ...offered.filter(({ about }) => about.of), ...classics].filter(
    ({ id, puzzles }) => puzzles?.game === id,
  );
  byId("daily").replaceChildren(...dailyPart(puzzling.map(({ id, name }) => ({ game: id, name: t(name) }))));
  byId("daily").hidden = !puzzling.length;
}

/** The games to continue, those that wait for the person here first. */
async function ask() {
  return (await playedGames(games().filter(({ over }) => !over))).filter(({ over }) => !over);
}

/** What comes back today. */
function showToday() {
  const words = dueWords(memory());
  byId("today").hidden = !words;
  byId("today").replaceChildren(words && h("a", { class: "button primary", href: `${ROOT}today` }, words));
}

showToday();
if (profile().key) void import("../game/memory.js").then(({ syncMemory }) => syncMemory()).then(showToday, () => {}); // what is here is shown
window.addEventListener("pageshow", showToday);
try {
  const [[offered, classics], going] = await Promise.all([allVariants(), ask().catch(() => [])]);
  show(offered, classics, going);
  watch(() => show(offered, classics, going));
  window.addEventListener("pageshow", ({ persisted }) => persisted && show(offered, classics, going));
  byId("cards").after(h("p", { class: "more" }, pauseButton()));
} catch (error) {
  byId("cards").textContent = t("The games could not be loaded: {fault}", { fault: fault(error) });
}
