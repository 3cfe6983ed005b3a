// @ts-check
/** What the shell says, before and beside the pages, in the language of the person here. */

/** @typedef {keyof typeof WORDS} Word */

/** Translations of the words, by language; the export puts them into the page. @type {Record<string, Record<string, string>>} */
const TRANSLATED = JSON.parse(document.getElementById("translations")?.textContent ?? "{}");

/** Marks a message for the catalogues; it is translated when it is said. @param {string} text */
const t = (text) => text;

const WORDS = {
  loading: t("Getting ready to play… {done}"),
  starting: t("Getting ready to play…"),
  update: t("There is a new version of Komadai."),
  reload: t("Reload"),
  again: t("Try again"),
  close: t("Close"),
  noWorker: t(
    "This browser, or this private window, lets no site work by itself (it has no service workers): open Komadai in an ordinary window, over https.",
  ),
  old: t("This browser is too old for Komadai. It needs Chrome or Edge 111, Firefox 121, Safari 17, or a later one."),
  framed: t("Komadai plays in a window of its own, not inside another page."),
  window: t("Open the window"),
  volatile: t(
    "This browser, or this private window, keeps no files for this site or has no room for them: games are lost when the tab is closed. Export those that you want to keep.",
  ),
  room: t(
    "This browser has too little room for all of Komadai. Play goes on, but without a connection it may not start. Make room on the device or in the browser’s settings.",
  ),
  files: t("not all of its files could be fetched"),
  failed: t("Komadai could not start here: {why}"),
  offline: t("Komadai is not yet all on this device, and there is no connection to fetch the rest."),
};

/** The language of the person here: one that the site has. */
export function language() {
  const there = ["en", ...Object.keys(TRANSLATED)];
  const tags = navigator.languages.flatMap((tag) => [tag.toLowerCase(), tag.toLowerCase().split("-")[0]]);
  try {
    tags.unshift(JSON.parse(localStorage.getItem("komadai.language") ?? "null")?.toLowerCase());
  } catch {
    // storage is off, or another program wrote the value
  }
  return tags.flatMap((tag) => there.filter((one) => one.toLowerCase() === tag))[0] ?? "en";
}

/** @param {Word} name @param {Record<string, string>} [values] */
export function words(name, values = {}) {
  const said = TRANSLATED[language()]?.[WORDS[name]] ?? WORDS[name];
  return said.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}
