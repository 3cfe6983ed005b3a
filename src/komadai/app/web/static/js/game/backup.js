// @ts-check
/** The part of the page of all games that saves everything in a file, where no server keeps it. */

import { get, post } from "../lib/api.js";
import { BACKUP, within } from "../lib/bounds.js";
import { byId, onClick } from "../lib/dom.js";
import { download } from "../lib/download.js";
import { n, t } from "../lib/i18n.js";
import { keep, memoryOf } from "../lib/memory.js";
import { fault } from "../lib/phrases.js";
import { ALONE } from "../lib/root.js";

const PREFIX = "komadai.";

/** What the browser remembers besides the games. @returns {Record<string, string>} */
function remembered() {
  return Object.fromEntries(Object.entries(localStorage).filter(([name]) => name.startsWith(PREFIX)));
}

/** The key of an entry in a list that is kept: of a pair its first, of a game its id. @param {any} entry */
const keyOf = (entry) => (Array.isArray(entry) ? entry[0] : (entry?.id ?? JSON.stringify(entry)));

/** Two texts in JSON in one: lists are joined, of objects the known entries stay. @param {string} known @param {string} other */
export function joined(known, other) {
  try {
    const [mine, theirs] = [JSON.parse(known), JSON.parse(other)];
    if (Array.isArray(mine) && Array.isArray(theirs)) {
      const keys = new Set(mine.map(keyOf));
      return JSON.stringify([...mine, ...theirs.filter((entry) => !keys.has(keyOf(entry)))]);
    }
    const both = [mine, theirs].every((one) => one && typeof one === "object" && !Array.isArray(one));
    return both ? JSON.stringify({ ...theirs, ...mine }) : known;
  } catch {
    return known;
  }
}

/** @param {unknown} found */
function remember(found) {
  if (!found || typeof found !== "object") return;
  for (const [name, value] of Object.entries(found)) {
    if (!name.startsWith(PREFIX) || typeof value !== "string") continue;
    const cards = memoryOf(value);
    if (cards) {
      keep(cards);
      continue;
    }
    const known = localStorage.getItem(name);
    localStorage.setItem(name, known === null ? value : joined(known, value));
  }
}

async function save() {
  const store = await get("backup");
  const whole = JSON.stringify({ komadai: "games", browser: remembered(), store });
  const day = new Date().toISOString().slice(0, 10);
  download(new Blob([whole], { type: "application/json" }), `komadai-${day}.json`);
}

/** @param {File} file @returns {Promise<string>} what has come of it */
async function bringBack(file) {
  const found = await within(file, BACKUP)
    .text()
    .then((text) => JSON.parse(text))
    .catch(() => null);
  if (found?.komadai !== "games") throw new Error(t("This is no file of all games, as this page saves them."));
  const { games, unreadable } = await post("backup", found.store);
  remember(found.browser);
  const words = n("{count} game has been added.", "{count} games have been added.", games);
  return unreadable ? `${words} ${n("{count} could not be read.", "{count} could not be read.", unreadable)}` : words;
}

/** Listen to the controls. @param {() => void} changed called when the browser may have other games */
export function listenForBackup(changed) {
  if (!ALONE) return;
  const say = (/** @type {string} */ words) => {
    byId("backup-notice").textContent = words;
  };
  const attempt = async (/** @type {() => Promise<string | undefined | void>} */ work) => {
    say("");
    try {
      say((await work()) ?? "");
    } catch (error) {
      say(fault(error));
    }
  };
  onClick("save-all", () => void attempt(save));
  const chosen = /** @type {HTMLInputElement} */ (byId("bring-back"));
  onClick("choose-backup", () => chosen.click());
  chosen.addEventListener("change", () => {
    const [file] = chosen.files ?? [];
    if (!file) return;
    void attempt(async () => {
      const words = await bringBack(file);
      changed();
      return words;
    });
    chosen.value = "";
  });
}
