import { hooks, want } from './live.js';
import { Alarm } from './modules/alarm.js';
import { closeQuestion } from './modules/dialog.js';
import { keepWhose } from './modules/gate-keep.js';
import { box, listen } from './modules/gate-listen.js';
import { Others } from './modules/gate-others.js';
import { Rows } from './modules/gate-rows.js';
import { Waiting } from './modules/gate-waiting.js';
import { readScan } from './modules/scan-text.js';
import { Sender } from './modules/sender.js';
import { forgetCode, isAsking, noteTurn } from './modules/whose.js';
import { t } from './modules/words.js';

/**
 * Actions that are kept on the device until the service has answered. Any other one asks a question first, which needs
 * the service for its numbers.
 */
const KEPT = ['scan', 'mark', 'start', 'remove', 'resolve', 'assign'];

/** Actions by which somebody says who works here: sent as ordinary forms. */
const ABOUT_WORK = ['work', 'workEnd'];

/** After this time without an answer the page says that it waits. */
const SLOW_MS = 800;

const answer = document.getElementById('answer');
const waiting = new Waiting(document.getElementById('offline'));
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

/** Show the answer of a form's page as this page's own. */
hooks.told = (page) => {
  const said = page.getElementById('answer');
  answer.className = said.className;
  answer.replaceChildren(...document.adoptNode(said).childNodes);
  forgetCode();
  listen();
};

// --- what is sent -----------------------------------------------------------------------------------------

const rows = new Rows({
  async undo(record, key) {
    const row = Rows.of(record);
    const name = row ? nameOf(row) : undefined;
    rows.restore(record);
    listen();
    if (key && (await sender.withdraw(key))) say('told', t('tablet.takenBack'));
    else await sender.add('mark', () => ({ record, status: 'NOT_LOADED' }), { record, name });
  },
  gone: () => want(null),
});

/** The page of the camera (`/scan`) sends as the page of its gate. */
const sender = new Sender(location.pathname.replace(/\/scan$/, ''), {
  answered(item, told) {
    document.dispatchEvent(new CustomEvent('answered', { detail: { item, told } }));
    if (told.refused) {
      if (item.record) rows.restore(item.record);
      say('bad', told.refused, item.name);
    } else settled(item, told);
    want(null);
  },
  changed: (items, { signedOut }) => waits(items, signedOut),
  left: () => want(null),
});
const others = new Others(sender);

function settled(item, { outcome, said, pallet, manifest, record, done }) {
  if (outcome === 'WORKER') say('told', done);
  else if (item.action === 'scan') {
    if (outcome === 'LOADED') loaded(record, item.key);
    say(outcome === 'LOADED' ? 'ok' : 'bad', said, pallet, manifest ?? '');
  } else if (item.loads) {
    loaded(item.record, item.key);
    say('ok', t('tablet.loaded'), item.name);
  } else {
    if (item.record && !lastOf(item.record)) rows.restore(item.record);
    say('told', done, item.name);
  }
}

/** The latest of what waits for a record: its row shows that one. */
const lastOf = (record) => sender.items.findLast((item) => item.record === record);

/** Show a record as loaded, with its button to undo, unless something else waits for it. */
function loaded(record, key) {
  if (!lastOf(record)) rows.mark(record, key);
}

/** The action of a form, and its fields but for token and key. */
function readForm(form) {
  const { token: _, key: __, action, ...fields } = Object.fromEntries(new FormData(form));
  return { action, fields };
}
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Keep and send a form's action from here, or refuse it while others wait; false leaves the form to be sent as usual.
 */
hooks.takes = (form) => {
  if (others.takes(form)) return true;
  const { action, fields } = readForm(form);
  if (ABOUT_WORK.includes(action)) return false;
  if (!KEPT.includes(action)) {
    if (sender.items.length === 0) return false;
    closeQuestion();
    say('bad', t('tablet.first'));
    return true;
  }
  form.closest('[popover]')?.hidePopover();
  form.closest('details.ask')?.removeAttribute('open');
  if (action === 'scan') scan(fields.scan);
  else press(form, action, fields);
  return true;
};

/** Whether it is known who works here; if not, say so, as work has to be somebody's. */
function somebodyWorks() {
  if (!isAsking()) return true;
  say('bad', t('tablet.sayWho'));
  want(null);
  return false;
}

/** Keep what was scanned on the device, and send it. */
export function scan(text) {
  if (box()) box().value = '';
  if (text.trim() === '' || !somebodyWorks()) return;
  const { ids } = readScan(text);
  const row = Rows.named(ids);
  const record = row?.dataset.record;
  const name = row ? nameOf(row) : ids[0];
  sender
    .add('scan', (key) => ({ scan: text, scanId: key, scanDate: String(Date.now()) }), {
      record,
      name,
      loads: true,
    })
    .then((item) => pending(item, t(row ? 'tablet.onList' : 'tablet.waiting')));
}

const nameOf = (row) => JSON.parse(row.dataset.names)[0];

const pressed = new WeakSet();

function press(form, action, fields) {
  // A second tap within a second is the same press.
  if (pressed.has(form) || !somebodyWorks()) return;
  pressed.add(form);
  setTimeout(() => pressed.delete(form), 1_000);
  const record = action === 'mark' ? fields.record : undefined;
  const before = record ? lastOf(record) : sender.items.findLast((item) => item.action === action);
  if (before && isSame(before.fields, fields)) return;
  const row = record && Rows.of(record);
  const loads = fields.status === 'LOADED';
  sender
    .add(action, () => fields, { record, name: row ? nameOf(row) : undefined, loads })
    .then((item) => pending(item, t('tablet.waiting')));
  listen();
}

const isLate = ({ at }) => document.body.dataset.feed !== 'live' || Date.now() - at >= SLOW_MS;

/** Say that something waits once its answer is late. */
function pending(item, text) {
  const told = () => {
    if (!sender.items.includes(item)) return;
    say('hold', text, item.name);
    drawPressed();
  };
  if (isLate(item)) told();
  else setTimeout(told, SLOW_MS);
}

// --- connection -------------------------------------------------------------------------------------------

function waits(items, signedOut) {
  document.dispatchEvent(new CustomEvent('kept', { detail: { items } }));
  waiting.of(items, signedOut);
  others.draw();
  // Also after a reload: rows show what waits for them.
  for (const item of items) {
    if (item.loads && item.record && lastOf(item.record) === item) rows.wait(item.record, item.key);
  }
  drawPressed();
}

/** A button shows that its press waits until the service has answered. */
function drawPressed() {
  for (const form of document.querySelectorAll('#live form[method="post"]')) {
    const { action, fields } = readForm(form);
    const item = sender.items.find((one) => one.action === action && isSame(one.fields, fields));
    form.setAttribute('aria-busy', String(item !== undefined));
    if (item && isLate(item)) form.querySelector('button').textContent = t('tablet.waiting');
  }
}

/** The state of the connection in a word, as there is little room. */
const SHORTLY = { live: 'live.live', polling: 'live.not', lost: 'tablet.offline' };

hooks.state = (state) => {
  document.getElementById('feed').textContent = t(SHORTLY[state]);
  waiting.lost(state === 'lost');
  if (state !== 'live') return;
  noteTurn();
  sender.flush();
};

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
  sender.flush();
  others.draw();
  waiting.draw();
  drawPressed();
  guard();
  keepWhose();
};

guard();
listen();
