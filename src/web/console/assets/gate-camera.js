import { scan } from './gate.js';
import { detector } from './modules/gate-detector.js';
import { keepForLater } from './modules/gate-keep.js';
import { readScan } from './modules/scan-text.js';
import { clockTime, t } from './modules/words.js';

/** From one look at the picture to the next: ten looks a second, where the device is as fast. */
const FRAME_MS = 100;
/** A code that comes back after this time is another reading; one that stays in the picture is one. */
const WINDOW_MS = 10_000;
/** The picture is scaled down to this many pixels on its longer side before it is read. */
const SIDE = 1_280;
/** Readings that the list shows. */
const LISTED = 50;

const video = document.getElementById('camera');
const said = document.getElementById('camera-state');
const torch = document.getElementById('torch');
const list = document.getElementById('reads');
const canvas = document.createElement('canvas');

/** When each code was last in the picture. */
const seen = new Map();

const SSCC = /^\d{18}$/;

/** Labels carry other codes, too: only a QR code can be a marker, and any other has to be an SSCC. */
function isOurs({ text, isSquare }) {
  const { ids, marker } = readScan(text);
  return (isSquare && marker !== null) || ids.some((id) => SSCC.test(id));
}

/** Handle the codes of a picture as scans: each once while it stays in view. */
function take(codes) {
  const now = performance.now();
  for (const { text } of codes.filter(isOurs)) {
    const before = seen.get(text);
    seen.set(text, now);
    if (before === undefined || now - before > WINDOW_MS) scan(text);
  }
  for (const [text, at] of seen) if (now - at > WINDOW_MS) seen.delete(text);
}

async function look(read) {
  const { videoWidth, videoHeight } = video;
  if (videoWidth > 0 && document.visibilityState === 'visible') {
    const scale = Math.min(1, SIDE / Math.max(videoWidth, videoHeight));
    canvas.width = Math.round(videoWidth * scale);
    canvas.height = Math.round(videoHeight * scale);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    take(await read(canvas, context));
  }
}

/** Show what the camera sees; false where there is no camera. */
async function show() {
  said.textContent = t('camera.starting');
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: 'environment', width: { ideal: SIDE } },
    });
    video.srcObject = stream;
    await video.play();
    offerTorch(stream.getVideoTracks()[0]);
    said.textContent = t('camera.point');
    return true;
  } catch {
    said.textContent = t('camera.none');
    return false;
  }
}

// The system ends the camera's stream while a tablet sleeps: start it anew.
document.addEventListener('visibilitychange', () => {
  const [track] = video.srcObject?.getVideoTracks() ?? [];
  if (document.visibilityState === 'visible' && track?.readyState === 'ended') show();
});

async function start() {
  if (!(await show())) return;
  const read = await detector();
  keepForLater();
  for (;;) {
    const began = performance.now();
    await look(read).catch((error) => {
      said.textContent = t('camera.unreadable', { error: error.message });
    });
    await new Promise((next) => setTimeout(next, Math.max(10, FRAME_MS - (performance.now() - began))));
  }
}

/** Offer the camera's light, where it has one. */
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

/** Class of a reading's line, by the outcome of its scan. */
const TONES = { LOADED: 'done', WORKER: 'done', WRONGLY_LOADED: 'wrong', UNKNOWN_LOADING: 'wrong' };

// --- what was read, and what became of it -------------------------------------------------------------------

/** The line of a reading, the newest first. */
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
  while (list.children.length > LISTED) list.lastElementChild.remove();
  return line;
}

function write(item, className, text, more) {
  const line = lineOf(item);
  line.className = className;
  line.querySelector('.m b').textContent = text;
  line.querySelector('.m span').textContent = more;
}

document.addEventListener('kept', ({ detail: { items } }) => {
  for (const item of items) {
    if (item.action === 'scan') write(item, 'wait', t('tablet.waiting'), item.name);
  }
});
document.addEventListener('answered', ({ detail: { item, told } }) => {
  if (item.action !== 'scan') return;
  const { outcome, said: text, pallet, manifest, refused } = told;
  if (refused) write(item, 'bad', refused, item.name);
  else {
    lineOf(item).querySelector('.d4').textContent = pallet.slice(-4);
    write(item, TONES[outcome] ?? 'bad', text, [pallet, manifest].filter(Boolean).join(', '));
  }
});

start();
