// @ts-check
/** What comes back, under a profile. */

import { t } from "../lib/i18n.js";

/** Bring the memory of this browser and that of its profile together. */
export async function syncMemory() {}

/** How the memory gets to other devices, in words. */
export function memoryCarried() {
  return t("A file takes all of this to another device. What was done last with a position counts.");
}
