// @ts-check
/** What comes back, kept under the profile: the server has bytes that only the browser can read. */

import { keepMemory, profileMemory } from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { isLater, keep, LARGEST, memory, memoryOf, merge, textOf } from "../lib/memory.js";
import { profile, setSynced, synced } from "../lib/prefs.js";
import { accessOf, canSeal, sealingKey } from "../lib/profile_key.js";
import { ALONE } from "../lib/root.js";
import { seal, unseal } from "../lib/sealed.js";

/** @import { Memory } from "../types/client" */

const MOST = Math.ceil((256 * 1024) / 3) * 4; // characters in base64 that the server keeps
const TRIES = 5; // while other devices write at the same time

/** @param {string} text */
async function digestOf(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What was kept; nothing if it is damaged. @param {CryptoKey} sealing @param {string} sealed @returns {Promise<Memory | null>} */
async function opened(sealing, sealed) {
  const text = await unseal(sealing, sealed, LARGEST).catch(() => "");
  if (isLater(text)) throw new Error(t("A later version of Komadai has kept the positions in the profile."));
  return memoryOf(text);
}

/** Bring the memory of this browser and that of its profile together. @param {string} [key] */
export async function syncMemory(key = profile().key) {
  if (ALONE || !canSeal(key)) return;
  const [access, sealing] = await Promise.all([accessOf(key), sealingKey(key)]);
  const last = synced(access);
  let found = await profileMemory(access, last.number);
  for (let tries = 0; tries < TRIES; tries++) {
    const theirs = found.sealed === null ? null : await opened(sealing, found.sealed);
    if (theirs) keep(theirs);
    // What this browser cannot keep is not lost there.
    const whole = textOf(theirs ? merge(memory(), theirs) : memory());
    const digest = await digestOf(whole);
    const same = theirs ? textOf(theirs) === whole : found.number === last.number && digest === last.digest;
    if (same) return setSynced(access, found.number, digest);
    const sealed = await seal(sealing, whole);
    if (sealed.length > MOST)
      throw new Error(t("The list of positions is too long for a profile; a file takes it along."));
    const after = found.number;
    found = await keepMemory(access, after, sealed);
    if (found.sealed === null) return setSynced(access, found.number, digest);
  }
}

/** How the memory gets to other devices, in words. */
export function memoryCarried() {
  const { key } = profile();
  if (ALONE || !crypto.subtle)
    return t("A file takes all of this to another device. What was done last with a position counts.");
  if (canSeal(key))
    return t("Your profile takes all of this along. This browser encrypts it: the server cannot read it.");
  if (key)
    return t(
      "Your profile key is of the former form, which the server knows. Replace it under My games, and all of this goes along, encrypted by this browser.",
    );
  return t("A profile key, under My games, takes all of this to another device; so does a file.");
}
