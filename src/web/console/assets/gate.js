import { readingsOf } from '../../../pallet/identifier.ts';
import { hooks, refetch } from './live.js';
import { Alarm } from './modules/alarm.js';
import { closeQuestion, isQuestion } from './modules/dialog.js';
import { isSecondTap } from './modules/double-tap.js';
import { endStart, revealAnswer, showAnswer, showAnsweredPage } from './modules/gate-answer.js';
import { drawAside } from './modules/gate-aside.js';
import './modules/gate-burst.js';
import {
  compareBadge,
  remember,
  rememberIfPallet,
  takeRemembered,
  takesBadge,
} from './modules/gate-badge.js';
import './modules/gate-cache.js';
import { Choices } from './modules/gate-choices.js';
import './modules/gate-closing.js';
import { mustWait, sendAfterQueue } from './modules/gate-finish.js';
import { drawPendingButtons, isSame, QUEUED, readForm } from './modules/gate-forms.js';
import { isLate, SLOW_MS } from './modules/gate-late.js';
import { gluedOnPage, isPallet, questionOf, readOnPage, standingOf } from './modules/gate-list.js';
import { drawNotes, palletOf } from './modules/gate-notes.js';
import { Others } from './modules/gate-others.js';
import { Photos } from './modules/gate-photos.js';
import { Readings } from './modules/gate-readings.js';
import { Results } from './modules/gate-results.js';
import { Rows } from './modules/gate-rows.js';
import { beginTurn, drawTurn, endTurn } from './modules/gate-turn.js';
import { undoMark, undoRemoval, undoScan } from './modules/gate-undo.js';
import { Waiting } from './modules/gate-waiting.js';
import { bindSilence, updateAlarm } from './modules/gate-wrong.js';
import { needsWorker, noteNewTurn } from './modules/page-user.js';
import { lastFour } from './modules/pallet-name.js';
import { focusScanBox, scanBox } from './modules/scan-box.js';
import { STANDINGS } from './modules/scan-outcomes.js';
import { Sender } from './modules/sender.js';
import { t } from './modules/words.js';

const waiting = new Waiting(document.getElementById('offline'));
const alarm = new Alarm(document.getElementById('sound'));
const readings = new Readings();
const choices = new Choices(document.getElementById('choices'), scan);

// --- answers ----------------------------------------------------------------------------------------------

/** Show a refusal that the page makes itself. */
function showRefused(text, name) {
  showAnswer('bad', text, name);
  alarm.play('wrong');
}

/** Show the pallets that a scanner has typed as one text: by their last four digits, or whole if these are the same. */
function showGlued(glued) {
  const ends = glued.map(lastFour);
  const pallets = (new Set(ends).size < ends.length ? glued : ends).join(', ');
  showAnswer('bad', t('tablet.glued', { pallets }), '', { more: t('tablet.setEnter') });
}

const showTold = (text) => {
  showAnswer('told', text);
  focusScanBox();
};

/** Show the result from the page that answered a form. */
hooks.formAnswered = (page, form) => {
  rememberIfPallet(page);
  showAnsweredPage(page);
  focusScanBox(form);
  // The service worker caches pages that are fetched, but no answers of forms.
  refetch(null);
};

// --- sending ----------------------------------------------------------------------------------------------

const rows = new Rows({
  undo(record, key) {
    readings.forget();
    return undoMark(sender, rows, record, key);
  },
  removed: () => refetch(null),
});

/** The camera page (`/scan`) sends under the path of its gate page. */
const sender = new Sender(location.pathname.replace(/\/scan$/, ''), {
  answered(item, result) {
    const isRepeated = readings.isSame(item.key, result);
    document.dispatchEvent(
      new CustomEvent(isRepeated ? 'repeated' : 'answered', { detail: { item, result } }),
    );
    if (!isRepeated) results.show(item, result);
    if (result.ready !== undefined) early.set(item.fields.scan, Date.now());
    refetch(null);
    sendAfterQueue([sender, photos.sender]);
  },
  changed: (items, { signedOut }) => itemsChanged(items, signedOut),
  userChanged: () => refetch(null),
});
const photos = new Photos(sender.path, {
  mayTake: hasWorker,
  // Photos wait until all scans and presses are sent. A waiting scan may be the badge of a new worker, and the photos
  // after it belong to that worker.
  maySend: () => sender.items.length === 0,
  said: (tone, text, name) => {
    showAnswer(tone, text, name);
    focusScanBox();
    if (tone === 'told') refetch(null);
    sendAfterQueue([sender, photos.sender]);
  },
  userChanged: () => refetch(null),
});
const others = new Others(sender, photos.sender);

