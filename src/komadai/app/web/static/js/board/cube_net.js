// @ts-check
/** The net of a cube: places of its six faces in a cross, such that opposite faces are opposite when folded. */

/** @import { Kind } from "../types/wire" */

/** Column and row of each face in the cross, in pairs of opposite faces. */
const CROSS = /** @type {const} */ ([
  [2, 2],
  [4, 2],
  [2, 1],
  [2, 3],
  [1, 2],
  [3, 2],
]);

/**
 * The faces of a cube as three pairs of opposite faces, or `null` if it is no cube whose faces turn into each other in
 * pairs.
 * @param {string[]} faces @param {Map<string, Kind>} kinds
 */
function pairs(faces, kinds) {
  if (faces.length !== 6) return null;
  const opposite = (/** @type {string} */ code) => kinds.get(code)?.next ?? "";
  const fits = faces.every(
    (code) => opposite(code) !== code && faces.includes(opposite(code)) && opposite(opposite(code)) === code,
  );
  if (!fits) return null;
  return faces.filter((code, index) => index < faces.indexOf(opposite(code))).map((code) => [code, opposite(code)]);
}

/**
 * The place of each face in the cross of four columns and three rows, both counted from 1; `null` if it is no cube.
 * @param {string[]} faces @param {Map<string, Kind>} kinds @returns {Map<string, readonly [number, number]> | null}
 */
export function unfold(faces, kinds) {
  const places = pairs(faces, kinds)?.flat();
  return places ? new Map(places.map((code, index) => [code, CROSS[index] ?? CROSS[0]])) : null;
}

/**
 * True if a face and the face it turns into turn into each other.
 * @param {Kind} kind @param {Map<string, Kind>} kinds
 */
export function flips(kind, kinds) {
  return kind.next !== null && kinds.get(kind.next)?.next === kind.code;
}
