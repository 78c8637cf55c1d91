import { ALARM, play, RESULTS } from './tones.js';
import { t } from './words.js';

/** How long the device vibrates and pauses for each result, in milliseconds. */
const VIBRATIONS = {
  ok: 40,
  wrong: [200, 100, 200],
  unknown: [80, 80, 80, 80, 80],
  queued: 40,
  repeated: [40, 80, 40],
  told: 80,
};
/** Time between two repetitions of the alarm. */
const REPEAT_MS = 2_500;
const KEY = 'gate-sound';

/** Vibrate the device. Browsers allow this only after the user has touched the page. */
const vibrate = (pattern) => navigator.userActivation?.hasBeenActive && navigator.vibrate?.(pattern);

/**
 * Sounds of a gate page and the button that switches them on and off. Browsers allow sound only after the
 * user has touched the page.
 */
export class Alarm {
  #button;
  #context = null;
  #timer = 0;
  #isOn = true;

  constructor(button) {
    this.#button = button;
    try {
      this.#isOn = localStorage.getItem(KEY) !== 'off';
    } catch {
      // The browser stores nothing: sound is on at each visit.
    }
    button.hidden = false;
    button.addEventListener('click', () => this.#press());
    for (const name of ['pointerdown', 'keydown']) addEventListener(name, () => this.#unlock());
    if (this.#isOn) this.#unlock();
    this.#drawButton();
  }

  /** Whether sound is on and the browser allows it. */
  get sounds() {
    return this.#isOn && this.#context?.state === 'running';
  }

  /** Play the sound of a result: a key of `RESULTS`. */
  play(result) {
    this.#play(RESULTS[result], result === 'ok' ? 0.12 : 0.25);
    vibrate(VIBRATIONS[result]);
  }

  /** Repeat the alarm until `silence()` is called. */
  ring() {
    if (this.#timer) return;
    const once = () => {
      this.#play(ALARM, 0.3);
      vibrate([400, 150, 400]);
    };
    once();
    this.#timer = setInterval(once, REPEAT_MS);
  }

  silence() {
    clearInterval(this.#timer);
    this.#timer = 0;
  }

  get rings() {
    return this.#timer !== 0;
  }

  #press() {
    // Sound is on but the browser blocked it: this touch unblocks it. It must not switch the sound off.
    if (this.#isOn && !this.sounds) this.#unlock();
    else this.#isOn = !this.#isOn;
    try {
      localStorage.setItem(KEY, this.#isOn ? 'on' : 'off');
    } catch {
      // The browser stores nothing: the choice lasts for this visit.
    }
    if (this.#isOn) this.#unlock();
    this.#drawButton();
  }

  #unlock() {
    if (!this.#isOn) return;
    if (!this.#context) {
      this.#context = new AudioContext();
      this.#context.onstatechange = () => this.#drawButton();
    }
    // The promise rejects if the context was closed, for example because the device has no sound output.
    if (this.#context.state !== 'running')
      this.#context.resume().then(
        () => this.#drawButton(),
        () => undefined,
      );
  }

  #drawButton() {
    const key = this.sounds ? 'soundOn' : this.#isOn ? 'tapForSound' : 'soundOff';
    this.#button.setAttribute('aria-pressed', String(this.sounds));
    this.#button.querySelector('span').textContent = t(`tablet.${key}`);
  }

  #play(tones, volume) {
    if (this.sounds) play(this.#context, tones, volume);
  }
}