const results = new Results({
  ...{ rows, choices, alarm },
  items: () => sender.items,
  undoRemoval: (item) => undoRemoval(sender, item),
  start: (thing, button) => press(button, 'start', { thing }),
  refuse: ({ action, fields, name }, text) => {
    const glued = action === 'scan' ? gluedOnPage(readOnPage(fields.scan)) : [];
    if (glued.length > 0) showGlued(glued);
    else showAnswer('bad', text, name);
  },
});

/**
 * Queue the action of a form and send it. Returns false for a form that the browser should send. While scans, presses
 * or photos wait, an action that cannot be queued is refused.
 */
hooks.sendsForm = (form) => {
  if (others.sendsForm(form)) return true;
  const { action, fields } = readForm(form);
  if (action === 'work') return takesBadge(form, fields.workerSecret, { begin, refuse: showRefused });
  if (action === 'workEnd') {
    endTurn(sender, showTold);
    return true;
  }
  if (!QUEUED.includes(action)) {
    const queues = { isLost: waiting.isLost, items: sender.items, photos: photos.waiting };
    return mustWait(form, queues, showRefused);
  }
  // The list of alerts stays open, because there may be more of them.
  if (action !== 'resolve') form.closest('[popover]')?.hidePopover();
  form.closest('details.ask')?.removeAttribute('open');
  if (isQuestion(form)) closeQuestion();
  if (action === 'scan') scan(fields.scan);
  else press(form, action, fields);
  return true;
};

/**
 * Whether a worker is signed in, if the tablet needs a worker. If none is signed in, it asks who works here, because
 * work is recorded under a name.
 */
function hasWorker() {
  if (!needsWorker()) return true;
  showRefused(t('tablet.sayWho'));
  refetch(null);
  return false;
}

// --- scans and presses --------------------------------------------------------------------------------------

/** Queue each reading of a text as a scan and send it. */
export function scan(text) {
  if (scanBox()) scanBox().value = '';
  const readings = readingsOf(text);
  if (readings.length === 0) return;
  for (const reading of readings)
    compareBadge(reading, begin, (one) => (hasWorker() ? scanOne(one) : remember(one)));
  focusScanBox();
}

/** How long a scan before Start is kept, in milliseconds. */
const EARLY_MS = 60_000;
/** The texts of scans before Start, with their times. */
const early = new Map();
/** The texts that are scanned again as soon as the loading has begun. */
const due = new Set();

/** Start was pressed: the scans of the last minute count. */
function keepEarly() {
  for (const [text, at] of early) if (Date.now() - at < EARLY_MS) due.add(text);
  early.clear();
}

/** Scan the kept pallets that are on the list now. */
function scanEarly() {
  const kept = [...due];
  due.clear();
  for (const text of kept)
    if (standingOf(readOnPage(text), sender.items).standing === 'LISTED') scanOne(text);
}

/** A camera still reads a code that was scanned. */
export const stillInView = (text) => readings.touch(text);

/** Sign in a worker whose badge was scanned. Pallets that were scanned before that count now. */
function begin(worker) {
  beginTurn(sender, worker, showTold);
  takeRemembered().forEach(scanOne);
}

function scanOne(text) {
  const reading = readOnPage(text);
  const glued = waiting.isLost ? gluedOnPage(reading) : [];
  if (glued.length > 0) {
    showGlued(glued);
    alarm.play('wrong');
    return;
  }
  // With a connection, the service asks.
  const question = waiting.isLost && questionOf(reading);
  if (question) {
    choices.ask(question);
    return;
  }
  const found = standingOf(reading, sender.items);
  if (readings.isRepeated(text, found)) return;
  const { record, name } = found;
  const waits = record && results.lastItemOf(record);
  const standing = waits?.loads || waits?.standing === 'REPEATED' ? 'REPEATED' : found.standing;
  const fieldsOf = (key) => {
    // Another text may be the badge of a worker, who can come back at once.
    if (found.pallet !== undefined || isPallet(reading)) readings.add(key, text, found);
    return { scan: text, scanId: key, scanDate: String(Date.now()) };
  };
  sender
    .add('scan', fieldsOf, { record, name, standing, loads: standing === 'LISTED' })
    .then(showPendingScan);
}

