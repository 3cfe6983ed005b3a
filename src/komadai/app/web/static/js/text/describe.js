// @ts-check
/**
 * Descriptions in words of the position, the legal moves and the last move. Knows points, pieces and steps, but no
 * rules.
 */

import { nameByCode, ownedName } from "../board/piece_names.js";
import { placeNames } from "../board/place_names.js";
import { n, t } from "../lib/i18n.js";
import { sentence, title } from "../lib/phrases.js";
import { moveText } from "../lib/prefs.js";
import { SIDE_NAMES, SIDES } from "../lib/sides.js";
import { immobilizedWords, stepWords } from "../moves/words.js";

/** @import { MoveInput } from "../moves/input.js" */
/** @import { Pieces, PlayedMove, Side, Step } from "../types/wire" */

/** @param {string[]} parts */
const list = (parts) => parts.join(t(", "));

/** Pieces grouped by kind, with their points. @param {MoveInput} input @param {[code: string, at: string][]} found */
function grouped(input, found) {
  const { short } = input.places;
  return input.variant.kinds
    .flatMap(({ code }) => {
      const points = found.filter(([other]) => other === code).map(([, at]) => short(at));
      return points.length ? [`${nameByCode(code, input.kinds)} ${list(points)}`] : [];
    })
    .join(t("; "));
}

/** The pieces on the board, one line per side. @param {MoveInput} input */
export function boardWords(input) {
  return SIDES.map((side) => {
    const own = Object.entries(input.position.board).filter(([, piece]) => piece[0] === side);
    const pieces = grouped(
      input,
      own.map(([at, piece]) => [piece.slice(1), at]),
    );
    return t("{side}: {pieces}.", { side: SIDE_NAMES[side], pieces: pieces || t("nothing") });
  });
}

/** The pieces in hand, one line per side. @param {MoveInput} input */
export function handWords(input) {
  if (!input.variant.hands.length) return [t("This game has no pieces in hand.")];
  return SIDES.map((side) => {
    const held = input.variant.hands.flatMap((code) => {
      const count = input.position.hands[side][code];
      return count ? [`${nameByCode(code, input.kinds)} ${count}`] : [];
    });
    return t("{side}’s hand: {pieces}.", { side: SIDE_NAMES[side], pieces: list(held) || t("nothing") });
  });
}

/** Survival of both sides, in games that have such a rule. @param {MoveInput} input */
export function survivalWords(input) {
  const { standing } = input.position;
  if (!standing) return [];
  return SIDES.map((side) => {
    const parts = [...standing[side].parts, ...standing[side].works].map(({ codes, has }) => {
      const piece = nameByCode(codes[0] ?? "", input.kinds);
      return has ? t("{piece}: there", { piece }) : t("{piece}: gone", { piece });
    });
    return t("{side}: {pieces}.", { side: SIDE_NAMES[side], pieces: list(parts) });
  });
}

// --- Legal moves ---

/** The possible next steps, in the order in which they are numbered. @param {MoveInput} input */
export function optionsOf(input) {
  return input.composing.between.length ? input.composing.between : input.walk.children;
}

/** The pieces that can move or, once a move has begun, its possible next steps. @param {MoveInput} input */
export function nextWords(input) {
  const cost = input.composing.cost(input.asking);
  if (input.asking)
    return [
      ...(cost ? [sentence([title(cost)])] : []),
      t("Play this move? “stop” plays it, “back” goes one step back."),
    ];
  if (input.walk.path.length) return stepsWords(input, optionsOf(input), true);
  const { root } = input.walk;
  if (!root.length) return [t("Nothing can be moved now.")];
  const side = SIDE_NAMES[input.position.turn];
  const selected = root.flatMap(({ t: kind, at = "" }) => (kind === "select" ? [at] : []));
  const codes = [...new Set(root.flatMap(({ t: kind, code = "" }) => (kind === "drop" ? [code] : [])))];
  const pieces = grouped(
    input,
    selected.map((at) => [(input.position.board[at] ?? "").slice(1), at]),
  );
  const drops = codes.map((code) => {
    const count = input.walk.drops(code).length;
    return n("{piece} ({code}), {count} place", "{piece} ({code}), {count} places", count, {
      piece: nameByCode(code, input.kinds),
      code,
    });
  });
  return [
    ...(pieces ? [t("{side} can move: {pieces}.", { side, pieces })] : []),
    ...(drops.length ? [t("{side} can drop: {pieces}.", { side, pieces: drops.join(t("; ")) })] : []),
  ];
}

