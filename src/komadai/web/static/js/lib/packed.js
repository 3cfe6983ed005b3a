// @ts-check
/** Texts in the part of an address after the `#`, which needs no server and is sent to none. */

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} through */
async function passed(bytes, through) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through)).arrayBuffer());
}

/** A text as the end of an address. @param {string} name @param {string} text */
export async function hashOf(name, text) {
  const packed = await passed(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const binary = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return `#${name}=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/**
 * The text at the end of an address; `null` if there is none of that name. Throws if it cannot be unpacked.
 * @param {string} name @param {string} hash
 */
export async function textOfHash(name, hash) {
  const start = `#${name}=`;
  if (!hash.startsWith(start)) return null;
  const binary = atob(hash.slice(start.length).replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  return new TextDecoder().decode(await passed(packed, new DecompressionStream("deflate-raw")));
}
