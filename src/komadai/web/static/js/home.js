// @ts-check
/** The first page: a card for each game, and the games begun here. */

import { variants } from "./api.js";
import { byId, h } from "./dom.js";
import { picture } from "./picture.js";
import { games } from "./prefs.js";

/** @typedef {import("./types").OfferedVariant} OfferedVariant */

/** @param {OfferedVariant} variant */
function card(variant) {
  const open = games().find((game) => game.variant === variant.id && !game.over);
  const { width, height, unbounded } = variant.board;
  return h(
    "article",
    { class: "card", "data-variant": variant.id },
    picture(variant, `${variant.name}, the start`),
    h("h2", {}, variant.name),
    h("p", {}, variant.summary),
    h("p", { class: "quiet" }, `${unbounded ? "No edges" : `${width}×${height}`} · ${variant.kinds.length} kinds of piece`),
    h(
      "div",
      { class: "row" },
      h("a", { class: "button primary", href: `/new/${variant.id}` }, "Play"),
      open ? h("a", { class: "button", href: `/game/${open.id}` }, "Continue") : null,
      variant.solved ? h("a", { class: "button", href: `/puzzles/${variant.id}` }, "Hardest wins") : null,
    ),
  );
}

try {
  const offered = await variants();
  byId("cards").replaceChildren(...offered.map(card));
} catch (error) {
  byId("cards").textContent = `The games could not be loaded: ${error instanceof Error ? error.message : error}`;
}
