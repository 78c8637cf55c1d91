import {
  countGates,
  endNotice,
  focusOn,
  isCached,
  live,
  main,
  refuse,
  showNotices,
} from './modules/board-parts.js';
import { Connection } from './modules/connection.js';
import { closeQuestion, isQuestion, showQuestion } from './modules/dialog.js';
import { Feed } from './modules/feed.js';
import { keepRows, offerUndo, settleRows } from './modules/kept-rows.js';
import { morph } from './modules/morph.js';
import { FILE_MS, REQUEST_MS } from './modules/net.js';
import { announceProblems } from './modules/problems.js';
import { t } from './modules/words.js';

/**
 * Polling interval without a live connection, and with one. With one, polling finds changes that were not
 * announced.
 */
const POLL_MS = 8_000;
const CHECK_MS = 60_000;
/** Minimum time between two fetches, unless the page sets another. */
const PAUSE_MS = 300;
/** Up to this many changed parts are fetched one by one. If there are more, the whole page is fetched. */
const PARTS_MAXIMUM = 20;

/**
 * Hooks that a page can set:
 * - `beforeUpdate(next)`: before the page is updated to the element `next`.
 * - `afterUpdate()`: after the update.
 * - `newProblems(problems)`: new problems have appeared. Each has `id`, `text`, and the `page` about it.
 * - `connectionChanged(state, knownAt)`: `live`, `polling` or `lost`, and the time of the shown data.
 * - `formAnswered(page, form)`: the server has answered a form.
 * - `formEnded(form)`: a form is over: it was answered, or it failed.
 * - `sendsForm(form)`: return true to send the form yourself.
 * - `isDragging()`: return true to pause updates.
 */
export const hooks = {
  beforeUpdate() {},
  afterUpdate() {},
  newProblems() {},
  connectionChanged() {},
  formAnswered() {},
  formEnded() {},
  sendsForm: () => false,
  isDragging: () => false,
};

const sequence = () => Number(live().dataset.sequence);

/** The parts of the page that have any of the changed topics, or null for the whole page. */
function partsOf(changed) {
  if (changed === null) return null;
  const topics = new Set(changed);
  const isChanged = (element) => JSON.parse(element.dataset.topics).some((topic) => topics.has(topic));
  if (isChanged(live())) return null;
  const parts = [...live().querySelectorAll('[data-part]')]
    .filter(isChanged)
    .map(({ dataset }) => dataset.part);
  return parts.length > PARTS_MAXIMUM ? null : parts;
}

// --- fetching changes -----------------------------------------------------------------------------------

const connection = new Connection();
let isFetching = false;
let fetchedAt = Date.now();
let timer;
/** Parts to fetch next; undefined = none, null = the whole page. */
let scheduled;
/** The highest log sequence number that was announced with these changes. */
let heardSequence = 0;

/** Fetch these parts of the page soon, or all of it (`null`). */
export function refetch(parts, sequenceNumber = 0) {
  heardSequence = Math.max(heardSequence, sequenceNumber);
  scheduled = parts === null || scheduled === null ? null : [...new Set([...(scheduled ?? []), ...parts])];
  if (scheduled && scheduled.length > PARTS_MAXIMUM) scheduled = null;
  fetchScheduled();
}

/**
 * Fetch the scheduled parts. Only one request runs at a time. Changes during a request, or too soon after it,
 * are fetched later.
 */
