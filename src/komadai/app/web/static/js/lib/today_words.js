// @ts-check
/** What is due today, in words. */

import { n, t } from "./i18n.js";
import { due, minutesFor } from "./memory.js";

/** @import { Memory } from "../types/client" */

/** The number of positions that are due, and the time that they take; empty if there are none. @param {Memory} memory */
export function dueWords(memory) {
  const ids = due(memory);
  if (!ids.length) return "";
  const positions = n("{count} position", "{count} positions", ids.length);
  const minutes = n("{count} minute", "{count} minutes", minutesFor(memory, ids));
  return t("Today: {positions}, {minutes}", { positions, minutes });
}
