import { whose } from './whose.js';

/** Tell the worker what this page is made of, which it did not see on the first visit. */
export async function keepForLater() {
  const { active } = (await navigator.serviceWorker?.ready) ?? {};
  const parts = performance.getEntriesByType('resource').map(({ name }) => name);
  active?.postMessage([location.pathname, ...parts.filter((name) => name.includes('/assets/console/'))]);
}

navigator.serviceWorker
  ?.register('/assets/console/gate-worker.js', { scope: '/app/gate/' })
  .then(keepForLater, () => undefined);

/** Without a connection the page is of whom it is now, with who works at a tablet. */
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
