import { count, focusOn, live, main, refuse, showNotices } from './modules/board-parts.js';
import { closeQuestion, isQuestion, showQuestion } from './modules/dialog.js';
import { Feed } from './modules/feed.js';
import { morph } from './modules/morph.js';
import { REQUEST_MS } from './modules/net.js';
import { clockTime, t } from './modules/words.js';

/**
 * A page looks for changes this often while it has no live connection, and this often while it has one, in case
 * something was not told.
 */
const POLL_MS = 8_000;
const LOOK_MS = 60_000;
/** The least time between two looks, unless the page sets another. */
const PAUSE_MS = 300;
/** Up to this many changed parts of a board are fetched one by one; if there are more, the whole page is. */
const PARTS_MAXIMUM = 20;

/**
 * What a page adds: `showing(next)` before it becomes what a document says, `shown()` afterwards, `fresh(texts)` when
 * something has come to be wrong, `state(state)` of the connection, `told(page)` what came of a form, `takes(form)` for forms that
 * it sends by itself, and `holds()` whether something is being dragged, which is left alone.
 */
export const hooks = {
  showing() {},
  shown() {},
  fresh() {},
  state() {},
  told() {},
  takes: () => false,
  holds: () => false,
};

const feedLine = document.getElementById('feed');
const sequence = () => Number(live().dataset.sequence);

/** Said aloud by screen readers; outside of what is replaced. */
const announcer = document.createElement('div');
announcer.className = 'hidden';
announcer.setAttribute('aria-live', 'assertive');
announcer.id = 'announcer';
document.body.append(announcer);

/** Parts of the page with a topic among these; null for the page as a whole. */
function partsOf(changed) {
  if (changed === null) return null;
  const topics = new Set(changed);
  const concerned = (element) => JSON.parse(element.dataset.topics).some((topic) => topics.has(topic));
  if (concerned(live())) return null;
  const parts = [...live().querySelectorAll('[data-part]')]
    .filter(concerned)
    .map(({ dataset }) => dataset.part);
  return parts.length > PARTS_MAXIMUM ? null : parts;
}

// --- looking --------------------------------------------------------------------------------------------

let looking = false;
let looked = Date.now();
let next;
/** What is to be looked at next: undefined for nothing, null for the whole page, else topics. */
let wanted;
/** The highest sequence number of the log that came with such a wish. */
let heard = 0;

/** Look at parts of the page soon, or at all of it (null). */
export function want(parts, sequenceNumber = 0) {
  heard = Math.max(heard, sequenceNumber);
  wanted = parts === null || wanted === null ? null : [...new Set([...(wanted ?? []), ...parts])];
  if (wanted && wanted.length > PARTS_MAXIMUM) wanted = null;
  look();
}

/** Fetch what is wanted; one request at a time, and what is wanted meanwhile, or too soon, afterwards. */
async function look() {
  if (looking || wanted === undefined) return;
  clearTimeout(next);
  const wait = looked + Number(live().dataset.pause ?? PAUSE_MS) - Date.now();
  if (wait > 0) {
    next = setTimeout(look, wait);
    return;
  }
  looking = true;
  const parts = wanted;
  const upTo = heard;
  wanted = undefined;
  let seen = false;
  try {
    const { href } = location;
    const url = new URL(href);
    url.hash = '';
    for (const part of parts ?? []) url.searchParams.append('part', part);
    const page = await pageAt(url);
    // The page has moved on, to the answer of a form, or something is being dragged.
    const isOld = hooks.holds() || location.href !== href;
    if (isOld) wanted = null;
    seen = isOld || show(page, { parts, upTo });
  } catch (error) {
    // The gate is gone, or the right to see it: let the service say so. Whatever else it was, it is tried again.
    if (error instanceof Refusal) return location.reload();
  }
  looking = false;
  if (!seen) {
    wanted = null;
    setState(feed.live, false);
    setTimeout(look, POLL_MS / 2);
    return;
  }
  looked = Date.now();
  setState(feed.live, true);
  look();
}

/** The service answered with another page than the one asked for; the message is what that page says. */
export class Refusal extends Error {}

/** The page at an address as a document; leaves for where the service leads instead, such as the sign-in. */
export async function pageAt(url, options = {}) {
  const signal = AbortSignal.timeout(REQUEST_MS);
  const answer = await fetch(url, {
    signal,
    ...options,
    headers: { Accept: 'text/html', ...options.headers },
  });
  const text = await answer.text();
  if (new URL(answer.url).pathname !== location.pathname) {
    location.assign(`/app/login?next=${encodeURIComponent(location.pathname + location.search)}`);
    throw new Error('led away');
  }
  const page = new DOMParser().parseFromString(text, 'text/html');
  if (page.getElementById('live') ?? page.getElementById('asked')) return page;
  if (answer.status >= 500 || !page.getElementById('main')) throw new Error(`no page: ${answer.status}`);
  throw new Refusal(page.querySelector('#main p')?.textContent ?? page.title);
}

