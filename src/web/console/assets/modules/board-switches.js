import { ALARM, play } from './tones.js';
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
      // A browser that keeps nothing: the choice is for this visit.
    }
    set(on);
  });
  set(kept());
}

/** Volume of a board, from 0 to 1. */
const VOLUME = 0.2;

/** A switch for a sound when something is wrong, off until somebody wants it; what plays the sound. */
export function soundSwitch(button) {
  let context = null;
  const sound = () => {
    if (context?.state === 'running') play(context, ALARM, VOLUME);
  };
  // Browsers let a page sound after its first touch only.
  const unlock = () => context?.resume();
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, unlock);
  let first = true;
  keptSwitch(button, 'board-sound', (on) => {
    context ??= on ? new AudioContext() : null;
    if (!on) context?.suspend();
    else context.resume().then(() => first || sound());
    button.textContent = t(on ? 'board.soundOn' : 'board.soundOff');
    queueMicrotask(() => {
      first = false;
    });
  });
  return sound;
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
      // Refused, when the battery is low, say: the screen goes off as it always would.
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
