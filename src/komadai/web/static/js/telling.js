// @ts-check
/** A game told in words: what stands where, what can move, what may come next. It knows points, pieces and steps, and no rule. */

import { placesOf } from "./compass.js";
import { t, n } from "./i18n.js";
import { SIDE_NAMES } from "./trays.js";
import { heldWords, nameOf, pieceWords, sentence, stepWords, title } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./types").Pieces} Pieces */
/** @typedef {import("./types").PlayedMove} PlayedMove */
/** @typedef {import("./types").Side} Side */
/** @typedef {import("./types").Step} Step */

/** @param {string[]} parts */
const list = (parts) => parts.join(t(", "));

/** Pieces and where they are, kind by kind. @param {Table} page @param {[code: string, at: string][]} found */
function grouped(page, found) {
  const { short } = page.places;
  return page.variant.kinds
    .flatMap(({ code }) => {
      const points = found.filter(([other]) => other === code).map(([, at]) => short(at));
      return points.length ? [`${nameOf(code, page.kinds)} ${list(points)}`] : [];
    })
    .join(t("; "));
}

/** Everything on the board, a side a line. @param {Table} page */
export function boardWords(page) {
  return /** @type {Side[]} */ (["b", "w"]).map((side) => {
    const own = Object.entries(page.position.board).filter(([, piece]) => piece[0] === side);
    const pieces = grouped(page, own.map(([at, piece]) => [piece.slice(1), at]));
    return t("{side}: {pieces}.", { side: SIDE_NAMES[side], pieces: pieces || t("nothing") });
  });
}

/** What is in the hands, a side a line. @param {Table} page */
export function handWords(page) {
  if (!page.variant.hands.length) return [t("This game has no pieces in hand.")];
  return /** @type {Side[]} */ (["b", "w"]).map((side) => {
    const held = page.variant.hands.flatMap((code) => {
      const count = page.position.hands[side][code];
      return count ? [`${nameOf(code, page.kinds)} ${count}`] : [];
    });
    return t("{side}’s hand: {pieces}.", { side: SIDE_NAMES[side], pieces: list(held) || t("nothing") });
  });
}

/** What keeps the sides alive, where that is asked. @param {Table} page */
export function standingWords(page) {
  const { standing } = page.position;
  if (!standing) return [];
  return /** @type {Side[]} */ (["b", "w"]).map((side) => {
    const parts = [...standing[side].parts, ...standing[side].works].map(({ codes, has }) => {
      const piece = nameOf(codes[0] ?? "", page.kinds);
      return has ? t("{piece}: there", { piece }) : t("{piece}: gone", { piece });
    });
    return t("{side}: {pieces}.", { side: SIDE_NAMES[side], pieces: list(parts) });
  });
}

// --- What may be done ---

/** What may come next, in the order it is numbered. @param {Table} page */
export function optionsOf(page) {
  return page.composing.between.length ? page.composing.between : page.walk.children;
}

/** What can move; of a move that has been begun, how it may go on. @param {Table} page */
export function nextWords(page) {
  const cost = page.composing.cost(page.asking);
  if (page.asking) return [...(cost ? [sentence([title(cost)])] : []), t("Shall it be played? “stop” plays it, “back” goes one step back.")];
  if (page.walk.path.length) return stepsWords(page, optionsOf(page), true);
  const { root } = page.walk;
  if (!root.length) return [t("Nothing can be moved now.")];
  const side = SIDE_NAMES[page.position.turn];
  const selected = root.flatMap(({ t: kind, at = "" }) => (kind === "select" ? [at] : []));
  const codes = [...new Set(root.flatMap(({ t: kind, code = "" }) => (kind === "drop" ? [code] : [])))];
  const pieces = grouped(page, selected.map((at) => [(page.position.board[at] ?? "").slice(1), at]));
  const drops = codes.map((code) => {
    const count = page.walk.drops(code).length;
    return n("{piece} ({code}), {count} place", "{piece} ({code}), {count} places", count, { piece: nameOf(code, page.kinds), code });
  });
  return [
    ...(pieces ? [t("{side} can move: {pieces}.", { side, pieces })] : []),
    ...(drops.length ? [t("{side} can drop: {pieces}.", { side, pieces: drops.join(t("; ")) })] : []),
  ];
}

