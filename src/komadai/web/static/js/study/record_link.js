// @ts-check
/** Records in the part of an address after the `#`, which needs no server and is sent to none. */

const NAME = "#record=";

/** @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} through */
async function passed(bytes, through) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through)).arrayBuffer());
}

/** The end of an address that holds a record. @param {import("../types/wire").RecordData} record */
export async function recordHash(record) {
  const packed = await passed(new TextEncoder().encode(JSON.stringify(record)), new CompressionStream("deflate-raw"));
  const binary = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return NAME + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text of the record at the end of an address; `null` if there is none. Throws if it cannot be unpacked. @param {string} hash */
export async function recordOfHash(hash) {
  if (!hash.startsWith(NAME)) return null;
  const binary = atob(hash.slice(NAME.length).replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  return new TextDecoder().decode(await passed(packed, new DecompressionStream("deflate-raw")));
}
