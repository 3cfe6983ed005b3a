// @ts-check
/** The hardest wins of a solved game, to be played against the engine. */

import { picture } from "../board/picture.js";
import { begin, hardestWins } from "../lib/api.js";
import { button, byId, entitle, h } from "../lib/dom.js";
import { n, t } from "../lib/i18n.js";
import { showNotice } from "../lib/notice.js";
import { onceSolved } from "../lib/once_solved.js";
import { fault } from "../lib/phrases.js";
import { pathParts, perfectPlay } from "../lib/root.js";
import { SIDE_NAMES } from "../lib/sides.js";

/** @import { HardestWin, Seat, Side, Variant } from "../types/wire" */

/** The defender. @type {Seat} */
const STRONGEST = "level10";
const PAGE = 24; // wins shown at once
const LENGTHS = [99, 49, 29, 19, 9]; // plies of the filter

/** @param {Variant} variant @param {HardestWin} win */
function card(variant, win) {
  const { turn, distance, winning, position } = win;
  const task = n("{side} to move wins in {count} ply", "{side} to move wins in {count} plies", distance, {
    side: SIDE_NAMES[turn],
  });
  const ways = n("{count} winning move", "{count} winning moves", winning);
  const made = button(
    { class: "win", "data-position": position },
    () => void start(variant, win),
    picture(variant, null, win, turn),
    h("strong", {}, task),
    h("span", { class: "quiet" }, ways),
  );
  return h("li", {}, made, h("a", { href: perfectPlay(variant, position) }, t("Show the way")));
}

/** @param {Variant} variant @param {HardestWin} win */
async function start(variant, { turn, position }) {
  /** @type {Record<Side, Seat>} */
  const seats = turn === "b" ? { b: "human", w: STRONGEST } : { b: STRONGEST, w: "human" };
  await begin(variant.id, variant.options, seats, position).catch((error) => showNotice(fault(error)));
}

/** @param {Variant} variant @param {HardestWin[]} found */
function show(variant, found) {
  entitle(t("{game}: hardest wins", { game: t(variant.name) }));
  byId("to-perfect").setAttribute("href", perfectPlay(variant));
  byId("to-perfect").hidden = false;
  const only = /** @type {HTMLInputElement} */ (byId("only"));
  const most = /** @type {HTMLSelectElement} */ (byId("most"));
  most.append(...LENGTHS.map((plies) => h("option", { value: plies }, n("{count} ply", "{count} plies", plies))));
  const list = byId("wins");
  const more = byId("more");
  /** @param {number} from */
  const add = (from) => {
    const plies = Number(most.value || Infinity);
    const chosen = found.filter(({ winning, distance }) => distance <= plies && (winning === 1 || !only.checked));
    const cards = chosen.slice(from, from + PAGE).map((win) => card(variant, win));
    list.append(...cards);
    more.hidden = chosen.length <= from + PAGE;
    byId("count").textContent = n("{count} position", "{count} positions", chosen.length);
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

const wanted = pathParts()[1] ?? "";
try {
  const { variant, wins: found } = await onceSolved(() => hardestWins(wanted, location.search));
  showNotice("");
  show(variant, found);
} catch (error) {
  byId("notice").textContent = t("The hardest wins could not be loaded: {fault}", { fault: fault(error) });
}
