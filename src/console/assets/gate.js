import { Alarm } from './alarm.js';
import { Rows } from './gate-rows.js';
import { hooks, want } from './live.js';
import { readScan } from './scan-text.js';
import { Sender } from './sender.js';

/** What is kept on the device until the service has answered; what asks first needs the service for its numbers. */
const KEPT = ['scan', 'mark', 'start', 'remove', 'resolve', 'assign'];

/** An answer that takes longer is waited for visibly. */
const SLOW_MS = 800;

const box = () => document.getElementById('scan');
const answer = document.getElementById('answer');
const strip = document.getElementById('offline');
const alarm = new Alarm(document.getElementById('sound'));

// --- answers ----------------------------------------------------------------------------------------------

/** Say what became of the last scan or press: by colour, in words, with the digits that tell pallets apart. */
function say(tone, title, name = '', more = '') {
  const words = document.createElement('div');
  words.append(
    Object.assign(document.createElement('b'), { textContent: title }),
    Object.assign(document.createElement('span'), { textContent: [name, more].filter(Boolean).join(', ') }),
  );
  const last = Object.assign(document.createElement('b'), {
    className: 'last',
    textContent: name.slice(-4),
    ariaHidden: 'true',
  });
  answer.className = `ans ${tone}`;
  answer.replaceChildren(words, last);
  if (tone === 'ok') alarm.good();
  if (tone === 'bad') alarm.bad();
}

/** What the page of a form says that came of it. */
hooks.told = (page) => {
  const said = page.getElementById('answer');
  answer.className = said.className;
  answer.replaceChildren(...document.adoptNode(said).childNodes);
  listen();
};

// --- what is sent -----------------------------------------------------------------------------------------

const rows = new Rows({
  async undo(record, key) {
    if (key && (await sender.withdraw(key))) {
      rows.restore(record);
      say('told', 'Taken back');
    } else {
      rows.restore(record);
      await sender.add('mark', () => ({ record, status: 'NOT_LOADED' }), { record, undoes: true });
    }
    listen();
  },
  gone: () => want(null),
});

/** The page of the gate takes what is scanned by its camera, too. */
const sender = new Sender(location.pathname.replace(/\/scan$/, ''), {
  answered(item, told) {
    document.dispatchEvent(new CustomEvent('answered', { detail: { item, told } }));
    if (told.asks)
      location.assign(`${item.path}?${new URLSearchParams({ confirm: item.action, ...item.fields })}`);
    else if (told.refused) {
      if (item.record) rows.restore(item.record);
      say('bad', told.refused, item.name);
    } else settled(item, told);
    want(null);
  },
  changed: (items, { signedOut }) => waits(items, signedOut),
});

function settled(item, { outcome, said, pallet, manifest, record, done }) {
  if (item.action === 'scan') {
    if (outcome === 'LOADED') rows.mark(record, { waits: false, key: item.key });
    say(outcome === 'LOADED' ? 'ok' : 'bad', said, pallet, manifest ?? '');
  } else if (item.action === 'mark' && item.fields.status === 'LOADED') {
    rows.mark(item.record, { waits: false, key: item.key });
    say('ok', 'Loaded', item.name);
  } else say('told', done, item.name);
}

/** A form of the page: what is kept on the device is not sent by the browser. */
hooks.takes = (form) => {
  const { token: _, key: __, action, ...fields } = Object.fromEntries(new FormData(form));
  if (!KEPT.includes(action)) return false;
  form.closest('[popover]')?.hidePopover();
  form.closest('details.ask')?.removeAttribute('open');
  if (action === 'scan') scan(fields.scan);
  else press(form, action, fields);
  return true;
};

/** Something was scanned: it is kept here until the service has answered. */
export function scan(text) {
  if (box()) box().value = '';
  if (text.trim() === '') return;
  const row = Rows.named(readScan(text).ids);
  const record = row?.dataset.record;
  const name = row ? JSON.parse(row.dataset.names)[0] : text.trim();
  sender
    .add('scan', (key) => ({ scan: text, scanId: key, scanDate: String(Date.now()) }), { record, name })
    .then((item) => pending(item, row ? 'On the list, waiting' : 'Waiting to be sent'));
}

function press(form, action, fields) {
  // A second tap while the first is under way is the same press.
  if (form.dataset.pressed !== undefined) return;
  form.dataset.pressed = '';
  setTimeout(() => delete form.dataset.pressed, 1_000);
  const record = action === 'mark' ? fields.record : undefined;
  const row = record && Rows.of(record);
  const name = row ? JSON.parse(row.dataset.names)[0] : undefined;
  if (row && fields.status === 'LOADED') rows.mark(record, { waits: true });
  sender.add(action, () => fields, { record, name }).then((item) => pending(item, 'Waiting to be sent'));
  listen();
}

