import { pageUser } from './page-user.js';

/**
 * Ask the service worker to cache this page and its files. On the first visit they were loaded before the
 * service worker ran.
 */
export async function cachePage() {
  const { active } = (await navigator.serviceWorker?.ready) ?? {};
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  active?.postMessage([location.pathname, ...files.filter((name) => name.includes('/assets/console/'))]);
}

navigator.serviceWorker
  ?.register('/assets/console/gate-worker.js', { scope: '/app/gate/' })
  .then(cachePage, () => undefined);

/** The user or tablet of this page, and the turn of the worker. The cached page must show the same ones. */
const currentUser = () => `${pageUser().owner} ${pageUser().turn}`;
let cachedUser = currentUser();
export function cachePageForNewUser() {
  if (cachedUser === currentUser()) return;
  cachedUser = currentUser();
  cachePage();
}

async function stayAwake() {
  if (document.visibilityState !== 'visible') return;
  await navigator.wakeLock?.request('screen').catch(() => undefined);
}
document.addEventListener('visibilitychange', stayAwake);
stayAwake();
