// Reads the page of a driver again, and shows the new state in place. Without a connection, the page says that it is old.
const PAUSE_MS = 20_000;

const live = document.getElementById('live');
const stale = document.getElementById('stale');

async function refresh() {
  if (document.hidden) return;
  try {
    const response = await fetch(location.href, { cache: 'no-cache' });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const main = page.querySelector('main');
    // Too many requests, or the store does not respond. A closed load has its own page.
    if (!response.ok && response.status !== 404) throw new Error(response.statusText);
    stale.textContent = '';
    if (main.innerHTML === live.innerHTML) return;
    // The focus stays on the button if there is one.
    const isFocused = live.contains(document.activeElement);
    live.replaceChildren(...main.childNodes);
    if (isFocused) live.querySelector('button')?.focus();
    document.title = page.title;
  } catch {
    stale.textContent = live.dataset.stale;
  }
}

setInterval(refresh, PAUSE_MS);
addEventListener('online', refresh);
document.addEventListener('visibilitychange', refresh);
