// @ts-check
/** All games that this browser has played. */

import { messageWords } from "../board/message.js";
import { listenForBackup } from "../game/backup.js";
import { controlWords } from "../game/clocks.js";
import { listenForDevices } from "../game/devices.js";
import { opponentWords, playedGames, sideIn, stateWords, yours } from "../game/played.js";
import { syncProfile } from "../game/profile.js";
import { verdict } from "../game/words.js";
import { allVariants, begin, exportGames } from "../lib/api.js";
import { button, byId, h, onClick } from "../lib/dom.js";
import { download } from "../lib/download.js";
import { emptyState } from "../lib/empty.js";
import { moment, n, t } from "../lib/i18n.js";
import { drillPage, kindWords, ownOf, tally } from "../lib/moments.js";
import { fault } from "../lib/phrases.js";
import { games, ownName } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";
import { nameSidesOf, OTHER, SIDES } from "../lib/sides.js";

/** @import { Played } from "../types/client" */
/** @import { OfferedVariant, Seat, Side } from "../types/wire" */

/** @param {unknown} error */
function complain(error) {
  byId("notice").textContent = fault(error);
}

/** Begin a game like this one, with the sides exchanged; another person is invited again. @param {Played} game */
async function again(game) {
  const { you = [], variant, options, start, time } = game;
  const seats = /** @type {Record<Side, Seat>} */ ({});
  for (const side of SIDES) {
    const seat = game.seats[OTHER[side]];
    seats[side] = seat === "human" && !you.includes(OTHER[side]) ? "open" : seat;
  }
  const name = Object.values(seats).includes("open") ? ownName() : "";
  await begin(variant, options, seats, start, { time, name }).catch(complain);
}

/** The result from the point of view of the person here, and in words. @param {Played} game @param {OfferedVariant} variant */
function result(game, { kinds }) {
  const { outcome } = game;
  if (!outcome) return [];
  const byCode = new Map(kinds.map((kind) => [kind.code, kind]));
  const [own, reason] = [sideIn(game), messageWords(outcome.message, byCode)];
  if (!own || outcome.reason === "called_off") return [reason];
  return [h("strong", {}, verdict({ outcome, match: null }, own)), ` · ${reason}`];
}

/** @param {Played} game @param {OfferedVariant[]} offered */
function entry(game, offered) {
  const { id, last, time, over, outcome } = game;
  const variant = offered.find((one) => one.id === game.variant);
  nameSidesOf(game.start, variant, game.names);
  const name = variant ? t(variant.name) : game.variant;
  const label = (/** @type {string} */ words) =>
    t("{words}: {game}, {date}", { words, game: name, date: moment(last * 1000) });
  const act = (/** @type {string} */ words, /** @type {string} */ href, primary = false) =>
    h("a", { class: primary ? "button primary" : "button", href, "aria-label": label(words) }, words);
  const facts = [opponentWords(game), time === "none" ? "" : controlWords(time), moment(last * 1000)];
  return h(
    "li",
    { class: "played", "data-game": id },
    h("h3", {}, name),
    h("p", { class: "quiet" }, facts.filter(Boolean).join(" · ")),
    h("p", {}, ...(variant ? result(game, variant) : [])),
    over ? null : h("p", { class: yours(game) ? "your-turn" : "quiet" }, stateWords(game)),
    h(
      "p",
      { class: "row" },
      act(over ? t("Look at it") : t("Continue"), `${ROOT}game/${id}`, !over),
      over
        ? button({ "data-again": id, "aria-label": label(t("Play again")) }, () => void again(game), t("Play again"))
        : null,
      outcome && outcome.reason !== "called_off" ? act(t("Study"), `${ROOT}study?game=${id}`) : null,
    ),
  );
}

/** @param {string} id @param {string} words @param {Played[]} played @param {OfferedVariant[]} offered */
function list(id, words, played, offered) {
  if (!played.length) return [];
  const entries = h("ul", { class: "played-games" }, ...played.map((game) => entry(game, offered)));
  return [h("section", { id }, h("h2", {}, words), entries)];
}

/** @param {Played[]} played @param {OfferedVariant[]} offered */
function show(played, offered) {
  const going = played.filter(({ over }) => !over);
  const theirs = going.filter((game) => !yours(game));
  const finished = played.filter(({ over }) => over);
  byId("lists").replaceChildren(
    ...list("yours", t("Your move"), going.filter(yours), offered),
    ...list("going", t("Going on"), theirs, offered),
    ...list("finished", t("Finished"), finished, offered),
  );
  showMissed();
  if (!played.length)
    byId("lists").replaceChildren(
      emptyState(
        ["王", "", "玉"],
        h(
          "p",
          {},
          t("No game has been played in this browser yet. Learn one in a quarter of an hour, or play at once."),
        ),
        h(
          "p",
          { class: "row" },
          h("a", { class: "button primary", href: `${ROOT}learn` }, t("Lessons")),
          h("a", { class: "button", href: ROOT }, t("To the games")),
        ),
      ),
    );
  byId("export").hidden = !played.length;
}

/** Show what the person here tends to miss, each with its positions to be tried again. */
function showMissed() {
  const found = tally();
  byId("missed").hidden = !found.length;
  byId("missed-kinds").replaceChildren(
    ...found.map(([kind, count]) => {
      const [first] = ownOf(kind);
      const times = n("once", "{count} times", count);
      const href = first ? drillPage(first.id, kind) : null;
      const name = t("{words}: {game}", { words: t("Try again"), game: kindWords(kind) });
      return h(
        "li",
        { "data-kind": kind },
        h("span", {}, h("strong", {}, kindWords(kind)), ` · ${times}`),
        h("a", { class: "button", href, "aria-label": name }, t("Try again")),
      );
    }),
  );
}

onClick("export", () => {
  byId("notice").textContent = "";
  exportGames(games().map(({ id }) => id)).then((file) => download(file, "komadai-games.txt"), complain);
});

async function load() {
  try {
    const [offered, played] = await Promise.all([allVariants(), playedGames(games())]);
    show(played, offered.flat());
  } catch (error) {
    byId("lists").replaceChildren();
    complain(new Error(t("The games could not be loaded: {fault}", { fault: fault(error) })));
  }
}

await syncProfile().catch(complain);
await load();
listenForDevices(() => void load());
listenForBackup(() => void load());
// A game may have gone on since this page was left.
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
