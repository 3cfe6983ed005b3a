// @ts-check
/** The survival of a side as one line: the kinds it needs, and those its other pieces depend on. */

import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { SIDE_NAMES } from "../lib/sides.js";
import { messageWords } from "./message.js";
import { nameByCode } from "./piece_names.js";
import { label } from "./pieces.js";

/** @import { PieceSet } from "../types/client" */
/** @import { Kind, Needed, Side, Standing } from "../types/wire" */

/**
 * @param {Needed} part @param {Map<string, Kind>} kinds
 * @param {boolean} needed whether its loss has an effect by itself @param {PieceSet} set
 */
function item({ codes, has, message }, kinds, needed, set) {
  const name = nameByCode(codes[0] ?? "", kinds);
  const kind = kinds.get(codes[0] ?? "");
  const sign = kind ? label(kind, "b", set) : "";
  const lack = !has && message ? ` (${messageWords(message, kinds)})` : "";
  return h(
    "span",
    {
      class: `need ${has ? "has" : needed ? "lacks" : "none"}`,
      title: has ? t("{piece}: there", { piece: name }) : t("{piece}: gone", { piece: name }) + lack,
      "data-need": codes[0] ?? "",
    },
    h("span", { class: "need-piece", "aria-hidden": name === sign ? null : "true" }, sign),
    name === sign ? null : h("span", { class: "need-name" }, name),
    h("span", { class: "need-sign" }, has ? " ✓" : needed ? " ✗" : " –"),
    lack ? h("span", { class: "need-note" }, lack) : null,
  );
}

/**
 * Show the survival of a side; hides the line in games without such a rule.
 * @param {HTMLElement} host @param {Side} side @param {Standing | null} standing @param {Map<string, Kind>} kinds
 * @param {PieceSet} set
 */
export function showSurvival(host, side, standing, kinds, set) {
  host.hidden = standing === null;
  host.onclick = () => host.classList.toggle("open"); // small screens show a short form at first
  const key = JSON.stringify([side, set, standing]);
  if (!standing || host.dataset.shown === key) return;
  host.dataset.shown = key;
  const holds = (/** @type {number[]} */ way) => way.every((part) => standing.parts[part]?.has);
  const open = standing.ways.filter(holds);
  const last = standing.ways.length > 1 && open.length === 1 ? open[0] : undefined;
  const ways = standing.ways.map((way) => {
    const parts = way.flatMap((index) => standing.parts[index] ?? []);
    const complete = parts.every(({ has }) => has);
    const group = h("span", { class: `way ${complete ? "complete" : ""} ${way === last ? "only" : ""}` });
    group.append(...parts.flatMap((part, index) => [index ? " + " : "", item(part, kinds, false, set)]));
    return group;
  });
  const words = standing.alive ? (last ? t("one way left") : "") : t("lost");
  host.setAttribute(
    "aria-label",
    t("Pieces that keep {side} in the game", { side: SIDE_NAMES[side] }) + (words && `: ${words}`),
  );
  host.classList.toggle("dead", !standing.alive);
  host.replaceChildren(
    h(
      "span",
      { class: "alive", role: "group" },
      ...ways.flatMap((way, index) => (index ? [h("span", { class: "or" }, t(" or ")), way] : [way])),
    ),
    ...(standing.works.length
      ? [h("span", { class: "works", role: "group" }, ...standing.works.map((part) => item(part, kinds, true, set)))]
      : []),
    ...(words ? [h("span", { class: "alarm" }, words)] : []),
  );
}
