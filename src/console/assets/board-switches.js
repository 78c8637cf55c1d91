import { t } from './words.js';

/** Show a button that keeps its state from one visit to the next, and call back with it. */
function keptSwitch(button, name, changed) {
  const kept = () => {
    try {
      return localStorage.getItem(name) === 'on';
    } catch {
      return false;
    }
  };
  const set = (on) => {
    button.setAttribute('aria-pressed', String(on));
    changed(on);
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    const on = button.getAttribute('aria-pressed') !== 'true';
    try {
      localStorage.setItem(name, on ? 'on' : 'off');
    } catch {
      // Kept for this visit only.
    }
    set(on);
  });
  set(kept());
}

/** Frequency in hertz and start in seconds of each tone: two falling pairs, which no truck makes. */
const TONES = [
  [988, 0],
  [659, 0.22],
  [988, 0.5],
  [659, 0.72],
];
const TONE_S = 0.2;

/** A switch for a sound when something is wrong; off until somebody wants it. */
export function soundSwitch(button) {
  let context = null;
  const play = () => {
    if (context?.state !== 'running') return;
    for (const [frequency, start] of TONES) {
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      const from = context.currentTime + start;
      tone.type = 'square';
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0.2, from);
      volume.gain.exponentialRampToValueAtTime(0.001, from + TONE_S);
      tone.connect(volume).connect(context.destination);
      tone.start(from);
      tone.stop(from + TONE_S);
    }
  };
  // Browsers let a page sound after its first touch only.
  const unlock = () => context?.resume();
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, unlock);
  let first = true;
  keptSwitch(button, 'board-sound', (on) => {
    context ??= on ? new AudioContext() : null;
    if (!on) context?.suspend();
    else context.resume().then(() => first || play());
    button.textContent = t(on ? 'board.soundOn' : 'board.soundOff');
    queueMicrotask(() => {
      first = false;
    });
  });
  return { play };
}

/** A switch that keeps the screen of a tablet on while the page is shown, where the browser can. */
export function wakeSwitch(button) {
  if (!('wakeLock' in navigator)) return;
  let lock = null;
  let wanted = false;
  const take = async () => {
    if (!wanted || lock || document.visibilityState !== 'visible') return;
    try {
      lock = await navigator.wakeLock.request('screen');
      lock.addEventListener('release', () => {
        lock = null;
      });
    } catch {
      // The battery is low, say: the screen goes off as it would.
    }
  };
  document.addEventListener('visibilitychange', take);
  keptSwitch(button, 'board-wake', (on) => {
    wanted = on;
    button.textContent = t(on ? 'board.wakeOn' : 'board.wakeOff');
    if (on) take();
    else lock?.release();
  });
}
