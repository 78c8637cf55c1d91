import { whose } from './whose.js';

/**
 * Tell the service worker which files this page consists of: on the first visit they were loaded before it was there.
 */
export async function keepForLater() {
  const { active } = (await navigator.serviceWorker?.ready) ?? {};
  const parts = performance.getEntriesByType('resource').map(({ name }) => name);
  active?.postMessage([location.pathname, ...parts.filter((name) => name.includes('/assets/console/'))]);
}

navigator.serviceWorker
  ?.register('/assets/console/gate-worker.js', { scope: '/app/gate/' })
  .then(keepForLater, () => undefined);

/**
 * Who uses the page: user or tablet, and the turn of who works there. The page that is kept for later has to say the
 * same.
 */
const ofNow = () => `${whose().owner} ${whose().turn}`;
let kept = ofNow();
export function keepWhose() {
  if (kept === ofNow()) return;
  kept = ofNow();
  keepForLater();
}

async function stayAwake() {
  if (document.visibilityState !== 'visible') return;
  await navigator.wakeLock?.request('screen').catch(() => undefined);
}
document.addEventListener('visibilitychange', stayAwake);
stayAwake();
