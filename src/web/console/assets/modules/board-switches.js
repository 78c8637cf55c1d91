import { ALARM, play } from './tones.js';
import { t } from './words.js';

/** Whether a switch is stored as on. All pages of this browser share it. */
export function isStoredOn(name) {
  try {
    return localStorage.getItem(name) === 'on';
  } catch {
    return false;
  }
}

/** Store the state of a switch. A browser without storage stores nothing. */
export function storeSwitch(name, on) {
  try {
    localStorage.setItem(name, on ? 'on' : 'off');
  } catch {
    // Storage is disabled.
  }
}

/**
 * Show a button with a stored on/off state. Without storage, the state lasts for this visit. Calls `changed(on)` at once
 * and on each press.
 */
function storedSwitch(button, name, changed) {
  const set = (on) => {
    button.setAttribute('aria-pressed', String(on));
    changed(on);
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    const on = button.getAttribute('aria-pressed') !== 'true';
    storeSwitch(name, on);
    set(on);
  });
  set(isStoredOn(name));
}

/** Volume of a board, from 0 to 1. */
const VOLUME = 0.2;

/** A switch for an alarm sound; initially off. Returns the function that plays the sound. */
export function soundSwitch(button) {
  let context = null;
  const sound = () => {
    if (context?.state === 'running') play(context, ALARM, VOLUME);
  };
  // Browsers allow sound only after the user has touched the page.
  const unlock = () => context?.resume();
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, unlock);
  let first = true;
  storedSwitch(button, 'board-sound', (on) => {
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

/** A switch that keeps the screen on while the page is visible. Hidden if the browser cannot do this. */
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
      // Refused, for example because the battery is low. The screen then turns off as usual.
    }
  };
  document.addEventListener('visibilitychange', take);
  storedSwitch(button, 'board-wake', (on) => {
    wanted = on;
    button.textContent = t(on ? 'board.wakeOn' : 'board.wakeOff');
    if (on) take();
    else lock?.release();
  });
}

/** Keep the name of the button that opens the switches: the name and the state of each switch. */
export function nameSwitches(opener, switches) {
  const name = () => {
    const shown = [...switches.children].filter(({ hidden }) => !hidden);
    opener.ariaLabel = shown.map(({ textContent }) => textContent).join(', ');
  };
  new MutationObserver(name).observe(switches, { subtree: true, childList: true, attributes: true });
  name();
}
