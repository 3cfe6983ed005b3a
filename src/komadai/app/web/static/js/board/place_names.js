// @ts-check
/** Names of points: those of squares on a board, and directions from one's royal piece on an unbounded board. */

import { t } from "../lib/i18n.js";
import { setting } from "../lib/prefs.js";
import { SIDE_NAMES } from "../lib/sides.js";
import { kindName } from "./piece_names.js";
import { squareName, wide } from "./square_names.js";

/** @import { Kind, PlayedMove, Side, Variant } from "../types/wire" */
/**
 * `short`, such as "N2", is for lists and buttons, `long`, such as "2 north of your king", for sentences; `on` is a
 * piece with its place in one; `around` are the points near the piece that directions start from.
 * @typedef {{ short: (at: string) => string, long: (at: string) => string,
 *   on: (piece: string, at: string) => string, around: string[] }} PlaceNames
 */

const NEAR = 2; // steps from the piece that directions start from, up to which each direction has a name

/** The directions in Japanese notation. @type {Record<string, string>} */
const WINDS = { N: "北", E: "東", S: "南", W: "西" };

/**
 * Squares, and move strings made of them, in a text, each with the space before and after it; not those that are part
 * of a move in another notation.
 */
const SQUARES = /(?<![\w*’.-])( ?)(?:(\+?[A-Z]+)\*)?((?:\d{1,2}[a-z])+)(?![\w’])(\+(?!\w))?( ?)/g;
/** A character beside which Japanese notation has no space. */
const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、。：]/u;

/**
 * The distance that the window of an unbounded board has moved since the start.
 * @param {PlayedMove[]} moves @returns {[number, number]}
 */
export function travelled(moves) {
  return moves.reduce(([x, y], { shift }) => [x - (shift?.[0] ?? 0), y - (shift?.[1] ?? 0)], [0, 0]);
}

/**
 * @param {Variant} variant @param {Map<string, Kind>} kinds @param {Record<string, string>} pieces the pieces by point
 * @param {Side} side the side whose royal piece is the origin, if it has one
 * @param {Side | null} me the side addressed as "you"
 * @returns {PlaceNames}
 */
export function placeNames(variant, kinds, pieces, side, me) {
  if (!variant.board.unbounded || setting("notation") === "strings") {
    const on = (/** @type {string} */ piece, /** @type {string} */ at) =>
      t("{piece} on {place}", { piece, place: squareName(at) });
    return { short: squareName, long: squareName, on, around: [] };
  }
  const spots = new Map(variant.board.points.map((point) => [point.id, point]));
  const royals = Object.entries(pieces).filter(([, piece]) => kinds.get(piece.slice(1))?.royal);
  const [home, piece] = royals.find(([, piece]) => piece[0] === side) ?? royals[0] ?? ["", ""];
  const from = spots.get(home);
  if (!from)
    return relative(
      () => t("the middle"),
      () => t("the middle"),
      [],
    );
  const kind = kinds.get(piece.slice(1));
  const words = { piece: kind ? kindName(kind) : "", side: SIDE_NAMES[piece[0] === "w" ? "w" : "b"] };
  const whose = piece[0] === me ? t("your {piece}", words) : t("{side}’s {piece}", words);
  /** @type {(at: string) => [number, number]} */
  const offset = (at) => {
    const spot = spots.get(at) ?? from;
    return [spot.x - from.x, from.y - spot.y];
  };
  return relative(
    (at) => (at === home ? t("home") : short(...offset(at))),
    (at) =>
      at === home
        ? t("the place of {whose}", { whose })
        : t("{where} of {whose}", { where: long(...offset(at)), whose }),
    [...spots.keys()].filter((at) => at !== home && offset(at).every((steps) => Math.abs(steps) <= NEAR)),
  );
}

/**
 * @param {PlaceNames["short"]} short @param {PlaceNames["long"]} long @param {string[]} around @returns {PlaceNames}
 */
function relative(short, long, around) {
  return { short, long, on: (piece, at) => t("{piece} at {place}", { piece, place: long(at) }), around };
}

/**
 * A compass direction (straight, diagonal or a knight's) and the number of steps, if there is one.
 * @param {number} east @param {number} north @returns {[string, number] | null}
 */
function bearing(east, north) {
  const [e, n] = [Math.abs(east), Math.abs(north)];
  const [ns, ew] = [north > 0 ? "N" : "S", east > 0 ? "E" : "W"];
  if (e === 0) return [ns, n];
  if (n === 0) return [ew, e];
  if (e === n) return [ns + ew, e];
  if (n === 2 * e) return [ns + ns + ew, e];
  if (e === 2 * n) return [ew + ns + ew, n];
  return null;
}

/** @param {number} east @param {number} north */
function short(east, north) {
  const [name, steps] = bearing(east, north) ?? ["", 0];
  const own = name
    ? name + (steps > 1 ? steps : "")
    : `${north > 0 ? "N" : "S"}${Math.abs(north)} ${east > 0 ? "E" : "W"}${Math.abs(east)}`;
  if (setting("notation") !== "japanese") return own;
  return wide(own.replace(" ", "").replace(/[NESW]/g, (wind) => WINDS[wind] ?? wind));
}

/** @param {number} east @param {number} north */
function long(east, north) {
  const [ns, ew] = [north > 0 ? t("north") : t("south"), east > 0 ? t("east") : t("west")];
  const [e, n] = [Math.abs(east), Math.abs(north)];
  const straight = (/** @type {number} */ steps, /** @type {string} */ direction) =>
    t("{steps} {direction}", { steps, direction });
  if (e === 0) return straight(n, ns);
  if (n === 0) return straight(e, ew);
  if (e === n) return straight(e, t("{ns}-{ew}", { ns, ew }));
  return t("{n} {ns}, {e} {ew}", { n, ns, e, ew });
}

/**
 * A text that names squares as move strings do, such as an explanation from the server, with the names on the page.
 * @param {string} text @param {Pick<PlaceNames, "short">} names @param {Map<string, Kind>} [kinds]
 */
export function withPlaces(text, { short }, kinds) {
  const japanese = setting("notation") === "japanese";
  return text.replace(SQUARES, (found, before, code = "", squares, promotes = "", after, offset) => {
    const names = (squares.match(/\d+[a-z]/g) ?? []).map(short);
    if (names.join("") === squares) return found;
    const places = names.join("→");
    if (!japanese) return before + (code && `${code}*`) + places + promotes + after;
    const written = places + (code && `${kinds?.get(code)?.kanji ?? code}打`) + (promotes && "成");
    const apart = (/** @type {string} */ space, /** @type {number} */ at) =>
      JAPANESE.test(text.charAt(at)) ? "" : space;
    return apart(before, offset - 1) + written + apart(after, offset + found.length);
  });
}