/** Steps with what they bring and cost, a line. @param {Table} page @param {Step[]} steps @param {boolean} numbered */
function stepsWords(page, steps, numbered) {
  const { short } = page.places;
  const stays = steps.some((step) => step.t === "promote") || steps.every((step) => step.at === undefined);
  const words = steps.map((step, index) => {
    const follows = page.composing.follows(step) || (step.t === "stop" && page.composing.bare ? t("takes nothing") : "");
    const said = stepWords(step, page.kinds, page.position.board, short, stays) + (follows ? `: ${follows}` : "");
    return numbered ? `${index + 1} ${said}` : said;
  });
  return [words.length ? sentence(words) : t("Nothing to do just now.")];
}

/** What stands there, how it moves, and what it can do now. @param {Table} page @param {string} at */
export function pointWords(page, at) {
  const { position, kinds, walk } = page;
  const place = page.places.long(at);
  const piece = position.board[at];
  if (!piece) return [t("{place}: {piece}.", { place, piece: t("empty") })];
  const moves = (kinds.get(piece.slice(1))?.words ?? []).map((words) => sentence([t(words)]));
  const saved = position.stranded.includes(at) ? [t("It must be saved this turn.")] : [];
  const held = position.held?.includes(at) ? [heldWords(nameOf(piece.slice(1), kinds))] : [];
  const able = piece[0] === position.turn && walk.root.length ? doWords(page, at) : [];
  return [t("{place}: {piece}.", { place, piece: pieceWords(piece, kinds) }), ...moves, ...saved, ...held, ...able];
}

/** What the piece there can do now. @param {Table} page @param {string} at */
export function doWords(page, at) {
  const steps = page.walk.root.filter((step) => step.t === "select" && step.at === at).flatMap(({ next }) => next ?? []);
  return steps.length ? [t("Now: {steps}", { steps: stepsWords(page, steps, false).join(" ") })] : [t("It has no legal move now.")];
}

// --- What has been done ---

/**
 * A move told: how it is written, and what went where.
 * @param {Table} page @param {PlayedMove} move @param {Side} side whose it is
 * @param {Pieces} before @param {Pieces} after what stood where before it and after
 */
export function moveWords(page, move, side, before, after) {
  const { variant, kinds, me } = page;
  const { long } = placesOf(variant, kinds, before.board, me ?? side, me);
  const spot = page.board.points.get(move.to);
  const now = spot && page.board.byPlace.get(`${spot.x + (move.shift?.[0] ?? 0)},${spot.y + (move.shift?.[1] ?? 0)}`);
  const became = after.board[now ?? move.to];
  const was = move.from ? before.board[move.from] : became;
  const name = (/** @type {string | undefined} */ piece) => nameOf(piece?.slice(1) ?? "", kinds);
  const way = (move.way ?? []).slice(0, -1).map(({ at }) => long(at));
  const words = { piece: name(was), from: move.from ? long(move.from) : "", to: long(move.to), way: list(way) };
  const taken = before.board[move.to];
  const shots = (move.way ?? []).flatMap((landing) => landing.shots);
  const gone = (move.gone ?? []).filter((at) => before.board[at] && at !== move.to && !shots.includes(at));
  const parts = [
    move.from === null ? t("{piece} dropped at {to}", words) : way.length ? t("{piece} from {from} by {way} to {to}", words) : t("{piece} from {from} to {to}", words),
    ...(taken && move.from !== move.to ? [t("takes {piece}", { piece: name(taken) })] : []),
    ...shots.map((at) => t("shoots {piece} on {at}", { piece: name(before.board[at]), at: long(at) })),
    ...gone.map((at) => t("{piece} on {at} goes", { piece: pieceWords(before.board[at] ?? "", kinds), at: long(at) })),
    ...(was && became && became[0] === side && became !== was ? [t("becomes {piece}", { piece: name(became) })] : []),
  ];
  return t("{side}: {move}, {words}.", { side: SIDE_NAMES[side], move: move.text, words: list(parts) });
}