/** Said only of what is not answered at once. */
function pending(item, text) {
  const marks = item.action === 'scan' || item.fields.status === 'LOADED';
  if (!sender.items.includes(item)) return;
  if (item.record && marks) rows.mark(item.record, { waits: true, key: item.key });
  if (document.body.dataset.feed !== 'live') say('hold', text, item.name);
  else setTimeout(() => sender.items.includes(item) && say('hold', text, item.name), SLOW_MS);
}

// --- connection -------------------------------------------------------------------------------------------

let state = 'live';
let lostAt = 0;
let signedOut = false;

function waits(items, isSignedOut) {
  document.dispatchEvent(new CustomEvent('kept', { detail: { items } }));
  signedOut = isSignedOut ?? signedOut;
  drawStrip(items);
}

function drawStrip(items = sender.items) {
  const many = items.length;
  const lost = state !== 'live';
  strip.hidden = !lost && !signedOut;
  const count = many === 0 ? '' : `${many} ${many === 1 ? 'waits' : 'wait'} on this tablet. `;
  const seconds = Math.floor((Date.now() - lostAt) / 1_000);
  const since = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const text = signedOut
    ? `${count}You are signed out: reload and sign in, and they are sent.`
    : `${count}Keep scanning: everything is sent once when the connection is back. No connection for ${since}.`;
  if (strip.textContent !== text) strip.textContent = text;
  // The time alone is no news.
  strip.setAttribute('aria-live', lost && many === 0 ? 'polite' : 'off');
}

hooks.state = (next) => {
  if (next !== 'live' && state === 'live') lostAt = Date.now();
  const back = next === 'live' && state !== 'live';
  state = next;
  if (back) sender.flush();
  document.getElementById('feed').textContent = { live: 'Live', polling: 'Not live', lost: 'Offline' }[next];
  drawStrip();
};
setInterval(() => state !== 'live' && drawStrip(), 1_000);

// --- wrong pallets ------------------------------------------------------------------------------------------

let silenced = new Set();
const wrongNow = () => [...document.querySelectorAll('#wrong [data-announce]')].map(({ id }) => id);

function guard() {
  const wrong = wrongNow();
  silenced = new Set(wrong.filter((id) => silenced.has(id)));
  if (wrong.some((id) => !silenced.has(id))) alarm.ring();
  else alarm.silence();
  const silence = document.getElementById('silence');
  if (silence) silence.hidden = !alarm.rings;
}

document.addEventListener('click', (event) => {
  if (!event.target.closest?.('#silence')) return;
  silenced = new Set(wrongNow());
  guard();
  listen();
});

// --- the page ---------------------------------------------------------------------------------------------

hooks.showing = (next) => rows.keepIn(next);
hooks.shown = () => {
  rows.bind();
  guard();
};

/** The box listens: it has the focus unless somebody types elsewhere. */
function listen() {
  if (document.querySelector('dialog[open], :popover-open')) return;
  box()?.focus({ preventScroll: true });
}

// A hand scanner types wherever the focus is: its text goes to the box, and its Enter presses no button.
document.addEventListener(
  'keydown',
  (event) => {
    if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.('input:not([type="radio"], [type="checkbox"]), textarea, select, dialog'))
      return;
    listen();
  },
  true,
);
// Gloves need no keyboard on the screen until somebody asks for it by tapping the box.
if (matchMedia('(pointer: coarse)').matches) {
  box()?.setAttribute('inputmode', 'none');
  document.addEventListener('pointerdown', (event) => {
    if (event.target === box()) box().removeAttribute('inputmode');
  });
}

async function stayAwake() {
  if (document.visibilityState !== 'visible') return;
  await navigator.wakeLock?.request('screen').catch(() => undefined);
}
document.addEventListener('visibilitychange', stayAwake);
stayAwake();

guard();
listen();
drawStrip();

/** Tell the worker what this page is made of, which it did not see on the first visit. */
export async function keepForLater() {
  const { active } = (await navigator.serviceWorker?.ready) ?? {};
  const parts = performance.getEntriesByType('resource').map(({ name }) => name);
  active?.postMessage([location.pathname, ...parts.filter((name) => name.includes('/assets/console/'))]);
}

navigator.serviceWorker
  ?.register('/assets/console/gate-worker.js', { scope: '/app/gate/' })
  .then(keepForLater, () => undefined);
