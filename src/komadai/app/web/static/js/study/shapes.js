// @ts-check
/**
 * Arrows and circles in a comment: `[%draw 7g7f,5e]` at its end, an arrow from 7g to 7f and a circle around 5e. So every
 * format of records that has comments holds them.
 */

/** @typedef {import("../board/drawings.js").Shape} Shape */

const MOST = 100; // of one move
const POINT = "\\d{1,2}[a-z]";
const SHAPES = new RegExp(`\\s*\\[%draw ((?:${POINT}){1,2}(?:,(?:${POINT}){1,2})*)\\]$`);

/** The words of a comment, and what is drawn. @param {string} comment @returns {[string, Shape[]]} */
export function readShapes(comment) {
  const found = SHAPES.exec(comment);
  if (!found?.[1]) return [comment, []];
  const shapes = found[1].split(",").map((text) => {
    const [from = "", to = from] = text.match(new RegExp(POINT, "g")) ?? [];
    return { usi: "", from, to };
  });
  return [comment.slice(0, found.index), shapes.slice(0, MOST)];
}

/** A comment that says what is drawn, too. @param {string} comment @param {Shape[]} shapes */
export function withShapes(comment, shapes) {
  const drawn = shapes.slice(0, MOST).map(({ from, to }) => (from === to ? to : `${from}${to}`));
  return [comment, drawn.length ? `[%draw ${drawn.join()}]` : ""].filter(Boolean).join("\n");
}
