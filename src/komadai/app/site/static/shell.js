// @ts-check
/**
 * The page around the pages. It stays while they change in its frame, so that Python, in a worker of this page, need not
 * start again. Of several tabs one has the worker; when it is closed, the next takes over.
 */

import { language, words } from "./words.js";

/** @import { Word } from "./words.js" */

const ROOT = new URL(".", import.meta.url).pathname;
const TRIED = "komadai.isolated"; // in sessionStorage: the page has been loaded again for the sake of isolation
const NAME = Math.random().toString(36).slice(2);

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("page"));
const bar = byId("shell-bar");
const progress = /** @type {HTMLProgressElement} */ (byId("shell-progress"));

/** What has happened when, in milliseconds since the page was opened; read by bench/tab.py. @type {Record<string, number>} */
const marks = {};
Object.assign(window, { marks });
/** @param {string} name */
const mark = (name) => {
  marks[name] ??= performance.now();
};

/** Subjects of notices, the most pressing first: the bar has room for one. */
const SUBJECTS = /** @type {const} */ (["start", "update", "fault", "games", "room"]);
/** @typedef {{ said: string, share?: number, act?: [string, () => void], close?: boolean }} Notice */
/** What is to be said. @type {Map<typeof SUBJECTS[number], Notice>} */
const notices = new Map();

/**
 * Say something in the bar, as soon as nothing more pressing is there.
 * @param {typeof SUBJECTS[number]} subject
 * @param {Notice | null} notice the words, the share of the way, a button; `null`: it is over
 */
function say(subject, notice) {
  if (notice) notices.set(subject, notice);
  else notices.delete(subject);
  const shown = SUBJECTS.find((one) => notices.has(one));
  const { said = "", share, act, close = false } = (shown && notices.get(shown)) ?? {};
  bar.hidden = !said;
  if (byId("shell-words").textContent !== said) byId("shell-words").textContent = said;
  progress.hidden = share === undefined;
  if (share !== undefined) progress.value = share;
  const button = byId("shell-act");
  button.hidden = !act;
  button.textContent = act?.[0] ?? "";
  button.onclick = act?.[1] ?? null;
  byId("shell-close").hidden = !close;
  byId("shell-close").ariaLabel = words("close");
  byId("shell-close").onclick = () => shown && say(shown, null);
}

/** @param {unknown} why */
function fail(why) {
  const reason = why instanceof Error ? why.message : String(why);
  say("start", null);
  say("fault", {
    said: navigator.onLine ? words("failed", { why: reason }) : words("offline"),
    act: [words("again"), () => location.reload()],
  });
}

/** What this browser lacks. @returns {Word | null} */
function lack() {
  if (!("serviceWorker" in navigator)) return "noWorker";
  const has = "DecompressionStream" in window && typeof WebAssembly === "object" && "locks" in navigator;
  return has && CSS.supports("color", "light-dark(red, red)") ? null : "old";
}

/** Wait until the service worker has this page. @param {ServiceWorkerRegistration} registration */
async function controlled(registration) {
  let why = words("files");
  const listen = (/** @type {MessageEvent} */ { data }) => {
    if (data.t === "failed") why = data.why;
  };
  const failed = new Promise((_, lost) => {
    const { installing } = registration;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "redundant") setTimeout(() => lost(new Error(why)), 500); // the reason may come later
    });
  });
  navigator.serviceWorker.addEventListener("message", listen);
  await Promise.race([navigator.serviceWorker.ready, failed]);
  navigator.serviceWorker.removeEventListener("message", listen);
  if (navigator.serviceWorker.controller) return;
  const changed = new Promise((done) => {
    navigator.serviceWorker.addEventListener("controllerchange", done, { once: true });
  });
  registration.active?.postMessage({ t: "claim" }); // after a forced reload the page is without
  await changed;
}

