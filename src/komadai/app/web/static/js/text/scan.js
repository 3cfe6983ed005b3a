// @ts-check
/** Look up points by name, and list the pieces along lines and around points. */

import { ownedName } from "../board/piece_names.js";
import { n, t } from "../lib/i18n.js";
import { sentence } from "../lib/phrases.js";

/** @import { MoveInput } from "../moves/input.js" */

/** Directions as Black sees the board, x to the right and y downwards. @type {Record<string, [number, number]>} */
const WINDS = { n: [0, -1], ne: [1, -1], e: [1, 0], se: [1, 1], s: [0, 1], sw: [-1, 1], w: [-1, 0], nw: [-1, -1] };
const UNITS = /^(\d+|[a-z])$/; // a file or a rank

/** Normalize a name for comparison: without spaces, in lower case. @param {string} text */
const plain = (text) => text.replace(/\s/g, "").toLowerCase();

/**
 * The point with a name, as in move strings or as displayed.
 * @param {MoveInput} input @param {string} text @returns {string | null}
 */
export function pointOf(input, text) {
  const { points } = input.board;
  const wanted = plain(text);
  if (points.has(wanted)) return wanted;
  const { short } = input.places;
  return (wanted && [...points.keys()].find((at) => plain(short(at)) === wanted)) || null;
}

/** The answer to an unknown name. @param {string} text */
export function unknown(text) {
  return text ? t("Nothing here is called “{text}”.", { text }) : t("Which place? Say it behind the command.");
}

/** The pieces on some points. @param {MoveInput} input @param {string[]} points */
function piecesOn(input, points) {
  const { kinds } = input;
  const { board } = input.position;
  const { short } = input.places;
  const found = points.flatMap((at) => (board[at] ? [`${short(at)} ${ownedName(board[at] ?? "", kinds)}`] : []));
  return found.length ? found.join(t("; ")) : t("nothing");
}

/**
 * The points from a point outwards in a direction, without the point itself.
 * @param {MoveInput} input @param {string} from @param {[number, number]} by
 */
function ray(input, from, [dx, dy]) {
  const { byPlace, points } = input.board;
  const line = [];
  const start = points.get(from);
  for (let x = (start?.x ?? 0) + dx, y = (start?.y ?? 0) + dy; ; x += dx, y += dy) {
    const at = byPlace.get(`${x},${y}`);
    if (at === undefined) return line;
    line.push(at);
  }
}

/**
 * The pieces on a file (`7`), on a rank (`e`), in the eight directions from a point (`5e`), in one of them (`5e ne`),
 * or within a distance of it (`5e 3`).
 * @param {MoveInput} input @param {string} text @returns {string[]}
 */
export function scan(input, text) {
  const { points } = input.board;
  if (!input.variant.board.unbounded && UNITS.test(text)) {
    const line = [...points.keys()].filter(
      (at) => (/\d/.test(text) ? at.replace(/[a-z]+$/, "") : at.replace(/^\d+/, "")) === text,
    );
    return [line.length ? t("{place}: {piece}.", { place: text, piece: piecesOn(input, line) }) : unknown(text)];
  }
  const [, where = "", how = ""] = /^(.*?)(?:\s+(\d+|[nsew]{1,2}))?$/i.exec(text.trim()) ?? [];
  const whole = pointOf(input, text);
  const at = whole ?? pointOf(input, where);
  if (!at) return [unknown(text)];
  const place = input.places.long(at);
  if (!whole && /^\d+$/.test(how)) return [around(input, at, Number(how))];
  const wind = whole ? undefined : WINDS[how.toLowerCase()];
  if (wind)
    return [
      t("{place}: {piece}.", { place: `${place}, ${how.toUpperCase()}`, piece: piecesOn(input, ray(input, at, wind)) }),
    ];
  const seen = Object.entries(WINDS).map(([name, by]) => {
    const first = ray(input, at, by).find((point) => input.position.board[point]);
    return `${name.toUpperCase()}: ${first ? piecesOn(input, [first]) : t("nothing")}`;
  });
  return [t("{place}: {piece}.", { place, piece: ownedName(input.position.board[at], input.kinds) }), sentence(seen)];
}

/**
 * The pieces within a distance of a point, the nearest first.
 * @param {MoveInput} input @param {string} centre @param {number} most
 */
function around(input, centre, most) {
  const { points } = input.board;
  const from = points.get(centre);
  const far = (/** @type {string} */ at) => {
    const to = points.get(at);
    return from && to ? Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y)) : Infinity;
  };
  const near = [...points.keys()]
    .filter((at) => at !== centre && far(at) <= most)
    .sort((one, other) => far(one) - far(other));
  const words = { place: input.places.long(centre), piece: piecesOn(input, near) };
  return n("Within {count} place of {place}: {piece}.", "Within {count} places of {place}: {piece}.", most, words);
}
