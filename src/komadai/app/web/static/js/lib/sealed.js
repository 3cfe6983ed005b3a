// @ts-check
/** Texts that only who has the key can read, by AES-GCM: in base64 a number drawn by lot, then what it encrypts. */

import { base64Of, bytesOf, packed, unpacked } from "./packed.js";

const LOT = 12; // bytes

/** @param {CryptoKey} key @param {string} text */
export async function seal(key, text) {
  const iv = crypto.getRandomValues(new Uint8Array(LOT));
  const body = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, await packed(text)));
  const whole = new Uint8Array(LOT + body.length);
  whole.set(iv);
  whole.set(body, LOT);
  return base64Of(whole);
}

/** The text; throws if it was encrypted by another key, or changed. @param {CryptoKey} key @param {string} sealed @param {number} most bytes of the text */
export async function unseal(key, sealed, most) {
  const whole = bytesOf(sealed);
  const way = { name: "AES-GCM", iv: whole.slice(0, LOT) };
  return unpacked(new Uint8Array(await crypto.subtle.decrypt(way, key, whole.slice(LOT))), most);
}
