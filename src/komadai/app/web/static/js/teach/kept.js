// @ts-check
/** The lesson that is being written, kept in this browser, and the one before it. */

import { LESSON } from "../lib/bounds.js";

const NOW = "teach";
const BEFORE = "teach-before";

/** @param {string} name */
function read(name) {
  try {
    const found = localStorage.getItem(name);
    return found && found.length <= LESSON ? found : null;
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} text */
function write(name, text) {
  try {
    if (text.length <= LESSON) localStorage.setItem(name, text);
  } catch {
    // the storage is full or off: the file and the link are left
  }
}

export const kept = () => read(NOW);
export const before = () => read(BEFORE);

/** @param {string} text */
export const keep = (text) => write(NOW, text);

/** Another lesson takes the place of the one kept, which can be had again. @param {string} text */
export function replace(text) {
  const old = kept();
  if (old && old !== text) write(BEFORE, old);
  write(NOW, text);
}
