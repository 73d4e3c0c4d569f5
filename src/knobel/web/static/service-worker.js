/* Lets the page open without the server. The server fills in version and files when it hands it out.

   What the server says always comes first, so nobody sees an old version while it can be reached; only fonts, whose
   names change with their content, are taken from here at once. */

const worker = /** @type {WorkerScope} */ (/** @type {unknown} */ (self));
const FILES = /** @type {string[]} */ (/** @type {unknown} */ ("@FILES"));
const CACHE = "knobel-@VERSION";
const SHELL = "/";
const KEPT_ANSWERS = ["/api/hello", "/api/words", "/api/editions", "/api/rules", "/api/bots", "/api/rooms"];

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetchFirst(request, SHELL));
  else if (url.pathname.startsWith("/static/fonts/")) event.respondWith(keepFirst(request));
  else if (url.pathname.startsWith("/static/") || KEPT_ANSWERS.includes(url.pathname))
    event.respondWith(fetchFirst(request, request.url));
});

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll([SHELL, ...FILES].map((file) => new Request(file, { cache: "no-cache" })));
  await worker.skipWaiting();
}

// Answers of the server that were kept by the version before are kept on; its files go.
async function activate() {
  const cache = await caches.open(CACHE);
  const old = (await caches.keys()).filter((name) => name.startsWith("knobel-") && name !== CACHE);
  for (const name of old) {
    const before = await caches.open(name);
    for (const request of await before.keys()) {
      const answer = KEPT_ANSWERS.includes(new URL(request.url).pathname) && (await before.match(request));
      if (answer) await cache.put(request, answer);
    }
    await caches.delete(name);
  }
  await worker.clients.claim();
}

/**
 * Asks the server, and remembers what it says; without it, what was said before.
 * @param {Request} request
 * @param {string} key
 */
async function fetchFirst(request, key) {
  try {
    const answer = await fetch(request);
    if (answer.status === 200) {
      const cache = await caches.open(CACHE);
      await cache.put(key, answer.clone());
    }
    return answer;
  } catch (error) {
    const kept = await caches.match(key);
    if (kept) return kept;
    throw error;
  }
}

/** @param {Request} request */
async function keepFirst(request) {
  return (await caches.match(request)) ?? fetchFirst(request, request.url);
}
