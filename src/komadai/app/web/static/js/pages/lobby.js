// @ts-check
/** The lobby: games of this server that wait for an opponent. */

import { controlWords } from "../game/clocks.js";
import { allVariants, lobby } from "../lib/api.js";
import { byId, h } from "../lib/dom.js";
import { emptyState } from "../lib/empty.js";
import { n, t } from "../lib/i18n.js";
import { fault, quoted } from "../lib/phrases.js";
import { ROOT } from "../lib/root.js";
import { nameSidesOf, SIDE_NAMES, SIDE_SIGNS } from "../lib/sides.js";
import { inviteOf, pageOf } from "../lib/tokens.js";

/** @import { ListedChallenge, OfferedVariant } from "../types/wire" */

const EVERY = 5000; // milliseconds between two looks

/** The time that a game has been waiting. @param {number} seconds */
function ageWords(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return t("just now");
  if (minutes < 60) return n("for {count} minute", "for {count} minutes", minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? n("for {count} hour", "for {count} hours", hours)
    : n("for {count} day", "for {count} days", Math.floor(hours / 24));
}

/** The terms that are not the usual ones. @param {ListedChallenge} challenge @param {OfferedVariant | undefined} variant */
function changes({ options, start }, variant) {
  const handicap = variant?.handicaps.find((one) => one.start === start);
  const other = variant?.settings.some(({ name, values }) => options[name] !== values[0]);
  return [
    start === null ? "" : handicap ? t(handicap.name) : t("A position of its own"),
    other ? t("Other rules") : "",
  ];
}

/** @param {ListedChallenge} challenge @param {OfferedVariant[]} offered */
function entry(challenge, offered) {
  const { game, invite, side, time, age, name: host = "" } = challenge;
  const variant = offered.find(({ id }) => id === challenge.variant);
  const name = variant ? t(variant.name) : challenge.variant;
  const own = inviteOf(game) !== null;
  nameSidesOf(challenge.start, variant);
  const facts = [
    time === "none" ? t("No clock") : controlWords(time),
    own ? "" : t("you play {side}", { side: `${SIDE_SIGNS[side]} ${SIDE_NAMES[side]}` }),
    ...changes(challenge, variant),
    ageWords(age),
  ];
  const words = own ? t("Your own game") : t("game|Play");
  return h(
    "li",
    { class: "played", "data-game": game },
    h("h3", {}, name),
    h("p", { class: "quiet" }, ...(host && !own ? [h("bdi", {}, host), " · "] : []), facts.filter(Boolean).join(" · ")),
    h(
      "p",
      { class: "row" },
      h(
        "a",
        {
          class: own ? "button" : "button primary",
          href: own ? pageOf(game) : `${ROOT}join#${invite}`,
          "aria-label": `${words}: ${[name, quoted(host)].filter(Boolean).join(" · ")}`,
        },
        words,
      ),
    ),
  );
}

/** The games shown, as JSON. */
let shown = "";

byId("nobody").replaceChildren(
  emptyState(
    ["王", ""],
    h("p", {}, t("Nobody is waiting at present. Offer a game: the next one who looks in here can take it.")),
  ),
);

/** @param {OfferedVariant[]} offered */
async function look(offered) {
  try {
    const found = await lobby();
    byId("notice").textContent = "";
    byId("nobody").hidden = found.length > 0;
    const now = JSON.stringify(found.map((one) => [one.game, ageWords(one.age)]));
    if (now === shown) return; // buttons keep the focus, and nothing is announced twice
    shown = now;
    const focused = document.activeElement?.closest("[data-game]")?.getAttribute("data-game");
    byId("challenges").replaceChildren(...found.map((one) => entry(one, offered)));
    const again = focused && document.querySelector(`[data-game="${CSS.escape(focused)}"] a`);
    if (again instanceof HTMLElement) again.focus();
  } catch (error) {
    byId("notice").textContent = t("The lobby could not be loaded: {fault}", { fault: fault(error) });
  }
}

const [house, classics] = await allVariants().catch((error) => {
  byId("notice").textContent = t("The games could not be loaded: {fault}", { fault: fault(error) });
  return [[], []];
});
const offered = [...house, ...classics];
/** @param {OfferedVariant} variant */
const offer = ({ id, name }) => h("a", { class: "button", href: `${ROOT}new/${id}?lobby` }, t(name));
byId("offers").replaceChildren(...house.map(offer));
byId("classics").replaceChildren(...classics.map(offer));
byId("shelf").hidden = !classics.length;
await look(offered);
setInterval(() => document.hidden || void look(offered), EVERY);
document.addEventListener("visibilitychange", () => document.hidden || void look(offered));
