// @ts-check
/** Drafts: every study is stored in this browser as it changes. */

/** @typedef {{ id: string, at: number, name: string, text: string }} Draft `text` is the record as JSON */

const PREFIX = "komadai.draft.";
const KEEP = 20;

/** The draft with an id. @param {string} id @returns {Draft | null} */
export function draft(id) {
  try {
    const found = JSON.parse(localStorage.getItem(PREFIX + id) ?? "null");
    return typeof found?.text === "string"
      ? { id, at: Number(found.at), name: String(found.name), text: found.text }
      : null;
  } catch {
    return null; // storage is off, or another program wrote the value
  }
}

/** All drafts, the latest first. @returns {Draft[]} */
export function drafts() {
  try {
    const ids = Object.keys(localStorage).flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []));
    return ids.flatMap((id) => draft(id) ?? []).sort((one, other) => other.at - one.at);
  } catch {
    return [];
  }
}

/**
 * Store a study, replacing the oldest drafts if there is no space; returns whether that was possible.
 * @param {string} id @param {string} name @param {string} text
 */
export function keep(id, name, text) {
  const write = () => localStorage.setItem(PREFIX + id, JSON.stringify({ at: Date.now(), name, text }));
  try {
    write();
  } catch {
    const oldest = drafts()
      .filter((one) => one.id !== id)
      .at(-1);
    if (!oldest) return false; // storage is off, or too small for this study
    drop(oldest.id);
    return keep(id, name, text);
  }
  for (const { id: old } of drafts().slice(KEEP)) drop(old);
  return true;
}

/** Call a function with the id of each draft that another window stores. @param {(id: string) => void} rewritten */
export function onRewritten(rewritten) {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key?.startsWith(PREFIX) && newValue !== null) rewritten(key.slice(PREFIX.length));
  });
}

/** Delete a draft. @param {string} id */
export function drop(id) {
  localStorage.removeItem(PREFIX + id);
}
