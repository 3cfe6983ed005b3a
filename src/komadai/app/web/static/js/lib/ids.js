// @ts-check
/** Random identifiers. */

/** A random hexadecimal string. @param {number} bytes */
export function randomId(bytes) {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}
