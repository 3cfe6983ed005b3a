// @ts-check
/** Greetings between two people who play each other: a dozen phrases, each in the reader's language, no free text. */

import { button, byId, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { quoted } from "../lib/phrases.js";
import { change, setting } from "../lib/prefs.js";
import { SIDE_NAMES } from "../lib/sides.js";

/** @import { GameState, GreetEvent, Greeting } from "../types/wire" */
/** @import { Meeting } from "./meeting.js" */

/** @type {Record<Greeting, string>} */
const WORDS = {
  hello: t("Hello!"),
  enjoy: t("Have a good game!"),
  good_move: t("Good move!"),
  well_played: t("Well played!"),
  oops: t("Oops!"),
  sorry: t("Sorry!"),
  thanks: t("Thank you!"),
  moment: t("One moment, please."),
  back: t("I am back."),
  leaving: t("I have to go. Let us go on later."),
  game: t("Thank you for the game."),
  again: t("Shall we play again?"),
};

/** What somebody has said, unless that is muted. @param {GreetEvent} event @param {GameState} state */
export function greetingWords({ side, what }, { names, you }) {
  if (you.includes(side)) return t("You: {words}", { words: WORDS[what] });
  if (setting("greetings") === "off") return "";
  return t("{name}: {words}", { name: names[side] ? quoted(names[side]) : SIDE_NAMES[side], words: WORDS[what] });
}

/** Fill the panel with the phrases. @param {Meeting} meeting */
export function listGreetings(meeting) {
  const phrases = /** @type {Greeting[]} */ (Object.keys(WORDS)).map((what) =>
    button({ class: "chip", "data-greet": what }, () => void meeting.ask({ t: "greet", what }), WORDS[what]),
  );
  const mute = button({ id: "mute" }, () => change("greetings", setting("greetings") === "on" ? "off" : "on"));
  byId("greetings").append(h("div", { class: "chips" }, ...phrases), h("div", { class: "row" }, mute));
}

/** Show the panel, or hide it. @param {boolean} shown */
export function showGreetings(shown) {
  const muted = setting("greetings") === "off";
  byId("greetings").hidden = !shown;
  byId("mute").textContent = muted ? t("Show what the other says") : t("Mute the other");
  byId("mute").setAttribute("aria-pressed", String(muted));
}