/**
 * Steps with their gains and costs, as one line.
 * @param {MoveInput} input @param {Step[]} steps @param {boolean} numbered
 */
function stepsWords(input, steps, numbered) {
  const { short } = input.places;
  const stays = steps.some((step) => step.t === "promote") || steps.every((step) => step.at === undefined);
  const words = steps.map((step, index) => {
    const follows =
      input.composing.effects(step) || (step.t === "stop" && input.composing.bare ? t("takes nothing") : "");
    const said = stepWords(step, input.kinds, input.position.board, short, stays) + (follows ? `: ${follows}` : "");
    return numbered ? `${index + 1} ${said}` : said;
  });
  return [words.length ? sentence(words) : t("Nothing to do just now.")];
}

/** The piece on a point, its movement, and its legal moves. @param {MoveInput} input @param {string} at */
export function pointWords(input, at) {
  const { position, kinds, walk } = input;
  const place = input.places.long(at);
  const piece = position.board[at];
  if (!piece) return [t("{place}: {piece}.", { place, piece: t("empty") })];
  const moves = (kinds.get(piece.slice(1))?.words ?? []).map((words) => sentence([words]));
  const saved = position.stranded.includes(at) ? [t("It must be saved this turn.")] : [];
  const held = position.held?.includes(at) ? [immobilizedWords(nameByCode(piece.slice(1), kinds))] : [];
  const able = piece[0] === position.turn && walk.root.length ? doWords(input, at) : [];
  return [t("{place}: {piece}.", { place, piece: ownedName(piece, kinds) }), ...moves, ...saved, ...held, ...able];
}

/** The legal moves of the piece on a point. @param {MoveInput} input @param {string} at */
export function doWords(input, at) {
  const steps = input.walk.root
    .filter((step) => step.t === "select" && step.at === at)
    .flatMap(({ next }) => next ?? []);
  return steps.length
    ? [t("Now: {steps}", { steps: stepsWords(input, steps, false).join(" ") })]
    : [t("It has no legal move now.")];
}

// --- The last move ---

/**
 * A move in notation and in words.
 * @param {MoveInput} input @param {PlayedMove} move @param {Side} side the mover's
 * @param {Pieces} before the pieces before the move @param {Pieces} after the pieces after it
 */
export function moveWords(input, move, side, before, after) {
  const { variant, kinds, me } = input;
  const { long, on } = placeNames(variant, kinds, before.board, me ?? side, me);
  const spot = input.board.points.get(move.to);
  const now = spot && input.board.byPlace.get(`${spot.x + (move.shift?.[0] ?? 0)},${spot.y + (move.shift?.[1] ?? 0)}`);
  const became = after.board[now ?? move.to];
  const was = move.from ? before.board[move.from] : became;
  const name = (/** @type {string | undefined} */ piece) => nameByCode(piece?.slice(1) ?? "", kinds);
  const way = (move.way ?? []).slice(0, -1).map(({ at }) => long(at));
  const words = { piece: name(was), from: move.from ? long(move.from) : "", to: long(move.to), way: list(way) };
  const taken = before.board[move.to];
  const shots = (move.way ?? []).flatMap((landing) => landing.shots);
  const gone = (move.gone ?? []).filter((at) => before.board[at] && at !== move.to && !shots.includes(at));
  const parts = [
    move.from === null
      ? t("{piece} dropped at {to}", words)
      : way.length
        ? t("{piece} from {from} by {way} to {to}", words)
        : t("{piece} from {from} to {to}", words),
    ...(taken && move.from !== move.to ? [t("takes {piece}", { piece: name(taken) })] : []),
    ...shots.map((at) => t("shoots {piece}", { piece: on(name(before.board[at]), at) })),
    ...gone.map((at) => t("{piece} is lost", { piece: on(ownedName(before.board[at] ?? "", kinds), at) })),
    ...(was && became && became[0] === side && became !== was ? [t("becomes {piece}", { piece: name(became) })] : []),
  ];
  const said = { side: SIDE_NAMES[side], move: moveText(move), words: list(parts) };
  // There notation counts from the mover's royal piece, and words from one's own: one of them is enough.
  return variant.board.unbounded ? t("{side}: {words}.", said) : t("{side}: {move}, {words}.", said);
}