const drawWaiting = () => drawAside(sender.items.filter(isLate), takeBack);

/** Take back a scan of a pallet that is not on the list. */
export async function takeBack(item) {
  readings.forget();
  await undoScan(sender, item);
  drawWaiting();
  focusScanBox();
}

/** Queue a press of a form, or of a button without one, and send it. */
function press(form, action, fields) {
  if (!hasWorker() || isSecondTap(form, fields)) return;
  readings.forget();
  const record = action === 'mark' ? fields.record : undefined;
  const before = record
    ? results.lastItemOf(record)
    : sender.items.findLast((item) => item.action === action);
  if (before && isSame(before.fields, fields)) return;
  const name = fields.record && palletOf(fields.record);
  const loads = fields.status === 'LOADED';
  sender.add(action, () => fields, { record, name, loads }).then((item) => showPending(item));
  if (action === 'start') keepEarly();
  focusScanBox(form);
}

/** Show an item as waiting once its answer is late. */
function showPending(item, show = () => showAnswer('hold', t('tablet.waiting'), item.name)) {
  const showLate = () => {
    if (!sender.items.includes(item)) return;
    show();
    drawItems();
    if (item.action === 'scan') revealAnswer();
  };
  if (isLate(item)) showLate();
  else setTimeout(showLate, SLOW_MS);
}

/** Show whether the pallet of a waiting scan is on the page's list, and play the sound for it. */
function showPendingScan(item) {
  const { tone, text, sound } = STANDINGS[item.standing];
  // A row of the list has its own button.
  const undo = Rows.ofRecord(item.record) ? undefined : { key: item.key, press: () => takeBack(item) };
  showPending(item, () => {
    showAnswer(tone, t(text), item.name, { undo });
    drawWaiting();
    alarm.play(sound);
  });
}

// --- connection -------------------------------------------------------------------------------------------

function itemsChanged(items, signedOut) {
  document.dispatchEvent(new CustomEvent('queued', { detail: { items } }));
  drawTurn(document, items);
  waiting.show(items, signedOut);
  if (items.length === 0) photos.sender.flush();
  others.draw();
  // Mark the rows of queued items, also after a reload.
  for (const item of items) {
    const last = item.record && results.lastItemOf(item.record);
    if (item.loads && (last === item || last?.standing === 'REPEATED')) rows.wait(item.record, item.key);
  }
  drawItems();
}

/** Show the queued items on buttons and in rows. */
function drawItems() {
  drawWaiting();
  drawPendingButtons(sender.items);
  drawNotes(sender.items.filter(isLate));
}

/** Short texts for the state of the connection. */
const SHORT_STATES = { live: 'live.live', polling: 'live.not', lost: 'tablet.offline' };

/** Whether the connection was lost since photos were last sent. */
let wasLost = false;

hooks.connectionChanged = (state, knownAt) => {
  document.getElementById('feed').textContent = t(SHORT_STATES[state]);
  waiting.setLost(state === 'lost', knownAt);
  wasLost ||= state !== 'live';
  if (state !== 'live') return;
  noteNewTurn();
  sender.flush();
  if (wasLost) photos.sender.restart();
  wasLost = false;
};

// --- the page ---------------------------------------------------------------------------------------------

hooks.beforeUpdate = (next) => {
  rows.keepIn(next);
  drawTurn(next, sender.items);
};
// A turn ends after a while, also without a connection.
setInterval(() => drawTurn(document, sender.items), 1_000);
const isLoading = () => document.querySelector('.count')?.matches(':not(.idle, .alldone)') ?? false;
let wasLoading = isLoading();

hooks.afterUpdate = () => {
  rows.bind();
  const count = document.querySelector('.count');
  // The questions were about a truck that has left. Questions from before a start stay.
  if (wasLoading && !isLoading()) choices.drop();
  wasLoading = isLoading();
  if (count?.matches(':not(.idle)')) {
    endStart();
    scanEarly();
  }
  sender.flush();
  others.draw();
  waiting.draw();
  drawItems();
  updateAlarm(alarm);
  takeRemembered().forEach(scanOne);
  // The focus was on an element that the update has removed.
  if (document.activeElement.tabIndex < 0) focusScanBox();
};

bindSilence(alarm);
updateAlarm(alarm);
drawPendingButtons(sender.items);
focusScanBox();