async function fetchScheduled() {
  if (isFetching || scheduled === undefined) return;
  clearTimeout(timer);
  const wait = fetchedAt + Number(live().dataset.pause ?? PAUSE_MS) - Date.now();
  if (wait > 0) {
    timer = setTimeout(fetchScheduled, wait);
    return;
  }
  isFetching = true;
  const parts = scheduled;
  const upTo = heardSequence;
  scheduled = undefined;
  let isShown = false;
  try {
    const { href } = location;
    const url = new URL(href);
    url.hash = '';
    for (const part of parts ?? []) url.searchParams.append('part', part);
    const page = await fetchPage(url);
    // A form was answered in the meantime, or the user is dragging: this answer is outdated.
    const isOld = hooks.isDragging() || location.href !== href;
    if (isOld) scheduled = null;
    isShown = isOld || showPage(page, { parts, upTo });
  } catch (error) {
    // The gate was deleted, or the user may no longer see it: reload to show why. Any other error is retried.
    if (error instanceof Refusal) return location.reload();
  }
  isFetching = false;
  if (!isShown) {
    scheduled = null;
    setState(feed.live, false);
    setTimeout(fetchScheduled, POLL_MS / 2);
    return;
  }
  fetchedAt = Date.now();
  setState(feed.live, true);
  fetchScheduled();
}

/** The server answered with an error page. The message is its text. */
export class Refusal extends Error {}

/** Fetch a page and parse it. Navigates away if the server redirects, for example to the sign-in. */
export async function fetchPage(url, options = {}) {
  const signal = AbortSignal.timeout(REQUEST_MS);
  const answer = await fetch(url, {
    signal,
    ...options,
    headers: { Accept: 'text/html', ...options.headers },
  });
  const text = await answer.text();
  if (new URL(answer.url).pathname !== location.pathname) {
    location.assign(`/app/login?next=${encodeURIComponent(location.pathname + location.search)}`);
    throw new Error('redirected');
  }
  const page = new DOMParser().parseFromString(text, 'text/html');
  if (page.getElementById('live') ?? page.getElementById('asked')) return page;
  if (answer.status >= 500 || !page.getElementById('main')) throw new Error(`no page: ${answer.status}`);
  throw new Refusal(page.querySelector('#main p')?.textContent ?? page.title);
}

/** Update this page to a fetched document. */
function showPage(page, { parts = null, upTo = 0, form = null } = {}) {
  // The language was changed in another tab. Reload, because the messages of the scripts come with the page.
  if (page.documentElement.lang !== document.documentElement.lang) location.reload();
  const next = page.getElementById('live');
  // Responses may arrive out of order. Of an older one, only the result of its form is shown.
  if (Number(next.dataset.sequence) < sequence()) {
    if (form) {
      showResult(page, form);
      refetch(null);
    }
    return true;
  }
  const focused = document.activeElement;
  const around = focused?.closest?.('section, article');
  hooks.beforeUpdate(next);
  keepRows(next);
  if (parts === null) morph(live(), next);
  else {
    for (const part of next.querySelectorAll('[data-part]')) {
      const own = live().querySelector(`[data-part="${CSS.escape(part.dataset.part)}"]`);
      if (own) morph(own, part);
    }
    live().dataset.sequence = String(Math.max(sequence(), upTo));
    countGates();
  }
  if (form) showResult(page, form);
  offerUndo();
  // The focused element was removed, and no hook has moved the focus: move it nearby.
  if (
    focused &&
    focused !== document.body &&
    !focused.isConnected &&
    document.activeElement === document.body
  )
    focusOn(around?.isConnected ? around : main);
  announce();
  hooks.afterUpdate();
  document.dispatchEvent(new Event('updated'));
  return true;
}

/** Show the result of a form from the page that answered it. */
function showResult(page, form) {
  showNotices(page);
  hooks.formAnswered(page, form);
}

/** Announce new problems: to screen readers, and to the hook of the page. */
function announce(quietly = false) {
  const fresh = announceProblems(quietly);
  if (fresh.length > 0) hooks.newProblems(fresh);
}

/** Show the state of the connection. A page from the cache is fetched as soon as the connection is live. */
function setState(isLive, isReached = true) {
  const { state, knownAt } = connection.show(isLive, isReached);
  hooks.connectionChanged(state, knownAt);
  if (state === 'live' && isCached()) refetch(null);
}

