// @ts-check
/**
 * The key of a profile. It stays in the browser: from it come an access key, which the server is shown, and the key that
 * encrypts what the server keeps, and neither tells anything of the other. A key of the former form is an access key
 * itself, made and known by the server; nothing is encrypted by it.
 */

import { t } from "./i18n.js";

const LETTERS = 28;
const ACCESS = 26; // letters of an access key, and of a key of the former form
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const LOOK_ALIKE = /** @type {Record<string, string>} */ ({ 0: "O", 1: "I", 8: "B" });

/** The letters of a key as somebody wrote it. @param {string} text */
function lettersOf(text) {
  const letters = text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
  return letters.replace(/[018]/g, (sign) => LOOK_ALIKE[sign] ?? sign);
}

/** A key that nobody has: of the former form where the browser cannot encrypt, as without https. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(crypto.subtle ? LETTERS : ACCESS));
  const letters = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return letters.match(/.{1,4}/g)?.join("-") ?? "";
}

/** Whether something can be encrypted by a key. @param {string} key */
export function canSeal(key) {
  return lettersOf(key).length === LETTERS && Boolean(crypto.subtle);
}

/** @param {string} letters @param {string} purpose */
async function derivation(letters, purpose) {
  if (!crypto.subtle) throw new Error(t("This key can be used only by https."));
  const [given, info] = [letters, `komadai profile ${purpose}`].map((text) => new TextEncoder().encode(text));
  const key = await crypto.subtle.importKey("raw", given ?? new Uint8Array(), "HKDF", false, [
    "deriveBits",
    "deriveKey",
  ]);
  return { key, way: { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: info ?? new Uint8Array() } };
}

/** What the server is shown of a key. @param {string} key */
export async function accessOf(key) {
  const letters = lettersOf(key);
  if (letters.length === ACCESS) return letters;
  if (letters.length !== LETTERS || [...letters].some((letter) => !ALPHABET.includes(letter)))
    throw new Error(
      t("This is no profile key: {count} letters and digits are expected, or {former}.", {
        count: LETTERS,
        former: ACCESS,
      }),
    );
  const { key: base, way } = await derivation(letters, "access");
  const bits = Array.from(new Uint8Array(await crypto.subtle.deriveBits(way, base, 128)), (byte) =>
    byte.toString(2).padStart(8, "0"),
  ).join("");
  const groups = bits.padEnd(5 * ACCESS, "0").match(/.{5}/g) ?? [];
  return groups.map((group) => ALPHABET[Number.parseInt(group, 2)]).join("");
}

/** The key that encrypts what the server keeps. @param {string} key one that can seal */
export async function sealingKey(key) {
  const { key: base, way } = await derivation(lettersOf(key), "memory");
  return crypto.subtle.deriveKey(way, base, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
