// @ts-check
/** Searching the rules: what does not contain the words is hidden, the words are highlighted. */

import { button, h } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";

/** @import { Part } from "./book.js" */

/** Text without differences of case, width and marks, as it is compared. @param {string} text */
function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** @param {Element} root */
function clear(root) {
  for (const mark of root.querySelectorAll("mark")) {
    const parent = mark.parentNode;
    mark.replaceWith(...mark.childNodes);
    parent?.normalize();
  }
}

/** Highlight words in the text of an element. @param {Element} root @param {string[]} words */
function highlight(root, words) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = /** @type {Text[]} */ ([]);
  while (walker.nextNode()) {
    const text = /** @type {Text} */ (walker.currentNode);
    if (!text.parentElement?.closest("svg, .visually-hidden")) texts.push(text);
  }
  for (const text of texts) {
    let rest = text;
    for (;;) {
      const found = first(rest.data, words);
      if (!found) break;
      const hit = rest.splitText(found[0]);
      rest = hit.splitText(found[1] - found[0]);
      const mark = h("mark");
      hit.replaceWith(mark);
      mark.append(hit);
    }
  }
}

/**
 * The first occurrence of one of the words: start and end in the text as it stands.
 * @param {string} text @param {string[]} words @returns {[number, number] | null}
 */
export function first(text, words) {
  const places = /** @type {number[]} */ ([]); // the place in the text of each character of its plain form
  let folded = "";
  let at = 0;
  for (const character of text) {
    const shown = plain(character);
    for (let index = 0; index < shown.length; index++) places.push(at);
    folded += shown;
    at += character.length;
  }
  places.push(at);
  let best = /** @type {[number, number] | null} */ (null);
  for (const word of words) {
    const from = folded.indexOf(word);
    if (from < 0) continue;
    const [start, last] = [places[from] ?? 0, places[from + word.length - 1] ?? 0];
    const end = places.slice(from + word.length).find((place) => place > last) ?? text.length;
    if (!best || start < best[0]) best = [start, end];
  }
  return best;
}

/** The words of a query. @param {string} query */
export function wordsOf(query) {
  return plain(query).split(/\s+/).filter(Boolean);
}

/**
 * Show only what contains all words of the query; with an empty query everything.
 * @param {Part[]} parts @param {string} query @returns {number} how many places were found
 */
export function search(parts, query) {
  const words = wordsOf(query);
  const has = (/** @type {string} */ text) => words.every((word) => plain(text).includes(word));
  let count = 0;
  for (const { title, element } of parts) {
    clear(element);
    const whole = has(title);
    let hits = 0;
    for (const unit of element.querySelectorAll("[data-find]")) {
      const fits = whole || has(unit.textContent ?? "");
      unit.toggleAttribute("hidden", !fits);
      hits += Number(fits);
    }
    const own = [...element.children].filter((child) => !child.matches("[data-find], .kinds, .rule-list, .exact *"));
    const text = own.map((child) => (child.querySelector("[data-find]") ? "" : child.textContent)).join(" ");
    if (!hits && has(text)) hits = 1;
    element.hidden = !hits;
    if (words.length && hits) highlight(element, words);
    if (element instanceof HTMLDetailsElement) element.open = Boolean(words.length && hits && !count);
    count += hits;
  }
  return count;
}

/**
 * The search field over parts of the rules.
 * @param {() => Part[]} parts those to be searched @param {(query: string) => void} changed called after each search
 */
export function searchField(parts, changed = () => {}) {
  const box = h("input", {
    type: "search",
    placeholder: t("Search the rules"),
    "aria-label": t("Search the rules"),
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 60,
  });
  const said = h("span", { class: "quiet", role: "status" });
  const show = () => {
    const count = search(parts(), box.value);
    const found = count ? n("{count} place found", "{count} places found", count) : t("Nothing found.");
    said.textContent = box.value.trim() ? found : "";
    changed(box.value);
  };
  const wipe = button(
    { "aria-label": t("Show everything"), title: t("Show everything") },
    () => {
      box.value = "";
      show();
      box.focus();
    },
    "×",
  );
  box.addEventListener("input", show);
  const element = h("div", { class: "rules-search", role: "search" }, box, wipe, said);
  return { element, box, show };
}