// --- forms ----------------------------------------------------------------------------------------------

/** Close the panel of a form whose value is saved. The value is beside it. */
function closePanel(form) {
  const panel = form.closest('details:is(.pencil, .new-fact)');
  if (!panel) return;
  if (panel.contains(document.activeElement)) panel.querySelector('summary').focus({ preventScroll: true });
  panel.open = false;
  form.reset();
}

/** Send a form without leaving the page. Without this script the browser submits it. */
document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (form.method !== 'post' || !(live().contains(form) || form.matches('.undo') || isQuestion(form))) return;
  // The answer opens in another tab (labels, for example): leave it to the browser.
  if (event.submitter?.formTarget) return;
  event.preventDefault();
  if (hooks.sendsForm(form) || form.dataset.sending !== undefined) return;
  form.dataset.sending = '';
  form.setAttribute('aria-busy', 'true');
  // Not `form.action`: that is the form field named `action`.
  const [action, encoding] = ['action', 'enctype'].map((name) => form.getAttribute(name));
  const fields = new FormData(form, event.submitter);
  const isMultipart = encoding === 'multipart/form-data';
  const body = isMultipart ? fields : new URLSearchParams(fields);
  const signal = AbortSignal.timeout(isMultipart ? FILE_MS : REQUEST_MS);
  try {
    const page = await fetchPage(action, { method: 'POST', body, signal });
    // An update of the page cannot take the chosen file away.
    if (isMultipart && !page.querySelector('#main > .notice.bad')) form.reset();
    delete form.dataset.sending;
    delete form.dataset.unsure;
    form.closest('details.ask')?.removeAttribute('open');
    if (page.querySelector('#main > .notice.good')) closePanel(form);
    form.removeAttribute('aria-busy');
    if (showQuestion(page)) return;
    closeQuestion();
    if (live().dataset.filtered === undefined || page.querySelector('#main > .notice.bad')) {
      showPage(page, { form });
    } else {
      // The answer is unfiltered. Fetch the page again with the filters of the page's URL.
      showNotices(page);
      offerUndo();
      refetch(null);
    }
  } catch (error) {
    delete form.dataset.sending;
    if (error instanceof Refusal) refuse(error.message);
    else {
      // The result is unknown. The form keeps its key, so sending it again has no second effect.
      form.dataset.unsure = '';
      refuse(t('live.unsure'), isQuestion(form) ? form : live());
    }
  }
  form.removeAttribute('aria-busy');
  hooks.formEnded(form);
});

// --- start ----------------------------------------------------------------------------------------------

announce(true);
// The script of the page sets its hooks first.
setTimeout(() => isCached() && setState(false, false));

const feed = new Feed({
  after: sequence,
  received({ sequenceNumber, changed }) {
    const parts = partsOf(changed);
    if (parts === null || parts.length > 0) refetch(parts, sequenceNumber);
    else live().dataset.sequence = String(Math.max(sequence(), sequenceNumber));
  },
  stateChanged: (isLive, isDead) => {
    setState(isLive, isLive || !(isDead || connection.isLost));
    if (!isLive) setTimeout(() => feed.live || refetch(null), POLL_MS / 8);
  },
  ponged() {
    // The connection has survived an outage that the device has reported.
    if (connection.isReportedLost) setState(true);
  },
  ended: () => refetch(null),
});

document.getElementById('again').addEventListener('click', (event) => {
  event.preventDefault();
  feed.check();
  refetch(null);
});

// The device reports that it is offline. The next answer of the server disproves it.
addEventListener('offline', () => {
  setState(false, false);
  connection.isReportedLost = true;
});

setInterval(() => {
  endNotice();
  settleRows(() => refetch(null));
  if (document.visibilityState === 'hidden' && feed.live) return;
  if (Date.now() - fetchedAt >= (feed.live ? CHECK_MS : POLL_MS)) refetch(null);
}, 1_000);
