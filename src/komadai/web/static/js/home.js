// @ts-check
/** The first page: a card for each game, and the games begun here. */

import { variants } from "./api.js";
import { Board } from "./board.js";
import { byId, h } from "./dom.js";
import { kindsByCode, pieceIcon } from "./pieces.js";
import { games, pieceSet } from "./prefs.js";

/** @typedef {import("./types").OfferedVariant} OfferedVariant */
/** @typedef {import("./types").Side} Side */

/** @param {OfferedVariant} variant @param {Side} side */
function hand(variant, side) {
  const kinds = kindsByCode(variant);
  const look = { side, upsideDown: side === "w", set: pieceSet() };
  const held = variant.hands.filter((code) => variant.start.hands[side][code]);
  const pictures = held.map((code) => {
    const kind = kinds.get(code);
    return kind ? pieceIcon(variant, kind, look) : null;
  });
  const stand = h("div", { class: `card-hand side-${side}` }, ...pictures);
  stand.style.setProperty("--kinds", String(held.length));
  return stand;
}

/** @param {OfferedVariant} variant */
function card(variant) {
  const place = h("div", { class: "card-board" });
  const board = new Board(place, variant, { coordinates: false });
  board.orient(false, pieceSet());
  board.show(variant.start.board, null);
  const open = games().find((game) => game.variant === variant.id && !game.over);
  const { width, height, unbounded } = variant.board;
  return h(
    "article",
    { class: "card", "data-variant": variant.id },
    h("div", { class: "card-picture" }, hand(variant, "w"), place, hand(variant, "b")),
    h("h2", {}, variant.name),
    h("p", {}, variant.summary),
    h("p", { class: "quiet" }, `${unbounded ? "No edges" : `${width}×${height}`} · ${variant.kinds.length} kinds of piece`),
    h(
      "div",
      { class: "row" },
      h("a", { class: "button primary", href: `/new/${variant.id}` }, "Play"),
      open ? h("a", { class: "button", href: `/game/${open.id}` }, "Continue") : null,
    ),
  );
}

try {
  const offered = await variants();
  byId("cards").replaceChildren(...offered.map(card));
} catch (error) {
  byId("cards").textContent = `The games could not be loaded: ${error instanceof Error ? error.message : error}`;
}