/** Bring this page to what a document shows. */
function show(page, { parts = null, upTo = 0, notices = false } = {}) {
  // Another language was chosen in another tab: the scripts' messages come with the page.
  if (page.documentElement.lang !== document.documentElement.lang) location.reload();
  const next = page.getElementById('live');
  // Answers may overtake each other: an older one is not shown.
  if (Number(next.dataset.sequence) < sequence()) return true;
  const had = document.activeElement;
  const near = had?.closest?.('section, article');
  hooks.showing(next);
  if (parts === null) morph(live(), next);
  else {
    for (const part of next.querySelectorAll('[data-part]')) {
      const own = live().querySelector(`[data-part="${CSS.escape(part.dataset.part)}"]`);
      if (own) morph(own, part);
    }
    live().dataset.sequence = String(Math.max(sequence(), upTo));
    count();
  }
  if (notices) {
    showNotices(page);
    hooks.told(page);
  }
  // The element that had the focus is gone: move it nearby.
  if (had && had !== document.body && !had.isConnected) focusOn(near?.isConnected ? near : main);
  announce();
  hooks.shown();
  return true;
}

// --- what is new ----------------------------------------------------------------------------------------

let known = new Set();

/** Have screen readers say what has become wrong since the last look, and let the page sound. */
function announce(quietly = false) {
  const now = new Map(
    [...live().querySelectorAll('[data-announce]')].map((item) => [item.id, item.dataset.announce]),
  );
  const fresh = [...now].filter(([id]) => !known.has(id)).map(([, text]) => text);
  known = new Set(now.keys());
  const { title } = live().dataset;
  document.title = document.title.replace(/^.*?(?= · [^·]*$)/, () => title);
  if (quietly || fresh.length === 0) return;
  // A message of success from before would contradict it.
  main.querySelector(':scope > .notice.good')?.remove();
  announcer.textContent = fresh.slice(0, 3).join(' ');
  hooks.fresh(fresh);
}

// --- whether it is live ---------------------------------------------------------------------------------

let shownState;

/** Show whether the page is live, and if not, from when it is. */
function setState(isLive, isReached = true) {
  const state = isLive && isReached ? 'live' : isReached ? 'polling' : 'lost';
  document.body.dataset.feed = state;
  const text = t(`live.${state}`, { time: clockTime(looked) });
  // A status is read aloud when its text changes: the time alone is no news.
  feedLine.setAttribute('aria-live', state === shownState ? 'off' : 'polite');
  shownState = state;
  feedLine.textContent = text;
  hooks.state(state);
}

// --- forms ----------------------------------------------------------------------------------------------

/** Send a form of the page without leaving it. Without this script it is sent as forms are. */
document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (form.method !== 'post' || !(live().contains(form) || isQuestion(form))) return;
  // The answer opens elsewhere (labels, for one): leave it to the browser.
  if (event.submitter?.formTarget) return;
  event.preventDefault();
  if (hooks.takes(form) || form.dataset.sending !== undefined) return;
  form.dataset.sending = '';
  form.setAttribute('aria-busy', 'true');
  const body = new URLSearchParams(new FormData(form, event.submitter));
  try {
    // Not `form.action`: that is the form's field named `action`.
    const page = await pageAt(form.getAttribute('action'), { method: 'POST', body });
    delete form.dataset.sending;
    delete form.dataset.unsure;
    form.closest('details.ask')?.removeAttribute('open');
    form.removeAttribute('aria-busy');
    if (showQuestion(page)) return;
    closeQuestion();
    if (live().dataset.filtered === undefined || page.querySelector('#main > .notice.bad')) {
      show(page, { notices: true });
    } else {
      // The answer shows the page unfiltered: fetch it with the filters of the address.
      showNotices(page);
      want(null);
    }
  } catch (error) {
    delete form.dataset.sending;
    if (error instanceof Refusal) refuse(error.message);
    else {
      // Nobody knows what became of it. The form keeps its key, so that sending it again has one effect.
      form.dataset.unsure = '';
      refuse(t('live.unsure'), isQuestion(form) ? form : live());
    }
  }
  form.removeAttribute('aria-busy');
});

// --- start ----------------------------------------------------------------------------------------------

announce(true);

const feed = new Feed({
  after: sequence,
  told({ sequenceNumber, changed }) {
    const parts = partsOf(changed);
    if (parts === null || parts.length > 0) want(parts, sequenceNumber);
    else live().dataset.sequence = String(Math.max(sequence(), sequenceNumber));
  },
  state: (isLive, isDead) => {
    setState(isLive, isLive || !(isDead || shownState === 'lost'));
    if (!isLive) setTimeout(() => feed.live || want(null), POLL_MS / 8);
  },
  ended: () => want(null),
});

document.getElementById('again').addEventListener('click', (event) => {
  event.preventDefault();
  feed.check();
  want(null);
});

// The device knows by itself that it is offline.
addEventListener('offline', () => setState(false, false));

setInterval(() => {
  if (document.visibilityState === 'hidden' && feed.live) return;
  if (Date.now() - looked >= (feed.live ? LOOK_MS : POLL_MS)) want(null);
}, 1_000);
