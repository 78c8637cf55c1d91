import { visible } from '../../../pallet/identifier.ts';
import { scan, stillInView, takeBack } from './gate.js';
import { undoableKey } from './modules/gate-answer.js';
import { isAside } from './modules/gate-aside.js';
import { cachePage } from './modules/gate-cache.js';
import { detector } from './modules/gate-detector.js';
import { readOnPage } from './modules/gate-list.js';
import { lastFour, palletName } from './modules/pallet-name.js';
import { STANDINGS, styleOf } from './modules/scan-outcomes.js';
import { undoButton } from './modules/undo-button.js';
import { clockTime, t } from './modules/words.js';

/** Time between two readings of the picture: ten per second, if the device is fast enough. */
const FRAME_MS = 100;
/** A code that stays in view is one reading. If it was out of view for longer than this, it is a new one. */
const SAME_READING_MS = 10_000;
/** The picture is scaled down to this many pixels on its longer side before reading. */
const SIDE_MAXIMUM = 1_280;
/** How many readings the list shows. */
const LIST_MAXIMUM = 50;

const video = document.getElementById('camera');
const stateText = document.getElementById('camera-state');
const torch = document.getElementById('torch');
const list = document.getElementById('reads');
const canvas = document.createElement('canvas');

/** When each code was last in the picture. */
const seen = new Map();

const SSCC = /^\d{18}$/;

/**
 * Labels have other codes, too. A code is used if it is a QR code with a marker code, contains an SSCC, or is a URI of a
 * pallet.
 */
function isOurs({ text, isSquare }) {
  const { text: named, literal, meant, marker } = readOnPage(text);
  if (named !== visible(text)) return true;
  return (isSquare && marker !== null) || [...literal, ...meant].some((id) => SSCC.test(id));
}

/** Scan the codes of a picture, each once while it stays in view. */
function scanNew(codes) {
  const now = performance.now();
  for (const { text } of codes.filter(isOurs)) {
    const before = seen.get(text);
    seen.set(text, now);
    if (before === undefined || now - before > SAME_READING_MS) scan(text);
    else stillInView(text);
  }
  for (const [text, at] of seen) if (now - at > SAME_READING_MS) seen.delete(text);
}

async function readFrame(read) {
  const { videoWidth, videoHeight } = video;
  if (videoWidth > 0 && document.visibilityState === 'visible') {
    const scale = Math.min(1, SIDE_MAXIMUM / Math.max(videoWidth, videoHeight));
    canvas.width = Math.round(videoWidth * scale);
    canvas.height = Math.round(videoHeight * scale);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    scanNew(await read(canvas, context));
  }
}

/** Show the camera picture. Returns false if there is no camera. */
async function show() {
  stateText.textContent = t('camera.starting');
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: 'environment', width: { ideal: SIDE_MAXIMUM } },
    });
    video.srcObject = stream;
    await video.play();
    offerTorch(stream.getVideoTracks()[0]);
    stateText.textContent = t('camera.point');
    return true;
  } catch {
    stateText.textContent = t('camera.none');
    return false;
  }
}

// The system ends the camera stream while a tablet sleeps: start it again.
document.addEventListener('visibilitychange', () => {
  const [track] = video.srcObject?.getVideoTracks() ?? [];
  if (document.visibilityState === 'visible' && track?.readyState === 'ended') show();
});

/** Time between two attempts to load the detector. */
const RETRY_MS = 2_000;

/** Load the detector. Without a connection it tries again until the connection is back. */
async function loaded() {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await detector(attempt);
    } catch {
      stateText.textContent = t('camera.loading');
      await new Promise((next) => setTimeout(next, RETRY_MS));
    }
  }
}

async function start() {
  // Load it before the camera is allowed, because the connection may be lost later.
  const loading = loaded();
  if (!(await show())) return;
  const read = await loading;
  stateText.textContent = t('camera.point');
  cachePage();
  for (;;) {
    const began = performance.now();
    await readFrame(read).catch((error) => {
      stateText.textContent = t('camera.unreadable', { error: error.message });
    });
    await new Promise((next) => setTimeout(next, Math.max(10, FRAME_MS - (performance.now() - began))));
  }
}

/** Show the button for the camera's light, if there is one. */
function offerTorch(track) {
  if (!track.getCapabilities?.().torch) return;
  torch.hidden = false;
  torch.setAttribute('aria-pressed', 'false');
  torch.onclick = async () => {
    const on = torch.getAttribute('aria-pressed') !== 'true';
    await track.applyConstraints({ advanced: [{ torch: on }] });
    torch.setAttribute('aria-pressed', String(on));
  };
}

// --- list of readings and their results
// ---------------------------------------------------------------------

/** The line of a reading. A new line is added at the top. */
function lineOf({ key, at, name }) {
  const known = document.getElementById(`read-${key}`);
  if (known) return known;
  const line = Object.assign(document.createElement('li'), { id: `read-${key}` });
  line.append(
    Object.assign(document.createElement('b'), { className: 'd4', textContent: lastFour(name) }),
    Object.assign(document.createElement('p'), { className: 'm' }),
    Object.assign(document.createElement('time'), { textContent: clockTime(at) }),
  );
  list.prepend(line);
  while (list.children.length > LIST_MAXIMUM) list.lastElementChild.remove();
  return line;
}

/** Show the text of a result. The pallet and its manifest follow, each in its own line. */
function updateLine(item, className, text, pallet, manifest) {
  const line = lineOf(item);
  line.className = className;
  line.querySelector('[data-undo]')?.remove();
  line
    .querySelector('.m')
    .replaceChildren(
      Object.assign(document.createElement('b'), { textContent: text }),
      palletName(pallet),
      ...(manifest ? [Object.assign(document.createElement('span'), { textContent: manifest })] : []),
    );
}

document.addEventListener('queued', ({ detail: { items } }) => {
  for (const item of items) {
    if (item.action !== 'scan' || item.fields.direction) continue;
    const { line, text } = STANDINGS[item.standing];
    updateLine(item, line, t(text), item.name);
    // The answer has the button of the last scan.
    if (isAside(item) && item.key !== undoableKey())
      lineOf(item).append(undoButton(item.name, () => takeBack(item)));
  }
});
document.addEventListener('takenback', ({ detail: { item } }) => {
  updateLine(item, 'told', t('tablet.takenBack'), item.name);
});
document.addEventListener('answered', ({ detail: { item, result } }) => {
  if (item.action !== 'scan' || item.fields.direction) return;
  const { said: text, pallet, manifest, refused, choices } = result;
  if (refused) updateLine(item, 'bad', refused, item.name);
  else if (choices) updateLine(item, 'wait', text, item.name);
  else {
    lineOf(item).querySelector('.d4').textContent = lastFour(pallet);
    updateLine(item, styleOf(result).line, text, pallet, manifest);
  }
});
document.addEventListener('repeated', ({ detail: { item } }) => {
  document.getElementById(`read-${item.key}`)?.remove();
});

start();
