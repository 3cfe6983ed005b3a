// @ts-check
/** The first page: games that can be gone on with, and a card for each game there is. */

import { known, variants } from "./api.js";
import { byId, h } from "./dom.js";
import { moment, n, t } from "./i18n.js";
import { picture } from "./picture.js";
import { forget, games, watch } from "./prefs.js";
import { fault, seatName } from "./words.js";

/** @typedef {import("./types").OfferedVariant} OfferedVariant */
/** @typedef {import("./types").Remembered} Remembered */

const SHOWN = 6; // games to go on with

/** @param {OfferedVariant} variant */
function card(variant) {
  const open = games().find((game) => game.variant === variant.id && !game.over);
  const { width, height, unbounded } = variant.board;
  const name = t(variant.name);
  const size = unbounded ? t("No edges") : `${width}×${height}`;
  return h(
    "article",
    { class: "card", "data-variant": variant.id },
    picture(variant, t("{game}, the start", { game: name })),
    h("h2", {}, name),
    h("p", {}, t(variant.summary)),
    h("p", { class: "quiet" }, `${size} · ${n("{count} kind of piece", "{count} kinds of piece", variant.kinds.length)}`),
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

/** A game to go on with. @param {Remembered} game @param {OfferedVariant[]} offered */
function entry({ id, variant, opponent, at }, offered) {
  const name = t(offered.find((one) => one.id === variant)?.name ?? variant);
  const against = opponent === undefined ? "" : opponent === "human" ? t("Two people, one screen") : seatName(opponent);
  return h("li", {}, h("a", { class: "button", href: `/game/${id}` }, h("strong", {}, name), h("span", { class: "quiet" }, [against, moment(at)].filter(Boolean).join(" · "))));
}

/** @param {OfferedVariant[]} offered */
function show(offered) {
  byId("cards").replaceChildren(...offered.map(card));
  const open = games().filter(({ over }) => !over).slice(0, SHOWN);
  byId("games").replaceChildren(...open.map((game) => entry(game, offered)));
  byId("latest").hidden = !open.length;
}

/** Forget the games that the server does not have any more. */
async function sift() {
  const ids = games().map(({ id }) => id);
  const there = new Set(ids.length ? await known(ids) : []);
  const gone = ids.filter((id) => !there.has(id));
  if (gone.length) forget(...gone);
}

try {
  const [offered] = await Promise.all([variants(), sift()]);
  show(offered);
  watch(() => show(offered));
} catch (error) {
  byId("cards").textContent = t("The games could not be loaded: {fault}", { fault: fault(error) });
}
