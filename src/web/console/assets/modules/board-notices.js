import { isStoredOn, storeSwitch } from './board-switches.js';
import { t } from './words.js';

const NAME = 'board-notify';
/** Why a page shows no notifications, or how to change that. */
const WHY = { none: 'notice.whyNone', blocked: 'notice.whyBlocked' };
const DAY_MS = 86_400_000;
/** How often a page checks whether the quiet hours have ended. */
const CHECK_MS = 15_000;

/** Whether it is quiet now. The page has one quiet period, and the next days have the same. */
function isQuiet() {
  const [begin, end] = (document.getElementById('live').dataset.quiet ?? '').split(' ').map(Number);
  if (!end) return false;
  return (((Date.now() - begin) % DAY_MS) + DAY_MS) % DAY_MS < end - begin;
}

/** `on`, `off`, `blocked` in the browser, or `none` if this page cannot have notifications. */
function state() {
  if (!('Notification' in window) || !window.isSecureContext) return 'none';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && isStoredOn(NAME) ? 'on' : 'off';
}

/**
 * Show a notification that opens a page. Pages in other tabs use the same tag, so the browser shows one of them. Returns
 * whether the browser could.
 */
function show(tag, text, page) {
  try {
    const notification = new Notification(text, { tag });
    notification.addEventListener('click', () => {
      window.focus();
      notification.close();
      location.assign(page);
    });
    return true;
  } catch {
    // Some phones show notifications only of installed apps.
    return false;
  }
}

/**
 * A switch for notifications about new problems; initially off. The browser asks for permission only after a click.
 * Returns the function that shows problems. In quiet hours they wait. Afterwards one notification shows how many are left.
 */
export function noticeSwitch(button) {
  let isPossible = true;
  const held = new Map();
  const render = () => {
    const now = isPossible ? state() : 'none';
    button.setAttribute('aria-pressed', String(now === 'on'));
    button.setAttribute('aria-disabled', String(now === 'none' || now === 'blocked'));
    button.textContent = t(`notice.${now}`);
    button.title = now in WHY ? t(WHY[now]) : '';
    return now;
  };
  const showOrRender = (...shown) => {
    isPossible = show(...shown);
    if (!isPossible) render();
  };

  button.addEventListener('click', async () => {
    const now = render();
    if (now === 'none' || now === 'blocked') return;
    const wanted = now === 'off';
    if (wanted && Notification.permission !== 'granted') await Notification.requestPermission();
    // Without storage the switch stays off.
    storeSwitch(NAME, wanted);
    render();
  });
  addEventListener('storage', render);
  button.hidden = false;
  render();

  setInterval(() => {
    if (held.size === 0 || isQuiet()) return;
    const left = [...held].filter(([id]) => document.getElementById(id));
    held.clear();
    if (state() !== 'on' || left.length === 0) return;
    const [[id, { text, page }]] = left;
    if (left.length === 1) showOrRender(id, text, page);
    else showOrRender('board-quiet', t('notice.afterQuiet', { count: left.length }), '/app/board');
  }, CHECK_MS);

  return (problems) => {
    if (state() !== 'on') return;
    for (const { id, text, page } of problems) {
      if (isQuiet()) held.set(id, { text, page });
      else showOrRender(id, text, page);
    }
  };
}
