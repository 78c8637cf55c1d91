/** Service worker that shows the last version of gate pages without a connection. Each update of a page replaces it. */
const CACHE = 'gate-1';
/** Cache of lists: the path of a page → the URLs of its files. */
const LISTS = 'gate-files-1';
/** Timeout after which the cached page is shown. */
const FALLBACK_AFTER_MS = 4_000;
/** After a page came from the cache, its files come from there for this long, without trying the network. */
const LOST_MS = 15_000;
let lost = 0;
const PAGE = /^\/app\/gate\/[0-9a-f-]{36}(\/scan)?$/;

addEventListener('install', () => self.skipWaiting());
addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

addEventListener('message', (event) => event.waitUntil(keep(...event.data)));

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (PAGE.test(pathname) && search === '')
    event.respondWith(request.mode === 'navigate' ? page(event) : fetchAndKeep(event));
  else if (pathname.startsWith('/assets/console/')) event.respondWith(asset(request));
});

/** Cache a page and its files. */
async function keep(path, ...files) {
  const [cache, lists] = await Promise.all([caches.open(CACHE), caches.open(LISTS)]);
  for (const url of [path, ...files]) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok && !answer.redirected) await cache.put(url, answer);
  }
  await lists.put(path, Response.json(files));
  await dropUnused(cache, lists);
}

/**
 * Delete shared script files of former deployments that no cached page uses. Their names contain a hash, so
 * no new file replaces them.
 */
async function dropUnused(cache, lists) {
  const files = await Promise.all((await lists.matchAll()).map((list) => list.json()));
  const named = new Set(files.flat());
  const shared = (await cache.keys()).filter(({ url }) => url.includes('/assets/console/shared/'));
  await Promise.all(shared.filter(({ url }) => !named.has(url)).map((request) => cache.delete(request)));
}

/** Fetch a page and cache it. A page that the user may no longer see leaves the cache. */
async function fetchAndKeep(event, options) {
  const answer = await fetch(event.request, options);
  const { pathname } = new URL(event.request.url);
  // Navigation requests return redirects unfollowed. A redirect leads to the sign-in.
  const isRefused =
    answer.redirected || answer.type === 'opaqueredirect' || [403, 404].includes(answer.status);
  if (isRefused)
    await Promise.all([CACHE, LISTS].map(async (name) => (await caches.open(name)).delete(pathname)));
  else if (answer.ok) {
    const copy = answer.clone();
    event.waitUntil(caches.open(CACHE).then((cache) => cache.put(pathname, copy)));
  }
  return answer;
}

async function page(event) {
  const { request } = event;
  try {
    return await fetchAndKeep(event, { signal: AbortSignal.timeout(FALLBACK_AFTER_MS) });
  } catch (error) {
    const cached = await (await caches.open(CACHE)).match(new URL(request.url).pathname);
    if (!cached) throw error;
    lost = Date.now();
    return asCached(cached);
  }
}

/** Mark a page as cached, so that its scripts do not show it as current. */
async function asCached(cached) {
  const headers = new Headers(cached.headers);
  // The body is already decoded.
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name);
  const html = await cached.text();
  return new Response(html.replace('<div id="live"', '<div id="live" data-cached=""'), { headers });
}

async function asset(request) {
  const cache = await caches.open(CACHE);
  // The page came from the cache, so load its files from the cache at once.
  if (Date.now() - lost < LOST_MS) {
    const cached = await cache.match(request, { ignoreSearch: true });
    if (cached) return cached;
  }
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(FALLBACK_AFTER_MS) });
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const cached = await cache.match(request, { ignoreSearch: true });
    if (cached) return cached;
    throw error;
  }
}
