/**
 * Ask the service worker to cache this page and its files. On the first visit they were loaded before the service
 * worker ran. Later it caches each update of the page.
 */
export async function cachePage() {
  const { active } = (await navigator.serviceWorker?.ready) ?? {};
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  active?.postMessage([location.pathname, ...files.filter((name) => name.includes('/assets/console/'))]);
}

navigator.serviceWorker
  ?.register('/assets/console/gate-worker.js', { scope: '/app/gate/' })
  .then(cachePage, () => undefined);

async function stayAwake() {
  if (document.visibilityState !== 'visible') return;
  await navigator.wakeLock?.request('screen').catch(() => undefined);
}
document.addEventListener('visibilitychange', stayAwake);
stayAwake();
