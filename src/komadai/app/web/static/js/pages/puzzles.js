// @ts-check
/** The puzzles: all games that have some, or those of one, with what has been solved in this browser. */

import { byRating, ofLevel, ofSet, ofStreak, setName, unsolved } from "../lesson/next_puzzle.js";
import { beginRush } from "../lesson/rush.js";
import { puzzleGames, puzzleList } from "../lib/api.js";
import { byId, entitle, h } from "../lib/dom.js";
import { progress } from "../lib/form_fields.js";
import { n, t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { puzzled } from "../lib/prefs.js";
import { pathParts, perfectPlay, ROOT } from "../lib/root.js";

/** @import { PuzzleGame, PuzzleList, PuzzleSet } from "../types/wire" */

const FEW = 100; // puzzles; a game with fewer says so
const wanted = pathParts()[1] ?? "";

/** @param {string} game */
function rowWords(game) {
  const { streak, best, rating, rated, rush } = puzzled(game);
  const words = [
    rated ? t("Your rating: {rating}", { rating }) : "",
    best ? t("In a row: {streak} (most {best})", { streak, best }) : "",
    rush ? t("Best rush: {rush}", { rush }) : "",
  ].filter(Boolean);
  return words.length ? h("p", { class: "quiet" }, words.join(" · ")) : null;
}

/** @param {PuzzleGame} entry */
function gameCard({ game, name, count, daily }) {
  const { solved } = puzzled(game);
  return h(
    "li",
    { class: "course", "data-game": game },
    h("h2", {}, h("a", { href: `${ROOT}puzzles/${game}` }, name)),
    progress(Math.min(solved.length, count), count, t("Puzzles solved")),
    rowWords(game),
    h(
      "p",
      { class: "row" },
      h("a", { class: "button primary", href: `${ROOT}puzzles/${game}` }, solved.length ? t("Continue") : t("Begin")),
      h(
        "a",
        { class: "button", href: `${ROOT}puzzles/${game}/${daily}?daily` },
        solved.includes(daily) ? t("Today’s puzzle ✓") : t("Today’s puzzle"),
      ),
    ),
  );
}

/** The puzzles of one theme and length. @param {PuzzleList} list @param {PuzzleSet} set @param {Set<string>} solved */
function setSection(list, set, solved) {
  const done = set.puzzles.filter(({ id }) => solved.has(id)).length;
  const name = setName(set);
  return h(
    "section",
    { class: "chapter", "data-set": name },
    h("h2", {}, set.task),
    progress(done, set.puzzles.length, t("Puzzles solved")),
    h("p", { class: "row" }, h("a", { class: "button", href: ofSet(list, name) }, done ? t("Continue") : t("Begin"))),
    h(
      "details",
      {},
      h("summary", {}, n("{count} puzzle", "{count} puzzles", set.puzzles.length)),
      h(
        "ol",
        { class: "numbers" },
        ...set.puzzles.map(({ id }, at) =>
          h(
            "li",
            {},
            h(
              "a",
              {
                href: `${ROOT}puzzles/${list.variant.id}/${id}?set=${name}`,
                class: solved.has(id) ? "number done" : "number",
              },
              String(at + 1),
              solved.has(id) ? h("span", { class: "sign", "aria-hidden": "true" }, "✓") : null,
              solved.has(id) ? h("span", { class: "visually-hidden" }, t(", done")) : null,
            ),
          ),
        ),
      ),
    ),
  );
}

/** @type {Record<PuzzleSet["theme"], string>} */
const THEMES = {
  mate: t("Mates"),
  win: t("Wins"),
  table: t("Endgames of the solved game"),
  extinction: t("The last ones"),
  material: t("Wins of material"),
  defence: t("Defences against mate"),
  only: t("Only moves"),
};

/** The ways to the puzzles of one theme, where there are several. @param {PuzzleList} list */
function themeLinks(list) {
  const themes = [...new Set(list.sets.map(({ theme }) => theme))];
  return (themes.length > 1 ? themes : []).map((theme) =>
    h("a", { class: "button", href: ofSet(list, theme) }, `${THEMES[theme]} (${byRating(list, theme).length})`),
  );
}

/** @param {PuzzleList} list */
function showGame(list) {
  const { variant, sets, daily } = list;
  const game = variant.id;
  const every = byRating(list);
  const solved = new Set(puzzled(game).solved);
  const done = every.filter(({ id }) => solved.has(id)).length;
  const next = unsolved(game, every) ?? every[0];
  entitle(t("{game}: puzzles", { game: t(variant.name) }));
  byId("onward").replaceChildren(
    h("a", { class: "button primary", href: `${ROOT}puzzles/${game}/${next?.id}` }, done ? t("Continue") : t("Begin")),
    h(
      "a",
      { class: "button", href: `${ROOT}puzzles/${game}/${(ofLevel(list) ?? next)?.id}?level` },
      t("At your level"),
    ),
    h("a", { class: "button", href: `${ROOT}puzzles/${game}/${ofStreak(list)?.id}?streak` }, t("In a row")),
    h("a", { class: "button", href: `${ROOT}puzzles/${game}?rush` }, t("Rush of three minutes")),
    h("a", { class: "button", href: `${ROOT}puzzles/${game}/${daily}?daily` }, t("Today’s puzzle")),
    variant.solved ? h("a", { class: "button", href: `${ROOT}hardest/${game}` }, t("Hardest wins")) : "",
    variant.solved ? h("a", { class: "button", href: perfectPlay(variant) }, t("Perfect play")) : "",
    h("a", { class: "button", href: `${ROOT}rules/${game}` }, t("Rules")),
    h("a", { class: "button", href: `${ROOT}puzzles` }, t("All puzzles")),
  );
  byId("themes").replaceChildren(...themeLinks(list));
  const few =
    every.length < FEW
      ? n(
          "Only {count} puzzle of this game has been found so far.",
          "Only {count} puzzles of this game have been found so far.",
          every.length,
        )
      : "";
  byId("standing").replaceChildren(
    progress(done, every.length, t("Puzzles solved")),
    rowWords(game) ?? "",
    few && h("p", { class: "quiet" }, few),
  );
  byId("sets").replaceChildren(...sets.map((set) => setSection(list, set, solved)));
}

try {
  const query = new URLSearchParams(location.search);
  const set = query.get("set");
  if (wanted && query.has("rush")) location.replace(beginRush(await puzzleList(wanted)));
  else if (wanted && set) location.replace(ofSet(await puzzleList(wanted), set));
  else if (wanted && query.has("daily")) {
    location.replace(`${ROOT}puzzles/${wanted}/${(await puzzleList(wanted)).daily}?daily`);
  } else if (wanted) showGame(await puzzleList(wanted));
  else byId("games").replaceChildren(...(await puzzleGames()).map(gameCard));
} catch (error) {
  byId("notice").textContent = t("The puzzles could not be loaded: {fault}", { fault: fault(error) });
}
// Another puzzle may have been solved since this page was left.
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
