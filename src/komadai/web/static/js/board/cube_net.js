// @ts-check
/** A cube unfolded: where each of six faces lies in the cross, so that opposite faces lie at opposite places. */

/** @typedef {import("../types/wire").Kind} Kind */

/** Column and row of each face in the cross, first the row of four from its second place, opposite ones together. */
const CROSS = /** @type {const} */ ([
  [2, 2],
  [4, 2],
  [2, 1],
  [2, 3],
  [1, 2],
  [3, 2],
]);

/**
 * The faces of a cube as three pairs of opposite faces, or `null` for what is no such cube: what turns up when one face
 * turns under must be the other, both ways.
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
 * Where each face lies in the cross of four columns and three rows, both counted from 1; `null` for what is no cube.
 * @param {string[]} faces @param {Map<string, Kind>} kinds @returns {Map<string, readonly [number, number]> | null}
 */
export function unfold(faces, kinds) {
  const places = pairs(faces, kinds)?.flat();
  return places ? new Map(places.map((code, index) => [code, CROSS[index] ?? CROSS[0]])) : null;
}

/** Whether a face and the one it turns to turn into each other. @param {Kind} kind @param {Map<string, Kind>} kinds */
export function flips(kind, kinds) {
  return kind.next !== null && kinds.get(kind.next)?.next === kind.code;
}
