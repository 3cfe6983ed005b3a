// @ts-check
/** Pictures of positions in the rules: allowed moves as arrows, refused ones crossed out. */

import { arrows } from "../board/arrows.js";
import { movingPicture } from "../board/picture.js";
import { kindsByCode } from "../board/piece_names.js";
import { placeNames, withPlaces } from "../board/place_names.js";
import { h, s } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { marked } from "../lib/japanese.js";

/** @import { Board } from "../board/svg.js" */
/** @import { PlayedMove, RuleExample, Variant } from "../types/wire" */

const CROSS = 30; // half the width of a cross
const LARGE = 13; // files of a board of which only a part is shown
const ROUND = 4; // points shown around the moves there

/** The points of a move. @param {PlayedMove} move */
function pointsOf({ from, to, way = [] }) {
  return [...(from ? [from] : []), to, ...way.flatMap(({ at, shots }) => [at, ...shots])];
}

/** The point that a refused move would end on, or shoot at. @param {PlayedMove} move */
function endOf({ to, way = [] }) {
  return way.at(-1)?.shots.at(-1) ?? to;
}

/** Show only the part of a large board around those points. @param {Board} board @param {string[]} points */
function crop(board, points) {
  const { width, height } = board.variant.board;
  if (board.unbounded || width < LARGE) return;
  const [across, down] = [0, 1].map((axis) => board.centres(points).map((centre) => (centre[axis] ?? 0) / 100));
  const size = Math.min(width, height, Math.max(...[across, down].map((values = []) => spread(values))) + 2 * ROUND);
  const [x, y] = [across, down].map((values = [], axis) => {
    const middle = (Math.max(...values) + Math.min(...values)) / 2;
    return Math.max(0, Math.min((axis ? height : width) - size, middle - size / 2)) * 100;
  });
  board.svg.setAttribute("viewBox", `${x} ${y} ${size * 100} ${size * 100}`);
  board.element.style.setProperty("--ratio", "1");
}

/** @param {number[]} values */
function spread(values) {
  return Math.max(...values) - Math.min(...values);
}

/** @param {Variant} variant @param {RuleExample} example */
export function exampleFigure(variant, { text, position, moves, refused }) {
  const kinds = kindsByCode(variant);
  const { element, board } = movingPicture(variant, null, position, "b", true);
  const { means } = board;
  const signs = [
    ...moves.flatMap((move) => arrows([move], means)),
    ...refused.flatMap((move) => {
      const [x, y] = board.centre(endOf(move));
      const d = `M${x - CROSS} ${y - CROSS}l${2 * CROSS} ${2 * CROSS}m0 ${-2 * CROSS}l${-2 * CROSS} ${2 * CROSS}`;
      const cross = [s("path", { class: "cross-back", d }), s("path", { class: "cross", d })];
      return [s("g", { class: "refused" }, ...arrows([move], means), ...cross)];
    }),
  ];
  if (![position.hands.b, position.hands.w].some((held) => Object.keys(held).length)) element.classList.add("bare");
  board.pointed.replaceChildren(...signs);
  const points = [...moves, ...refused].flatMap(pointsOf);
  if (board.unbounded) {
    const standing = Object.keys(position.board);
    board.view?.fit(board.centres([...standing, ...points]), true);
  }
  crop(board, points);
  const key = [moves.length ? t("Blue: allowed.") : "", refused.length ? t("Crossed out: not allowed.") : ""].filter(
    Boolean,
  );
  const words = withPlaces(text, placeNames(variant, kinds, position.board, "b", null), kinds);
  return h(
    "figure",
    { class: "example" },
    element,
    h("figcaption", {}, ...marked(words), " ", refused.length ? h("span", { class: "quiet" }, key.join(" ")) : null),
  );
}
