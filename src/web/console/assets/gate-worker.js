/** Service worker that shows the last version of gate pages without a connection. */
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
  if (request.mode === 'navigate' && PAGE.test(pathname) && search === '') event.respondWith(page(request));
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

async function page(request) {
  const cache = await caches.open(CACHE);
  const { pathname } = new URL(request.url);
  try {
    // Navigation requests return redirects unfollowed. A redirect to the sign-in means that the user may no
    // longer see the cached page.
    const answer = await fetch(request, { signal: AbortSignal.timeout(FALLBACK_AFTER_MS) });
    if (answer.ok) await cache.put(pathname, answer.clone());
    else if (answer.type === 'opaqueredirect' || answer.status === 403 || answer.status === 404) {
      await Promise.all([cache.delete(pathname), caches.open(LISTS).then((lists) => lists.delete(pathname))]);
    }
    return answer;
  } catch (error) {
    const cached = await cache.match(pathname);
    if (!cached) throw error;
    lost = Date.now();
    return cached;
  }
}

async function asset(request) {
  const cache = await caches.open(CACHE);
  // The page came from the cache, so load its files from the cache at once.
  if (Date.now() - lost < LOST_MS) {
    const cached = await cache.match(request);
    if (cached) return cached;
  }
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(FALLBACK_AFTER_MS) });
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const cached = await cache.match(request);
    if (cached) return cached;
    throw error;
  }
}
