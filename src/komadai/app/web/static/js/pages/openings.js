// @ts-check
/** The openings: all games that have some, or the lines of one, with what is trained in this browser. */

import { openingGames, openingList } from "../lib/api.js";
import { byId, entitle, h } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";
import { cardOf } from "../lib/memory.js";
import { openingName } from "../lib/openings.js";
import { fault } from "../lib/phrases.js";
import { moveText } from "../lib/prefs.js";
import { pathParts, ROOT } from "../lib/root.js";
import { SIDE_NAMES, SIDES } from "../lib/sides.js";
import { scoreText } from "../study/scores.js";

/** @import { Opening, OpeningGame, OpeningList, Side } from "../types/wire" */

const wanted = pathParts()[1] ?? "";

/** @param {OpeningGame} entry */
function gameCard({ game, name, count }) {
  const href = `${ROOT}openings/${game}`;
  return h(
    "li",
    { class: "course", "data-game": game },
    h("h2", {}, h("a", { href }, name)),
    h("p", { class: "quiet" }, n("{count} line", "{count} lines", count)),
    h("p", { class: "row" }, h("a", { class: "button primary", href }, t("Train"))),
  );
}

/** @param {OpeningList} list @param {Opening} opening @param {Side} side */
function trainAs({ variant }, opening, side) {
  const kept = opening[side].length && opening[side].every((name) => cardOf(`opening/${variant.id}/${name}`));
  return h(
    "a",
    { class: "button", href: `${ROOT}openings/${variant.id}/${opening.id}.${side}` },
    t("Play {side}", { side: SIDE_NAMES[side] }),
    kept ? h("span", { class: "sign", "aria-hidden": "true" }, " ✓") : null,
    kept ? h("span", { class: "visually-hidden" }, t(", done")) : null,
  );
}

/** @param {OpeningList} list @param {Opening} opening */
function section(list, opening) {
  const { moves, games, score, wrong } = opening;
  const engine = [
    t("In {games} of {all} games of the engine.", { games, all: list.games }),
    score === null ? "" : t("At its end {score} for Black.", { score: scoreText({ score, mate: null }, "b") }),
  ];
  return h(
    "section",
    { class: "chapter", "data-opening": opening.id },
    h("h2", {}, ...marked(openingName(list, opening))),
    h("p", { class: "line-of-moves" }, ...moves.map((move) => h("span", {}, ...marked(moveText(move))))),
    h("p", { class: "quiet" }, engine.filter(Boolean).join(" ")),
    wrong.length
      ? h(
          "details",
          {},
          h("summary", {}, n("{count} wrong move is punished", "{count} wrong moves are punished", wrong.length)),
          h(
            "ul",
            {},
            ...wrong.map(({ ply, side, text, moves: [first, ...rest] }) =>
              h(
                "li",
                {},
                ...marked(
                  t("Move {number}, {side}: {move}?", {
                    number: ply + 1,
                    side: SIDE_NAMES[side],
                    move: first ? moveText(first) : "",
                  }),
                ),
                " ",
                h("span", {}, ...marked(`${rest.map(moveText).join(" ")}. `)),
                h("span", { class: "quiet" }, text),
              ),
            ),
          ),
        )
      : null,
    h("p", { class: "row" }, ...SIDES.map((side) => trainAs(list, opening, side))),
  );
}

/** @param {OpeningList} list */
function showGame(list) {
  const { variant, games, nodes, source, openings } = list;
  entitle(t("{game}: openings", { game: t(variant.name) }));
  byId("about").textContent = t(
    "From {games} games of the engine with itself, in which it looked at {nodes} positions for each move of the opening.",
    { games: games.toLocaleString("en"), nodes: nodes.toLocaleString("en") },
  );
  byId("onward").replaceChildren(
    h("a", { class: "button", href: `${ROOT}study?variant=${variant.id}` }, t("Explore in the study")),
    h("a", { class: "button", href: `${ROOT}learn/${variant.id}` }, t("Learn this game")),
    h("a", { class: "button", href: `${ROOT}new/${variant.id}` }, t("game|Play")),
    h("a", { class: "button", href: `${ROOT}openings` }, t("All openings")),
  );
  byId("sets").replaceChildren(...openings.map((one) => section(list, one)));
  if (source) byId("source").replaceChildren(t("Names:"), " ", h("a", { href: source }, source));
}

try {
  if (wanted) showGame(await openingList(wanted));
  else byId("games").replaceChildren(...(await openingGames()).map(gameCard));
} catch (error) {
  byId("notice").textContent = t("The openings could not be loaded: {fault}", { fault: fault(error) });
}
// Another line may have been trained since this page was left.
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
