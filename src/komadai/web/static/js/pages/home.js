// @ts-check
/** The home page: games to continue, and a card for each variant. */

import { picture } from "../board/picture.js";
import { waiting } from "../game/people.js";
import { seatName } from "../game/words.js";
import { listedGames, variants } from "../lib/api.js";
import { byId, h } from "../lib/dom.js";
import { moment, n, t } from "../lib/i18n.js";
import { fault } from "../lib/phrases.js";
import { forget, games, watch } from "../lib/prefs.js";
import { SIDE_NAMES } from "../lib/sides.js";

/** @typedef {import("../types/wire").OfferedVariant} OfferedVariant */
/** @typedef {import("../types/wire").ListedGame} ListedGame */
/** @typedef {import("../types/client").Remembered} Remembered */
/** @typedef {Remembered & ListedGame} Open a game to continue: the data of this browser and of the server */

const SHOWN = 6; // most games to continue

/** @param {OfferedVariant} variant @param {Open[]} going */
function card(variant, going) {
  const open = going.find((game) => game.variant === variant.id);
  const { width, height, unbounded } = variant.board;
  const name = t(variant.name);
  const size = unbounded ? t("No edges") : `${width}×${height}`;
  return h(
    "article",
    { class: "card", "data-variant": variant.id },
    picture(variant, t("{game}, the start", { game: name })),
    h("h2", {}, name),
    h("p", {}, t(variant.summary)),
    h(
      "p",
      { class: "quiet" },
      `${size} · ${n("{count} kind of piece", "{count} kinds of piece", variant.kinds.length)}`,
    ),
    h(
      "div",
      { class: "row" },
      h("a", { class: "button primary", href: `/new/${variant.id}` }, t("game|Play")),
      open ? h("a", { class: "button", href: `/game/${open.id}` }, t("Continue")) : null,
      h("a", { class: "button", href: `/rules/${variant.id}` }, t("Learn")),
      h("a", { class: "button", href: `/study?variant=${variant.id}` }, t("Study")),
      variant.solved ? h("a", { class: "button", href: `/puzzles/${variant.id}` }, t("Hardest wins")) : null,
    ),
  );
}

/** The opponent of the person here. @param {Open} game */
function opponent({ you: [own] = [], seats, names }) {
  const side = own === "b" ? "w" : "b";
  return own ? (names[side] ?? seatName(seats[side])) : "";
}

/** A game to continue. @param {Open} game @param {OfferedVariant[]} offered */
function entry(game, offered) {
  const { id, variant, you = [], last, turn } = game;
  const name = t(offered.find((one) => one.id === variant)?.name ?? variant);
  const yours = you.length === 1 && you[0] === turn && !waiting(game);
  const state = waiting(game)
    ? seatName("open")
    : yours
      ? t("Your turn.")
      : t("{side} to move.", { side: SIDE_NAMES[turn] });
  const against = you.length > 1 ? t("Two people, one screen") : opponent(game);
  return h(
    "li",
    {},
    h(
      "a",
      { class: "button", href: `/game/${id}` },
      h("strong", {}, name),
      h("span", { class: "quiet" }, [waiting(game) ? "" : against, moment(last * 1000)].filter(Boolean).join(" · ")),
      h(
        "span",
        { class: yours ? "your-turn" : "quiet" },
        yours ? h("span", { "aria-hidden": "true" }, "● ") : null,
        state,
      ),
    ),
  );
}

/** @param {OfferedVariant[]} offered @param {Open[]} going */
function show(offered, going) {
  byId("cards").replaceChildren(...offered.map((variant) => card(variant, going)));
  byId("games").replaceChildren(...going.slice(0, SHOWN).map((game) => entry(game, offered)));
  byId("latest").hidden = !going.length;
}

/** The games to continue, the latest first; removes those that are over or gone. @returns {Promise<Open[]>} */
async function ask() {
  const known = games();
  const found = new Map(
    (known.length ? await listedGames(known.map(({ id }) => id)) : []).map((game) => [game.id, game]),
  );
  forget(...known.flatMap(({ id }) => ((found.get(id)?.over ?? true) ? [id] : [])));
  const going = known.flatMap((game) => {
    const listed = found.get(game.id);
    return listed && !listed.over ? [{ ...game, ...listed }] : [];
  });
  return going.sort((one, other) => other.last - one.last);
}

try {
  const [offered, going] = await Promise.all([variants(), ask()]);
  show(offered, going);
  watch(() => show(offered, going));
} catch (error) {
  byId("cards").textContent = t("The games could not be loaded: {fault}", { fault: fault(error) });
}
