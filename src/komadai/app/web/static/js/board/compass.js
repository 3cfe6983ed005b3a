// @ts-check
/** The names of points near one's royal piece on an unbounded board, as on a compass. */

import { s } from "../lib/dom.js";

const SIZE = 22; // of the letters
const BELOW = 42; // distance of their foot from the centre of the point, where the dots are

/**
 * Write the names, under the pieces; a board with squares has none.
 * @param {import("./svg.js").Board} board @param {import("./place_names.js").PlaceNames} places
 */
export function showCompass(board, { around, short }) {
  board.compass.replaceChildren(
    ...around.map((at) => {
      const [x, y] = board.centre(at);
      return s("text", { class: "label", x, y: y + BELOW, "font-size": SIZE }, short(at));
    }),
  );
}
