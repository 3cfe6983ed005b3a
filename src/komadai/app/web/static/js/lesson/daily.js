// @ts-check
/** Today's puzzles, one of each game: what was done of them in this browser, and the line that tells others. */

import { copyText } from "../lib/clipboard.js";
import { button, h } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { memory, streak } from "../lib/memory.js";
import { dailies, utcDay } from "../lib/prefs.js";
import { ROOT } from "../lib/root.js";

/** @typedef {{ game: string, name: string }} Game */

/** The address of today's puzzle of a game. @param {string} game */
const address = (game) => `${ROOT}puzzles/${encodeURIComponent(game)}?daily`;

/** Games and what was done of their puzzles of today. @param {Game[]} games */
function solvedOf(games) {
  const done = dailies();
  return games.flatMap(({ game, name }) => {
    const { solved, tries, helped } = done[game] ?? {};
    const words = helped ? t("with help") : n("{count} try", "{count} tries", tries ?? 1);
    return solved ? [{ game, words: `${name} ✓ ${words}` }] : [];
  });
}

/** The line that tells what was solved today, with the address of the puzzles. @param {Game[]} games */
export function shareLine(games) {
  const words = solvedOf(games).map((one) => one.words);
  return [`Komadai ${utcDay()}`, ...words, new URL(`${ROOT}puzzles`, location.href).href].join(" · ");
}

/** The line, and a button that sends or copies it. @param {Game[]} games */
function share(games) {
  const line = shareLine(games);
  const said = h("span", { class: "quiet", role: "status" });
  const shares = "share" in navigator && matchMedia("(pointer: coarse)").matches; // elsewhere one pastes it
  const send = async () => {
    if (shares) return void navigator.share({ text: line }).catch(() => {}); // the person thought better of it
    said.textContent = (await copyText(line))
      ? t("Copied.")
      : t("The browser does not let pages copy: select the line.");
  };
  const act = button({}, () => void send(), shares ? t("Share") : t("Copy this line"));
  return h("p", { class: "share row" }, act, h("span", { class: "quiet" }, line), said);
}

/** The games with their puzzles of today. @param {Game[]} games those that have puzzles */
export function dailyPart(games) {
  const solved = new Set(solvedOf(games).map(({ game }) => game));
  const row = streak(memory());
  const next = games.find(({ game }) => !solved.has(game));
  const standing = [
    t("{done} of {count} solved", { done: solved.size, count: games.length }),
    row > 1 ? n("{count} day in a row.", "{count} days in a row.", row) : "",
  ];
  return [
    h("h2", {}, t("Today’s puzzles")),
    h("p", { class: "quiet" }, standing.filter(Boolean).join(" · ")),
    h(
      "ul",
      {},
      ...games.map(({ game, name }) =>
        h(
          "li",
          {},
          h(
            "a",
            { class: game === next?.game ? "button primary" : "button", href: address(game) },
            solved.has(game) ? `${name} ✓` : name,
          ),
        ),
      ),
    ),
    ...(solved.size ? [share(games)] : []),
  ];
}
