// @ts-check
/** The hardest wins of a solved game: choose one, and win it against the computer. */

import { begin, puzzles } from "./api.js";
import { button, byId, h } from "./dom.js";
import { picture } from "./picture.js";
import { SIDE_NAMES } from "./trays.js";

/** @typedef {import("./types").Puzzle} Puzzle */
/** @typedef {import("./types").Variant} Variant */
/** @typedef {import("./types").Seat} Seat */
/** @typedef {import("./types").Side} Side */

const PAGE = 24; // puzzles shown at once

/** @param {Variant} variant @param {Puzzle} puzzle */
function card(variant, puzzle) {
  const { turn, distance, winning, position } = puzzle;
  const task = `${SIDE_NAMES[turn]} to move wins in ${distance} ${distance === 1 ? "ply" : "plies"}`;
  const ways = `${winning} winning ${winning === 1 ? "move" : "moves"}`;
  const made = button(
    { class: "puzzle", "data-position": position },
    () => void start(variant, puzzle),
    picture(variant, null, puzzle, turn),
    h("strong", {}, task),
    h("span", { class: "quiet" }, ways),
  );
  return h("li", {}, made);
}

/** @param {Variant} variant @param {Puzzle} puzzle */
async function start(variant, { turn, position }) {
  /** @type {Record<Side, Seat>} */
  const seats = turn === "b" ? { b: "human", w: "strong" } : { b: "strong", w: "human" };
  try {
    await begin(variant.id, variant.options, seats, position);
  } catch (error) {
    byId("notice").textContent = error instanceof Error ? error.message : String(error);
  }
}

/** @param {Variant} variant @param {Puzzle[]} found */
function show(variant, found) {
  document.title = `Hardest wins – ${variant.name} – Komadai`;
  byId("title").textContent = `${variant.name}: hardest wins`;
  const only = /** @type {HTMLInputElement} */ (byId("only"));
  const most = /** @type {HTMLSelectElement} */ (byId("most"));
  const list = byId("puzzles");
  const more = byId("more");
  /** @param {number} from */
  const add = (from) => {
    const plies = Number(most.value || Infinity);
    const chosen = found.filter(({ winning, distance }) => distance <= plies && (winning === 1 || !only.checked));
    const cards = chosen.slice(from, from + PAGE).map((puzzle) => card(variant, puzzle));
    list.append(...cards);
    more.hidden = chosen.length <= from + PAGE;
    byId("count").textContent = `${chosen.length} positions`;
    return cards[0];
  };
  for (const filter of [only, most])
    filter.addEventListener("change", () => {
      list.replaceChildren();
      add(0);
    });
  more.addEventListener("click", () => add(list.children.length)?.querySelector("button")?.focus());
  add(0);
  byId("filter").hidden = false;
}

const wanted = decodeURIComponent(location.pathname.split("/").pop() ?? "");
try {
  const { variant, puzzles: found } = await puzzles(wanted, location.search);
  show(variant, found);
} catch (error) {
  byId("notice").textContent = `The puzzles could not be loaded: ${error instanceof Error ? error.message : error}`;
}
