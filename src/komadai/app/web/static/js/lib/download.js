// @ts-check
/** Files for the person here. */

import { h } from "./dom.js";

/** Let the browser download a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