/** Load the page again if it can share memory with its workers then; returns whether it does. */
function isolate() {
  if (crossOriginIsolated) return false;
  try {
    if (sessionStorage.getItem(TRIED)) return false;
    sessionStorage.setItem(TRIED, "1");
  } catch {
    return false;
  }
  location.reload();
  return true;
}

/** Offer new versions. @param {ServiceWorkerRegistration} registration */
function watchUpdates(registration) {
  const offer = () => {
    const { waiting } = registration;
    if (waiting && navigator.serviceWorker.controller)
      say("update", {
        said: words("update"),
        act: [words("reload"), () => waiting.postMessage({ t: "activate" })],
        close: true,
      });
  };
  const follow = () => registration.installing?.addEventListener("statechange", offer);
  registration.addEventListener("updatefound", follow);
  follow();
  offer();
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  setInterval(() => void registration.update().catch(() => {}), 3_600_000);
}

/** Show the page that the address names, and keep address and title as those of the page. */
function show() {
  const to = new URLSearchParams(location.search).get("to");
  const asked = to === null ? location.pathname + location.search : ROOT + to;
  const follow = () => {
    const inside = frame.contentWindow?.location;
    if (inside?.href.startsWith(location.origin)) history.replaceState(null, "", inside.href);
  };
  addEventListener("moved", follow);
  frame.addEventListener("load", () => {
    mark("shown");
    follow();
    const page = frame.contentDocument;
    const title = page?.querySelector("title");
    const name = () => {
      document.title = page?.title ?? "Komadai";
      document.documentElement.lang = page?.documentElement.lang ?? "en";
    };
    name();
    if (title) new MutationObserver(name).observe(title, { childList: true });
    frame.hidden = false;
    frame.contentWindow?.focus();
  });
  frame.src = location.origin + asked + location.hash; // a path may begin with two slashes, as do addresses elsewhere
}

/** Have the worker in this tab. */
function lead() {
  const worker = new Worker(`${ROOT}worker.js`, { type: "module" });
  const announce = () => navigator.serviceWorker.controller?.postMessage({ t: "leader", name: NAME });
  let ready = false;
  worker.addEventListener("error", ({ message }) => fail(message));
  worker.addEventListener("message", ({ data }) => {
    if (data.t === "ready") {
      ready = true;
      mark("ready");
      Object.assign(marks, data.marks);
      say("start", null);
      if (data.volatile) say("games", { said: words("volatile"), close: true });
    } else if (data.t === "engine") mark("engine");
    else if (data.t === "failed") fail(data.why);
  });
  worker.postMessage({ t: "begin", name: NAME });
  navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
    if (data.t === "who") announce();
    else if (data.t === "progress" && !ready) {
      const { done, whole } = data;
      const share = `${Math.round((100 * done) / whole)} %`;
      say("start", { said: done < whole ? words("loading", { done: share }) : words("starting"), share: done / whole });
    } else if (data.t === "request" || data.t === "socket") {
      if (data.request?.method === "POST" && data.request.path === "/api/games") void navigator.storage?.persist?.();
      worker.postMessage({ ...data, language: language() }, [...ports]);
    }
  });
  say("start", { said: words("starting"), share: 0 });
  announce();
}

async function main() {
  if (parent !== window) {
    const own = /** @type {[string, () => void]} */ ([words("window"), () => void open(location.href, "_blank")]);
    return say("fault", { said: words("framed"), act: own });
  }
  const missing = lack();
  if (missing) return say("fault", { said: words(missing) });
  const registration = await navigator.serviceWorker.register(`${ROOT}sw.js`, { scope: ROOT, updateViaCache: "none" });
  await controlled(registration);
  mark("controlled");
  if (isolate()) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data.t === "room") say("room", { said: words("room"), close: true });
  });
  navigator.serviceWorker.startMessages();
  show();
  watchUpdates(registration);
  // The lock is kept until the tab is closed; a browser neither freezes nor discards a page that has one lightly.
  void navigator.locks.request(`komadai ${ROOT}`, () => {
    lead();
    return new Promise(() => {});
  });
}

main().catch(fail);
