// @ts-check
/** Diagram of the moves and shots of a kind on an empty board, from its owner's point of view. */

import { s } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { kindName } from "./piece_names.js";

/** @import { Kind, Leg } from "../types/wire" */

const SHOWN = 7; // most points in each direction
const HOPPED = 3; // points shown of a hop without limit

/** The distance reached by repeating vectors. @param {(readonly [number, number])[]} vectors @param {number} times */
function far(vectors, times) {
  return Math.max(0, ...vectors.map(([right, ahead]) => Math.max(Math.abs(right), Math.abs(ahead)) * times));
}

/** The number of points that the diagram shows in each direction. @param {Kind} kind */
function radiusOf({ moves, walks = [], shot = null }) {
  const reach = Math.max(
    1,
    ...moves.map((m) => Math.max(Math.abs(m.right), Math.abs(m.ahead)) * (m.reach ?? (m.hops ? HOPPED : 1))),
  );
  const walked = Math.max(0, ...walks.map(({ vectors, most }) => far(vectors, most)));
  return Math.min(SHOWN, Math.max(2, reach, walked, shot ? far(shot.vectors, shot.reach) : 0));
}

/**
 * Dots are steps, lines are slides, thin if they may not capture; arcs over a square are hops over one piece, dashes
 * with a cross-hair shots; of a move of several legs the first legs are dots and the later ones rings.
 * @param {Kind} kind
 */
export function moveDiagram(kind) {
  const radius = radiusOf(kind);
  const size = 2 * radius + 1;
  const picture = s("svg", {
    viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`,
    class: "diagram",
    role: "img",
    "aria-label": t("how the {piece} moves", { piece: kindName(kind) }),
  });
  for (let y = -radius; y <= radius; y++)
    for (let x = -radius; x <= radius; x++)
      picture.append(s("rect", { class: "cell", x: x - 0.46, y: y - 0.46, width: 0.92, height: 0.92, rx: 0.12 }));
  if (kind.shot) picture.append(...shots(kind.shot, radius));
  picture.append(...kind.moves.filter(({ hops }) => !hops).map((leg) => plain(leg, radius)));
  picture.append(...kind.moves.filter(({ hops }) => hops).flatMap((leg) => hop(leg, radius)));
  for (const walk of kind.walks ?? []) picture.append(...later(walk, radius), ...first(walk));
  picture.append(s("circle", { class: "origin", cx: 0, cy: 0, r: 0.3 }));
  return picture;
}

/** The most steps of a leg for which there is room, and a little more if it goes on. @param {Leg} leg @param {number} radius */
function stepsOf({ right, ahead, reach }, radius) {
  const room = Math.floor(radius / Math.max(Math.abs(right), Math.abs(ahead)));
  return Math.min(reach ?? room, room) + (reach === null || reach > room ? 0.3 : 0);
}

/** A step or slide. @param {Leg} leg @param {number} radius */
function plain(leg, radius) {
  const { right, ahead, reach, captures } = leg;
  const name = captures === "never" ? "reach quiet-only" : "reach";
  if (reach === 1) return s("circle", { class: name, cx: right, cy: -ahead, r: captures === "never" ? 0.12 : 0.2 });
  const steps = stepsOf(leg, radius);
  return s("line", { class: name, x1: right * 0.55, y1: -ahead * 0.55, x2: right * steps, y2: -ahead * steps });
}

/** A hop: an arc over the piece in the way, and the points behind it. @param {Leg} leg @param {number} radius */
function hop(leg, radius) {
  const [x, y] = [leg.right, -leg.ahead];
  const name = leg.captures === "never" ? "reach quiet-only" : "reach";
  const steps = stepsOf(leg, radius);
  const [aside, up] = [x - y * 0.8, y + x * 0.8]; // beside the piece that is hopped over
  return [
    s("path", { class: `${name} hop`, d: `M${x * 0.5} ${y * 0.5}Q${aside} ${up} ${x * 2} ${y * 2}` }),
    s("rect", { class: "hurdle", x: x - 0.2, y: y - 0.2, width: 0.4, height: 0.4, rx: 0.06 }),
    steps > 2
      ? s("line", { class: name, x1: x * 2, y1: y * 2, x2: x * steps, y2: y * steps })
      : s("circle", { class: name, cx: x * 2, cy: y * 2, r: 0.2 }),
  ];
}

/** The first leg of a walk. @param {import("../types/wire").Walks} walk */
function first({ vectors, least }) {
  return vectors.map(([right, ahead]) =>
    s("circle", { class: least > 1 ? "reach through" : "reach", cx: right, cy: -ahead, r: 0.24 }),
  );
}

/** The targets of the later legs of a walk. @param {import("../types/wire").Walks} walk @param {number} radius */
function later({ vectors, least, most, line }, radius) {
  /** @type {Map<string, SVGElement>} */
  const found = new Map();
  const start = new Set(vectors.map(String));
  /** @param {number} x @param {number} y @param {readonly [number, number]} by @param {number} gone */
  const go = (x, y, by, gone) => {
    if (
      gone >= least &&
      gone > 1 &&
      !start.has(`${x},${y}`) &&
      (x || y) &&
      Math.max(Math.abs(x), Math.abs(y)) <= radius
    )
      found.set(`${x},${y}`, s("circle", { class: "later", cx: x, cy: -y, r: 0.2 }));
    if (gone === most) return;
    for (const vector of vectors) {
      const axis = Math.abs(by[0]) > Math.abs(by[1]) ? 0 : 1;
      if (line === "straight" ? vector === by : line === "free" || vector[axis] === by[axis])
        go(x + vector[0], y + vector[1], vector, gone + 1);
    }
  };
  for (const vector of vectors) go(vector[0], vector[1], vector, 1);
  return found.values();
}

/** @param {import("../types/wire").ShotReach} shot @param {number} radius */
function shots({ vectors, reach }, radius) {
  return vectors.flatMap(([right, ahead]) => {
    const steps = Math.min(reach, Math.floor(radius / Math.max(Math.abs(right), Math.abs(ahead))));
    const [x, y] = [right * steps, -ahead * steps];
    return [
      s("line", { class: "shot", x1: right * 0.5, y1: -ahead * 0.5, x2: x, y2: y }),
      s("path", { class: "shot-end", d: `M${x - 0.4} ${y} h.8 M${x} ${y - 0.4} v.8` }),
    ];
  });
}
