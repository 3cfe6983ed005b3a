// @ts-check
/** Points by what a person calls them, and what stands along lines and round about. */

import { n, t } from "./i18n.js";
import { pieceWords, sentence } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

/** Directions on the screen of Black, x to the right and y downwards. @type {Record<string, [number, number]>} */
const WINDS = { n: [0, -1], ne: [1, -1], e: [1, 0], se: [1, 1], s: [0, 1], sw: [-1, 1], w: [-1, 0], nw: [-1, -1] };
const UNITS = /^(\d+|[a-z])$/; // a file or a rank

/** As names are compared: without spaces, in small letters. @param {string} text */
const plain = (text) => text.replace(/\s/g, "").toLowerCase();

/** The point of that name, as moves have it or as the page says it. @param {Table} page @param {string} text @returns {string | null} */
export function pointOf(page, text) {
  const { points } = page.board;
  const wanted = plain(text);
  if (points.has(wanted)) return wanted;
  const { short } = page.places;
  return (wanted && [...points.keys()].find((at) => plain(short(at)) === wanted)) || null;
}

/** What is said where a name means nothing. @param {string} text */
export function unknown(text) {
  return t("Nothing here is called “{text}”.", { text });
}

/** What stands at these points. @param {Table} page @param {string[]} points */
function told(page, points) {
  const { position: { board }, kinds, places: { short } } = page;
  const found = points.flatMap((at) => (board[at] ? [`${short(at)} ${pieceWords(board[at] ?? "", kinds)}`] : []));
  return found.length ? found.join(t("; ")) : t("nothing");
}

/** The points from one on in a direction, itself left out. @param {Table} page @param {string} from @param {[number, number]} by */
function ray(page, from, [dx, dy]) {
  const { byPlace, points } = page.board;
  const line = [];
  const start = points.get(from);
  for (let x = (start?.x ?? 0) + dx, y = (start?.y ?? 0) + dy; ; x += dx, y += dy) {
    const at = byPlace.get(`${x},${y}`);
    if (at === undefined) return line;
    line.push(at);
  }
}

/**
 * What stands on a file (`7`), on a rank (`e`), around a place in all eight directions (`5e`), in one of them (`5e ne`), or within a
 * distance of it (`5e 3`).
 * @param {Table} page @param {string} text @returns {string[]}
 */
export function scan(page, text) {
  const { points } = page.board;
  if (!page.variant.board.unbounded && UNITS.test(text)) {
    const line = [...points.keys()].filter((at) => (/\d/.test(text) ? at.replace(/[a-z]+$/, "") : at.replace(/^\d+/, "")) === text);
    return [line.length ? t("{place}: {piece}.", { place: text, piece: told(page, line) }) : unknown(text)];
  }
  const [, where = "", how = ""] = /^(.*?)(?:\s+(\d+|[nsew]{1,2}))?$/i.exec(text.trim()) ?? [];
  const whole = pointOf(page, text);
  const at = whole ?? pointOf(page, where);
  if (!at) return [unknown(text)];
  const place = page.places.long(at);
  if (!whole && /^\d+$/.test(how)) return [around(page, at, Number(how))];
  const wind = whole ? undefined : WINDS[how.toLowerCase()];
  if (wind) return [t("{place}: {piece}.", { place: `${place}, ${how.toUpperCase()}`, piece: told(page, ray(page, at, wind)) })];
  const seen = Object.entries(WINDS).map(([name, by]) => {
    const first = ray(page, at, by).find((point) => page.position.board[point]);
    return `${name.toUpperCase()}: ${first ? told(page, [first]) : t("nothing")}`;
  });
  const piece = page.position.board[at];
  return [t("{place}: {piece}.", { place, piece: piece ? pieceWords(piece, page.kinds) : t("empty") }), sentence(seen)];
}

/** What stands no farther away than that, the nearest first. @param {Table} page @param {string} centre @param {number} most */
function around(page, centre, most) {
  const { points } = page.board;
  const from = points.get(centre);
  const far = (/** @type {string} */ at) => {
    const to = points.get(at);
    return from && to ? Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y)) : Infinity;
  };
  const near = [...points.keys()].filter((at) => at !== centre && far(at) <= most).sort((one, other) => far(one) - far(other));
  const words = { place: page.places.long(centre), piece: told(page, near) };
  return n("Within {count} place of {place}: {piece}.", "Within {count} places of {place}: {piece}.", most, words);
}
