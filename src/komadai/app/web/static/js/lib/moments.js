// @ts-check
/** The moments of games that this browser keeps, to be tried again: of each the position, and what was missed there. */

import { t } from "./i18n.js";
import { ROOT } from "./root.js";

/** @import { KeptMoment } from "../types/client" */
/** @import { Moment } from "../types/wire" */

const KEY = "komadai.moments";
const MOST = 100; // moments
const LINE = 6; // moves of the better line
const GAMES = 20; // the last ones, over which is counted what was missed

/** What was missed, by the guide's words for it: topic and way. @type {Record<string, string>} */
const KINDS = {
  win: t("Wins missed"),
  threat: t("Wins allowed"),
  stranded: t("Pieces stranded by a move of one’s own"),
  "hangs lands": t("Pieces left hanging"),
  "hangs shoots": t("Pieces left in a line of fire"),
  "hangs burns": t("Pieces left to be burnt"),
  "chance lands": t("Captures overlooked"),
  "chance shoots": t("Shots overlooked"),
  "chance burns": t("Burnings overlooked"),
  plan: t("Better plans overlooked"),
};

/** The kind of a moment. @param {Pick<Moment, "topic" | "way">} moment */
export function kindOf({ topic, way }) {
  return way ? `${topic} ${way}` : topic;
}

/** A kind in words. @param {string} kind */
export function kindWords(kind) {
  return KINDS[kind] ?? "";
}

/** The moments kept, the latest first. @returns {KeptMoment[]} */
export function moments() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one?.id === "string" && kindOf(one) in KINDS) : [];
  } catch {
    return []; // storage is off, or another program wrote the value
  }
}

/** @param {KeptMoment[]} kept */
function store(kept) {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept.slice(0, MOST)));
  } catch {
    // storage is off or full: the moment is lost, everything else works
  }
}

/** Keep a moment; the oldest one goes if there are too many. @param {KeptMoment} moment */
export function keepMoment(moment) {
  const best = moment.best.slice(0, LINE);
  const known = moments();
  const before = known.find(({ id }) => id === moment.id);
  store([{ ...before, ...moment, best }, ...known.filter((one) => one !== before)]);
}

/** A moment has been tried again: others come first now. @param {string} id */
export function tried(id) {
  store(moments().map((one) => (one.id === id ? { ...one, tried: Date.now() } : one)));
}

/** The moments of a kind that were the person's own, those not tried for longest first. @param {string} kind */
export function ownOf(kind) {
  const own = moments().filter((one) => one.own && kindOf(one) === kind);
  return own.sort((one, other) => (one.tried ?? 0) - (other.tried ?? 0));
}

/** How often each kind was missed in the last games, the most frequent first. @returns {[string, number][]} */
export function tally() {
  const own = moments().filter((one) => one.own);
  const last = new Set([...new Set(own.map(({ game }) => game))].slice(0, GAMES));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const one of own) if (last.has(one.game)) counts.set(kindOf(one), (counts.get(kindOf(one)) ?? 0) + 1);
  return [...counts].sort(([, few], [, many]) => many - few);
}

/** The page on which a moment is tried again. @param {string} id @param {string} [kind] of those that follow */
export function drillPage(id, kind) {
  return `${ROOT}study?${new URLSearchParams({ moment: id, ...(kind ? { kind } : {}) })}`;
}

/** The moments to be tried after one: those of the kind, or of its game. @param {KeptMoment} moment @param {string | null} kind */
export function following(moment, kind) {
  const rest = kind ? ownOf(kind) : moments().filter(({ game }) => game === moment.game);
  const after = kind ? rest : rest.sort((one, other) => one.ply - other.ply);
  const at = after.findIndex(({ id }) => id === moment.id);
  return after.slice(at + 1);
}
