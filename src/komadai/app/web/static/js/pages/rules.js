// @ts-check
/** The page with the rules of a game, or with all games that have some. */

import { allVariants, rulebook as fetchRulebook } from "../lib/api.js";
import { byId, entitle, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { watch } from "../lib/prefs.js";
import { pathParts, perfectPlay, ROOT } from "../lib/root.js";
import { optionsWords, rulesParts } from "../rules/book.js";
import { searchField } from "../rules/search.js";

/** A name in the address. @param {string} name */
function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a wrong link: there is no such element
  }
}

/** Bring the element that the address names into view. */
function follow() {
  const found = location.hash && document.getElementById(decoded(location.hash.slice(1)));
  if (!found) return;
  const folded = found.closest("details");
  if (folded) folded.open = true;
  found.scrollIntoView();
}

/** @param {import("../types/wire").Rulebook} rulebook */
function open(rulebook) {
  const { variant } = rulebook;
  entitle(t("{game}: the rules", { game: t(variant.name) }));
  byId("summary").textContent = [t(variant.summary), ...rulebook.sources, optionsWords(rulebook)]
    .filter(Boolean)
    .join(" · ");
  const query = new URLSearchParams(variant.options);
  byId("links").replaceChildren(
    h("a", { class: "button primary", href: `${ROOT}new/${variant.id}?${query}` }, t("game|Play")),
    h("a", { class: "button", href: `${ROOT}learn/${variant.id}` }, t("Learn this game")),
    variant.puzzles ? h("a", { class: "button", href: `${ROOT}puzzles/${variant.puzzles.game}` }, t("Puzzles")) : "",
    variant.openings ? h("a", { class: "button", href: `${ROOT}openings/${variant.id}` }, t("Openings")) : "",
    variant.solved ? h("a", { class: "button", href: perfectPlay(variant) }, t("Perfect play")) : "",
    h("a", { class: "button", href: `${ROOT}edit/${variant.id}?${query}` }, t("Position editor")),
    h("a", { class: "button", href: `${ROOT}print/${variant.id}?${query}` }, t("Print and cut out")),
  );
  let parts = rulesParts(rulebook);
  const field = searchField(() => parts);
  byId("search").replaceChildren(field.element);
  const show = () => byId("parts").replaceChildren(...parts.map(({ element }) => element));
  show();
  watch(() => {
    parts = rulesParts(rulebook);
    show();
    field.show();
  });
  byId("contents").replaceChildren(...parts.map(({ id, title }) => h("a", { href: `#part-${id}` }, title)));
  byId("parts").hidden = false;
  addEventListener("hashchange", follow);
  follow();
}

/** A game, with the way to its rules. @param {import("../types/wire").OfferedVariant} variant */
function ruled(variant) {
  return h(
    "li",
    {},
    h("a", { href: `${ROOT}rules/${variant.id}` }, t(variant.name)),
    h("p", { class: "quiet" }, t(variant.summary)),
  );
}

/** All games, the easiest first. */
async function list() {
  const [house, classics] = await allVariants();
  byId("summary").textContent = t("Every game has its rules in words and pictures.");
  const games = [...house].sort(
    (one, other) => one.about.order - other.about.order || one.name.localeCompare(other.name),
  );
  byId("parts").replaceChildren(
    h("ul", { class: "ruled" }, ...games.map(ruled)),
    h("h2", {}, t("The shelf")),
    h("ul", { class: "ruled" }, ...classics.map(ruled)),
  );
  byId("parts").hidden = false;
}

try {
  const [, game] = pathParts();
  if (game) open(await fetchRulebook(game, location.search));
  else await list();
} catch (error) {
  byId("notice").textContent = t("The rules could not be loaded: {fault}", { fault: fault(error) });
}
