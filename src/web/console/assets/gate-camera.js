import { readIdentifier } from '../../../core/lib/identifier.ts';
import { scan } from './gate.js';
import { cachePage } from './modules/gate-cache.js';
import { detector } from './modules/gate-detector.js';
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

/** Labels have other codes, too. A code is used if it is a QR code with a marker code, or contains an SSCC. */
function isOurs({ text, isSquare }) {
  const { literal, meant, marker } = readIdentifier(text);
  return (isSquare && marker !== null) || [...literal, ...meant].some((id) => SSCC.test(id));
}

/** Scan the codes of a picture, each once while it stays in view. */
function scanNew(codes) {
  const now = performance.now();
  for (const { text } of codes.filter(isOurs)) {
    const before = seen.get(text);
    seen.set(text, now);
    if (before === undefined || now - before > SAME_READING_MS) scan(text);
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

async function start() {
  if (!(await show())) return;
  const read = await detector();
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

/** Class of a line, by the outcome of the scan. */
const TONES = { LOADED: 'done', WORKER: 'done', WRONGLY_LOADED: 'wrong', UNKNOWN_LOADING: 'wrong' };

// --- list of readings and their results
// ---------------------------------------------------------------------

/** The line of a reading. A new line is added at the top. */
function lineOf({ key, at, name }) {
  const known = document.getElementById(`read-${key}`);
  if (known) return known;
  const line = Object.assign(document.createElement('li'), { id: `read-${key}` });
  const what = Object.assign(document.createElement('p'), { className: 'm' });
  what.append(document.createElement('b'), document.createElement('span'));
  line.append(
    Object.assign(document.createElement('b'), { className: 'd4', textContent: name.slice(-4) }),
    what,
    Object.assign(document.createElement('time'), { textContent: clockTime(at) }),
  );
  list.prepend(line);
  while (list.children.length > LIST_MAXIMUM) list.lastElementChild.remove();
  return line;
}

function updateLine(item, className, text, more) {
  const line = lineOf(item);
  line.className = className;
  line.querySelector('.m b').textContent = text;
  line.querySelector('.m span').textContent = more;
}

document.addEventListener('queued', ({ detail: { items } }) => {
  for (const item of items) {
    if (item.action === 'scan') updateLine(item, 'wait', t('tablet.waiting'), item.name);
  }
});
document.addEventListener('answered', ({ detail: { item, result } }) => {
  if (item.action !== 'scan') return;
  const { outcome, said: text, pallet, manifest, refused, choices } = result;
  if (refused) updateLine(item, 'bad', refused, item.name);
  else if (choices) updateLine(item, 'wait', text, item.name);
  else {
    lineOf(item).querySelector('.d4').textContent = pallet.slice(-4);
    updateLine(item, TONES[outcome] ?? 'bad', text, [pallet, manifest].filter(Boolean).join(', '));
  }
});

start();
