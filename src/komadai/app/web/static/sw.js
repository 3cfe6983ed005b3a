// @ts-check
/**
 * The service worker. Of a static site: what a server does for the pages. Its own files come from the cache, answers that
 * depend on no state from a pack made at the export, and everything else from the tab that has the worker with Python.
 * Of a server: what was opened comes from the cache where the server cannot be reached. A classic script.
 */

(() => {
  /** @typedef {{ path: string, bytes: number, raw: number, type: string, gzip: boolean, when: "start" | "demand" }} Entry */
  /** @typedef {{ path: string, language: string | null, headers: number, at: number, length: number }} Packed */

  const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
  const ROOT = new URL("./", location.href).pathname;
  const VERSION = "@VERSION@";
  const SITE = /** @type {string} */ ("@FROM@") === "site";
  const SHELLS = `komadai ${ROOT} shell `;
  const SHELL = SHELLS + VERSION;
  const FILES = `komadai ${ROOT} files`;
  const OWN = [
    "index.html shell.css early.js shell.js words.js socket.js worker.js engine.js lent.js python.js files.json",
    "manifest.webmanifest icons/icon.svg icons/icon-192.png",
  ].flatMap((names) => names.split(" "));
  const PACK = "answers.pack";
  const AGAIN = 503; // the status of an answer that a request may be sent again for

  // --- Files ---

  /** @type {Promise<Record<string, Entry>> | null} */
  let manifest = null;

  /** The large files by logical name. */
  async function entries() {
    manifest ??= (async () => {
      const kept =
        (await caches.match(`${ROOT}files.json`, { cacheName: SHELL })) ??
        (await fetch(`${ROOT}files.json`, { cache: "no-cache" }));
      return (await kept.json()).files;
    })();
    return manifest.catch((error) => {
      manifest = null;
      throw error;
    });
  }

  /** Bytes fetched of the files that the start needs, by name. @type {Map<string, number>} */
  const fetched = new Map();

  /** Tell the shells how far the start is. @param {string} name @param {number} bytes */
  async function report(name, bytes) {
    const all = await entries();
    if (all[name]?.when !== "start") return;
    fetched.set(name, bytes);
    const started = Object.entries(all).filter(([, { when }]) => when === "start");
    const [done, whole] = [
      started.reduce((sum, [one]) => sum + (fetched.get(one) ?? 0), 0),
      started.reduce((sum, [, { bytes: size }]) => sum + size, 0),
    ];
    for (const shell of await shells()) shell.postMessage({ t: "progress", done, whole });
  }

  /** The body of a response, whose progress is reported. @param {Response} response @param {string} name */
  async function bodyOf(response, name) {
    let bytes = 0;
    const counting = new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.length;
        void report(name, bytes);
        controller.enqueue(chunk);
      },
    });
    return new Uint8Array(await new Response(response.body?.pipeThrough(counting)).arrayBuffer());
  }

  /** Fetch a file, unpack it and keep it. @param {string} name @param {Entry} entry */
  async function fetchFile(name, { path, raw, type }) {
    const answer = await fetch(ROOT + path);
    if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
    let body = await bodyOf(answer, name);
    // Some hosts say of a packed file that it is an encoding, and browsers then unpack it.
    if (body[0] === 0x1f && body[1] === 0x8b) {
      const unpacked = new Blob([body]).stream().pipeThrough(new DecompressionStream("gzip"));
      body = new Uint8Array(await new Response(unpacked).arrayBuffer());
    }
    if (body.length !== raw) throw new Error(`${path}: ${body.length} bytes instead of ${raw}`);
    const made = new Response(body, { headers: { "content-type": type, "content-length": String(raw) } });
    const cache = await caches.open(FILES);
    await cache.put(ROOT + path, made.clone()).catch(noRoom);
    return made;
  }

  /** Files that are being fetched. @type {Map<string, Promise<Response>>} */
  const fetching = new Map();

  /** A large file, by its logical name; `null` if there is none of that name. @param {string} name */
  async function file(name) {
    const entry = (await entries())[name];
    if (!entry) return null;
    const kept = await caches.match(ROOT + entry.path, { cacheName: FILES });
    if (kept) {
      void report(name, entry.bytes);
      return kept;
    }
    const work = fetching.get(name) ?? fetchFile(name, entry);
    fetching.set(name, work);
    try {
      return (await work).clone();
    } finally {
      fetching.delete(name);
    }
  }

  /** A small file of the site. @param {string} name */
  async function own(name) {
    const kept = await caches.match(ROOT + name, { cacheName: SHELL });
    if (!kept && OWN.includes(name)) void noRoom();
    return kept ?? fetch(ROOT + name);
  }

  /** Tell the shells that not all files could be kept here. */
  async function noRoom() {
    for (const shell of await shells(true)) shell.postMessage({ t: "room" });
  }

  /** With the headers that let pages and workers share memory. @param {Response} response */
  function isolated(response) {
    const headers = new Headers(response.headers);
    headers.set("cross-origin-opener-policy", "same-origin");
    headers.set("cross-origin-embedder-policy", "require-corp");
    headers.set("cross-origin-resource-policy", "same-origin");
    return new Response(response.body, { status: response.status, headers });
  }

  /** The shell, at whatever address; its first paint is that of the home page. @param {string} path */
  async function shellPage(path) {
    const page = await own("index.html");
    let text = (await page.text()).replaceAll('="./', `="${ROOT}`);
    if (path !== "") text = text.replace(/<!--paint-->[\s\S]*<!--\/paint-->/, "");
    return new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } });
  }

  // --- Answers from the pack ---

  /** @type {Promise<(path: string, language: string) => Response | null> | null} */
  let pack = null;

  async function readPack() {
    const response = await file(PACK);
    if (!response) throw new Error(`files.json names no ${PACK}`);
    const data = await response.arrayBuffer();
    const length = new DataView(data).getUint32(0, true);
    /** @type {{ headers: [string, string][][], answers: Packed[] }} */
    const { headers, answers } = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    /** @type {Map<string, Packed[]>} */
    const exact = new Map();
    /** @type {[RegExp, Packed][]} */
    const patterns = [];
    for (const answer of answers) {
      if (answer.path.includes("{")) {
        const source = answer.path
          .split("/")
          .map((part) => (part.startsWith("{") ? "[^/]+" : part))
          .join("/");
        patterns.push([new RegExp(`^${source}$`), answer]);
      } else exact.set(answer.path, [...(exact.get(answer.path) ?? []), answer]);
    }
    return (/** @type {string} */ path, /** @type {string} */ language) => {
      const same = exact.get(path) ?? [];
      const found =
        same.find((one) => one.language === null || one.language === language) ??
        same.find((one) => one.language === language.split("-")[0]) ??
        same.find((one) => one.language === "en") ??
        patterns.find(([pattern]) => pattern.test(path))?.[1];
      if (!found) return null;
      const body = new Uint8Array(data, 4 + length + found.at, found.length);
      return new Response(body, { headers: headers[found.headers] ?? [] });
    };
  }

  /** @param {string} path @param {string} language */
  async function packed(path, language) {
    pack ??= readPack();
    try {
      return (await pack)(path, language);
    } catch (error) {
      pack = null;
      throw error;
    }
  }

  // --- Answers from the tab with Python ---

  /** The client whose tab has the worker, and the name of that worker. */
  let [leader, leaderName] = ["", ""];
  /** @type {(() => void)[]} */
  const waiting = [];
  /** What becomes of requests whose answers are awaited, if their worker goes. @type {Map<() => void, string>} */
  const awaited = new Map();

  /** @param {boolean} [includeUncontrolled] those of the version before this one, too */
  async function shells(includeUncontrolled = false) {
    const all = await scope.clients.matchAll({ type: "window", includeUncontrolled });
    return all.filter(({ frameType }) => frameType === "top-level");
  }

  /** The tab with the worker, when there is one. */
  async function leading() {
    for (;;) {
      const known = leader && (await scope.clients.get(leader));
      if (known) return known;
      leader = "";
      const news = new Promise((/** @type {(value?: unknown) => void} */ done) => waiting.push(done));
      for (const shell of await shells()) shell.postMessage({ t: "who" });
      await news;
    }
  }

  /** A tab says that it has the worker. @param {string} client @param {string} name */
  async function led(client, name) {
    const former = leaderName;
    [leader, leaderName] = [client, name];
    for (const done of waiting.splice(0)) done();
    for (const [lost, of] of [...awaited]) if (of !== name) lost();
    if (former === name) return;
    for (const one of await scope.clients.matchAll({ type: "window" })) one.postMessage({ t: "led", name });
  }

  /**
   * Ask the worker; `null` if it went before it had answered.
   * @param {{ method: string, path: string, headers: [string, string][], body: Uint8Array }} request
   * @returns {Promise<{ status: number, headers: [string, string][], body: Uint8Array<ArrayBuffer> } | null>}
   */
  async function attempt(request) {
    const tab = await leading();
    const channel = new MessageChannel();
    return new Promise((done) => {
      const lost = () => {
        awaited.delete(lost);
        done(null);
      };
      awaited.set(lost, leaderName);
      channel.port1.onmessage = ({ data }) => {
        awaited.delete(lost);
        channel.port1.close();
        done(data);
      };
      tab.postMessage({ t: "request", request }, [channel.port2]);
    });
  }

  /** @param {Request} request @param {URL} url */
  async function ask(request, url) {
    const body = new Uint8Array(await request.arrayBuffer());
    const headers = /** @type {[string, string][]} */ ([...request.headers]);
    const asked = { method: request.method, path: `/${url.pathname.slice(ROOT.length)}${url.search}`, headers, body };
    for (;;) {
      const answer = await attempt(asked);
      if (answer) {
        const bare = [204, 304].includes(answer.status);
        return new Response(bare ? null : answer.body, { status: answer.status, headers: answer.headers });
      }
      if (request.method !== "GET")
        return new Response('{"error":"Komadai moved to another tab; try again."}', {
          status: AGAIN,
          headers: { "content-type": "application/json" },
        });
    }
  }

  // --- Pages of a server ---

  const OFFLINE = `${ROOT}offline`;
  const ANSWERS = `komadai ${ROOT} answers`;
  const MOST_ANSWERS = 1000;
  /** Interfaces whose answers are the same for everybody. */
  const PUBLIC = /^api\/(?:bots|engines|hardest|lessons|puzzles|rules|shelf|study|tables|variants)(?:\/|$)/;
  /** Questions whose answers depend on nothing but them. */
  const JUDGED = /^api\/(?:(?:lessons|puzzles)\/|positions$)/;
  const STATIC = /^static\/[0-9a-f]{16}\//;

  /** Whether it may be answered from what is kept. @param {Request} request @param {string} name its path below ROOT */
  function isKept(request, name) {
    if (request.method === "POST") return JUDGED.test(name);
    const page = request.mode === "navigate" && !name.startsWith("api/");
    return request.method === "GET" && (page || STATIC.test(name) || PUBLIC.test(name));
  }

  /**
   * The cache for an answer, and its address there. Pages with as many names in their addresses are one document.
   * @param {Request} request @param {URL} url @returns {Promise<[string, string]>}
   */
  async function placeOf(request, url) {
    const name = url.pathname.slice(ROOT.length);
    if (STATIC.test(name)) return [SHELL, url.pathname];
    if (request.method === "POST") {
      const asked = new TextEncoder().encode(`${name}\n${await request.clone().text()}`);
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", asked));
      return [ANSWERS, `${ROOT}asked/${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`];
    }
    if (PUBLIC.test(name) || name.startsWith("print/")) return [ANSWERS, url.pathname + url.search];
    const [first = "", ...more] = name.split("/");
    return [SHELL, ROOT + [first, ...more.map(() => "-")].join("/")];
  }

  /** Keep an answer, and of those to questions only the latest. @param {[string, string]} place @param {Response} response */
  async function keep([name, address], response) {
    const cache = await caches.open(name);
    try {
      if (name === ANSWERS) await cache.delete(address); // what is put anew is the last
      await cache.put(address, response);
    } catch {
      return; // there is no room, so it has to be asked for again
    }
    if (name !== ANSWERS) return;
    const all = await cache.keys();
    for (const old of all.slice(0, -MOST_ANSWERS)) await cache.delete(old);
  }

  /** @param {FetchEvent} event @param {URL} url */
  async function served(event, url) {
    const { request } = event;
    const place = await placeOf(request, url);
    const kept = () => caches.match(place[1], { cacheName: place[0] });
    const still = place[1] === url.pathname && STATIC.test(url.pathname.slice(ROOT.length)) && (await kept());
    if (still) return still;
    try {
      const response = (await event.preloadResponse) ?? (await fetch(request.clone()));
      if (response.status === 200) event.waitUntil(keep(place, response.clone()));
      return response;
    } catch (error) {
      const found = await kept();
      if (found) return found;
      if (request.mode === "navigate") return Response.redirect(OFFLINE);
      throw error;
    }
  }

  /** Keep what is at an address, if there is something for everybody. @param {string} address */
  async function take(address) {
    const [request, url] = [new Request(address), new URL(address, location.href)];
    const name = url.pathname.slice(ROOT.length);
    if (
      url.origin !== location.origin ||
      !url.pathname.startsWith(ROOT) ||
      /^(?:api|socket)/.test(name) !== PUBLIC.test(name)
    )
      return null;
    const place = await placeOf(request, url);
    const kept = STATIC.test(name) && (await caches.match(place[1], { cacheName: place[0] }));
    if (kept) return kept;
    const response = await fetch(request);
    if (response.status !== 200) return null;
    await keep(place, response.clone());
    return response;
  }

  /** Keep a page with its files. @param {string} address */
  async function takePage(address) {
    const text = (await (await take(address))?.text()) ?? "";
    const names = [...text.matchAll(/(?:href|src)="([^"]*\bstatic\/[^"]+)"/g)].map(([, found]) => found ?? "");
    await Promise.all(names.map((found) => take(new URL(found, new URL(address, location.href)).href)));
  }

  /** Keep the page for want of others, and in this version what was kept in the former one; it stays if that fails. */
  async function installServed() {
    await takePage(OFFLINE);
    for (const name of (await caches.keys()).filter((one) => one.startsWith(SHELLS) && one !== SHELL)) {
      for (const response of await (await caches.open(name)).matchAll()) {
        const { pathname, href } = new URL(response.url);
        const path = pathname.slice(ROOT.length);
        if (STATIC.test(path)) await take(ROOT + path.replace(STATIC, `static/${VERSION}/`));
        else await takePage(href);
      }
    }
    await scope.skipWaiting(); // pages come from the server, so the old ones work with the new worker
  }

  // --- Events ---

  /** Pages of the frame begin with a script of the shell. @param {Response} response */
  async function withScript(response) {
    if (!response.headers.get("content-type")?.startsWith("text/html")) return response;
    const text = (await response.text()).replace("<head>", `<head><script src="${ROOT}socket.js"></script>`);
    const headers = new Headers(response.headers);
    for (const name of ["content-length", "etag"]) headers.delete(name);
    return new Response(text, { status: response.status, headers });
  }

  /** @param {Request} request @param {URL} url */
  async function answer(request, url) {
    const name = url.pathname.slice(ROOT.length);
    if (request.mode === "navigate" && request.destination === "document") {
      if (name === "licences.txt") return own(name);
      return isolated(await shellPage(name.replace(/^index\.html$/, "")));
    }
    if (OWN.includes(name) || name === "licences.txt" || name.startsWith("icons/")) return isolated(await own(name));
    if (request.method !== "GET") return ask(request, url);
    const large = await file(decodeURIComponent(name));
    if (large) return isolated(large);
    // A worker waits for this answer, so that it could not be asked for it.
    if (name.startsWith("lent/")) return new Response(null, { status: 404 });
    const path = `/${decodeURIComponent(name).replace(/(?<=.)\/$/, "")}`;
    const [language = ""] = (request.headers.get("accept-language") || navigator.language).split(/[,;]/);
    const known = url.search && path.startsWith("/api/") ? null : await packed(path, language);
    return withScript(known ?? (await ask(request, url)));
  }

  scope.addEventListener("fetch", (event) => {
    const url = new URL(event.request.url);
    if (url.origin !== location.origin || !url.pathname.startsWith(ROOT)) return;
    if (!SITE) {
      if (isKept(event.request, url.pathname.slice(ROOT.length))) event.respondWith(served(event, url));
      return;
    }
    event.respondWith(
      answer(event.request, url).catch(
        (error) => new Response(String(error), { status: 504, headers: { "content-type": "text/plain" } }),
      ),
    );
  });

  /** The small files by name, all of this version. */
  async function fetchOwn() {
    const answers = await Promise.all(
      OWN.map(async (name) => {
        // A host that compares times alone may say that nothing has changed.
        const answer = await fetch(ROOT + name, { cache: "reload" });
        if (!answer.ok) throw new Error(`${name}: HTTP ${answer.status}`);
        return /** @type {const} */ ([name, answer]);
      }),
    );
    const about = await answers
      .find(([name]) => name === "files.json")?.[1]
      .clone()
      .json();
    // They may be looked at while they are being replaced on the host: it is tried again at the next visit.
    if (about.version !== VERSION) throw new Error(`sw.js is of version ${VERSION}, files.json of ${about.version}`);
    return answers;
  }

  /** Keep the small files; whether there was room. @param {(readonly [string, Response])[]} answers */
  async function keepOwn(answers) {
    try {
      const cache = await caches.open(SHELL);
      await Promise.all(answers.map(([name, answer]) => cache.put(ROOT + name, answer)));
      return true;
    } catch {
      await caches.delete(SHELL).catch(() => {});
      return false;
    }
  }

  /**
   * Keep the small files and, where there is a former version, all that the start needs. Without the room for both, the
   * former version stays; without the room for one, files are fetched whenever they are needed.
   */
  async function install() {
    const former = (await caches.keys()).some((name) => name.startsWith(SHELLS) && name !== SHELL);
    let kept = await keepOwn(await fetchOwn());
    const needed = Object.entries(await entries()).filter(([, { when }]) => when === "start");
    await Promise.all(needed.filter(([name]) => former || name === PACK).map(([name]) => file(name)));
    for (const [, { path }] of former ? needed : [])
      kept &&= Boolean(await caches.match(ROOT + path, { cacheName: FILES }));
    if (kept || !former) return;
    await caches.delete(SHELL);
    await noRoom();
    throw new Error("there is no room for this version beside the one in use");
  }

  /** Say why there is no service worker: pages are not its clients yet. @param {Error} error @returns {Promise<never>} */
  async function notInstalled(error) {
    for (const page of await scope.clients.matchAll({ type: "window", includeUncontrolled: true }))
      page.postMessage({ t: "failed", why: error.message });
    throw error;
  }

  /** Forget what belongs to former versions. */
  async function activate() {
    for (const name of await caches.keys()) if (name.startsWith(SHELLS) && name !== SHELL) await caches.delete(name);
    if (!SITE) await scope.registration.navigationPreload?.enable();
    else await forgetFiles();
    await scope.clients.claim();
  }

  /** Forget the large files that this version does not name. */
  async function forgetFiles() {
    const kept = new Set(Object.values(await entries()).map(({ path }) => ROOT + path));
    const cache = await caches.open(FILES);
    for (const { url } of await cache.keys()) if (!kept.has(new URL(url).pathname)) await cache.delete(url);
  }

  scope.addEventListener("install", (event) => event.waitUntil(SITE ? install().catch(notInstalled) : installServed()));
  scope.addEventListener("activate", (event) => event.waitUntil(activate()));
  scope.addEventListener("message", (event) => {
    const { data, source, ports } = event;
    if (data.t === "leader" && source instanceof Client) event.waitUntil(led(source.id, data.name));
    else if (data.t === "socket") {
      const path = `/${data.path.slice(ROOT.length)}`;
      event.waitUntil(leading().then((tab) => tab.postMessage({ ...data, path }, [...ports])));
    } else if (data.t === "visited") event.waitUntil(Promise.allSettled(data.urls.map(take)));
    else if (data.t === "forget") event.waitUntil(caches.delete(ANSWERS));
    else if (data.t === "activate") event.waitUntil(scope.skipWaiting());
    else if (data.t === "claim") event.waitUntil(scope.clients.claim());
  });
})();
