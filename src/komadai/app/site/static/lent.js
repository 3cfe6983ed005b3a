// @ts-check
/** What a worker lends Python: files of the browser, and those of the package that are fetched when needed. */

const NAMES = ["games-a.log", "games-b.log"];
const TRIES = 100; // while the tab that had the files before is being closed
const PAUSE = 100; // milliseconds

/**
 * Open a file of this site for this worker alone.
 * @param {FileSystemDirectoryHandle} folder @param {string} name @returns {Promise<any>}
 */
async function opened(folder, name) {
  const file = /** @type {any} */ (await folder.getFileHandle(name, { create: true }));
  for (let tries = 0; ; tries++) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      const busy = error instanceof DOMException && error.name === "NoModificationAllowedError";
      if (!busy || tries === TRIES) throw error;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}

/** A file as Python uses it. @param {any} handle */
function lent(handle) {
  return {
    size: () => handle.getSize(),
    read(/** @type {number} */ at, /** @type {number} */ length) {
      const data = new Uint8Array(length);
      return data.subarray(0, handle.read(data, { at }));
    },
    write(/** @type {number} */ at, /** @type {any} */ data) {
      const view = data.getBuffer("u8");
      try {
        let done = 0;
        while (done < view.data.length) {
          const wrote = handle.write(view.data.slice(done), { at: at + done });
          if (!wrote) throw new DOMException("the file takes no more", "QuotaExceededError");
          done += wrote;
        }
      } finally {
        view.release();
      }
    },
    truncate: (/** @type {number} */ size) => handle.truncate(size),
    flush: () => handle.flush(),
    close: () => handle.close(),
  };
}

/** The two files for the games; none where the browser lends none. @param {string} root the folder of the site */
export async function files(root) {
  let folder;
  try {
    folder = await navigator.storage.getDirectory();
    const name = root.replaceAll("/", "|");
    folder = await folder.getDirectoryHandle(`komadai${name}`, { create: true });
  } catch {
    return [];
  }
  return Promise.all(NAMES.map(async (name) => lent(await opened(folder, name))));
}

/** The bytes that the browser still gives, and those that it gives in all. */
export class Room {
  constructor() {
    /** @type {[number, number] | undefined} */
    this.known = undefined;
    void this.look();
    setInterval(() => void this.look(), 30_000);
  }

  async look() {
    const { quota, usage = 0 } = await navigator.storage.estimate();
    if (quota) this.known = [Math.max(0, quota - usage), quota];
  }
}

/** When a file was last asked for in vain. @type {Map<string, number>} */
const missed = new Map();
const MISSED_FOR = 30_000; // milliseconds

/**
 * The contents of a file of the package, a solved game or a net; at once, so that Python can wait for it.
 * @param {string} root @param {string} name @returns {Uint8Array | undefined}
 */
export function shipped(root, name) {
  if (Date.now() - (missed.get(name) ?? Number.NEGATIVE_INFINITY) < MISSED_FOR) return undefined;
  const asked = new XMLHttpRequest();
  asked.open("GET", `${root}lent/${encodeURIComponent(name)}`, false);
  asked.responseType = "arraybuffer";
  try {
    asked.send();
    if (asked.status === 200) return new Uint8Array(asked.response);
  } catch {
    // there is no connection
  }
  missed.set(name, Date.now());
  return undefined;
}
