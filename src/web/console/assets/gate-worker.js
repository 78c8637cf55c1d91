/** Service worker that lets the pages of gates load without a connection, as they were shown last. */
const CACHE = 'gate-1';
/** By the path of a page, the addresses of its files. */
const LISTS = 'gate-files-1';
/** A page that takes longer is shown as it was kept. */
const PATIENCE_MS = 4_000;
/** For this long afterwards its files come from the cache, without trying the connection. */
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

/** Keep a page and its files. */
async function keep(path, ...files) {
  const [cache, lists] = await Promise.all([caches.open(CACHE), caches.open(LISTS)]);
  for (const url of [path, ...files]) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok && !answer.redirected) await cache.put(url, answer);
  }
  await lists.put(path, Response.json(files));
  await dropUnused(cache, lists);
}

/** Delete what scripts shared in former deployments, where no page that is kept names it: such a file is never replaced. */
async function dropUnused(cache, lists) {
  const kept = await Promise.all((await lists.matchAll()).map((list) => list.json()));
  const named = new Set(kept.flat());
  const shared = (await cache.keys()).filter(({ url }) => url.includes('/assets/console/shared/'));
  await Promise.all(shared.filter(({ url }) => !named.has(url)).map((request) => cache.delete(request)));
}

async function page(request) {
  const cache = await caches.open(CACHE);
  const { pathname } = new URL(request.url);
  try {
    // Navigations get redirects unfollowed, for the browser to follow: one to the sign-in means that the kept page is
    // no longer theirs to see.
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (answer.ok) await cache.put(pathname, answer.clone());
    else if (answer.type === 'opaqueredirect' || answer.status === 403 || answer.status === 404) {
      await Promise.all([cache.delete(pathname), caches.open(LISTS).then((lists) => lists.delete(pathname))]);
    }
    return answer;
  } catch (error) {
    const kept = await cache.match(pathname);
    if (!kept) throw error;
    lost = Date.now();
    return kept;
  }
}

async function asset(request) {
  const cache = await caches.open(CACHE);
  // The page came from the cache: so do its files, at once.
  if (Date.now() - lost < LOST_MS) {
    const kept = await cache.match(request);
    if (kept) return kept;
  }
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
}
