// @ts-check
/** Studies that have not been shared are kept in this browser as they grow, so that none is lost. */

/** @typedef {import("../types/wire").RecordData} RecordData */
/** @typedef {{ id: string, at: number, name: string, text: string }} Draft `text` is the record */

const PREFIX = "komadai.draft.";
const KEEP = 20;

/** @param {string} id @returns {Draft | null} */
export function draft(id) {
  try {
    const found = JSON.parse(localStorage.getItem(PREFIX + id) ?? "null");
    return typeof found?.text === "string"
      ? { id, at: Number(found.at), name: String(found.name), text: found.text }
      : null;
  } catch {
    return null; // storage is off, or holds what another program wrote
  }
}

/** All of them, the latest first. @returns {Draft[]} */
export function drafts() {
  try {
    const ids = Object.keys(localStorage).flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []));
    return ids.flatMap((id) => draft(id) ?? []).sort((one, other) => other.at - one.at);
  } catch {
    return [];
  }
}

/** Keep a study; whether that was possible. @param {string} id @param {string} name @param {string} text */
export function keep(id, name, text) {
  const write = () => localStorage.setItem(PREFIX + id, JSON.stringify({ at: Date.now(), name, text }));
  try {
    write();
  } catch {
    const oldest = drafts()
      .filter((one) => one.id !== id)
      .at(-1);
    if (!oldest) return false; // storage is off, or this study alone is too large for it
    drop(oldest.id);
    return keep(id, name, text);
  }
  for (const { id: old } of drafts().slice(KEEP)) drop(old);
  return true;
}

/** Be told when another window keeps a study. @param {(id: string) => void} hears */
export function onRewritten(hears) {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key?.startsWith(PREFIX) && newValue !== null) hears(key.slice(PREFIX.length));
  });
}

/** @param {string} id */
export function drop(id) {
  localStorage.removeItem(PREFIX + id);
}
