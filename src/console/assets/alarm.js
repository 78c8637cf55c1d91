import { t } from './words.js';

/** Frequency in hertz and start in seconds of each tone: two falling pairs, which no truck makes. */
const ALARM = [
  [988, 0],
  [659, 0.22],
  [988, 0.5],
  [659, 0.72],
];
const GOOD = [[1_319, 0]];
const BAD = [
  [220, 0],
  [196, 0.2],
];
const TONE_S = 0.18;
/** Between one sounding of the alarm and the next. */
const REPEAT_MS = 2_500;
const KEPT = 'gate-sound';

/** Vibrate, which browsers let a page do after a touch only. */
const shake = (pattern) => navigator.userActivation?.hasBeenActive && navigator.vibrate?.(pattern);

/** Sounds of a gate, and the switch that says whether they can be heard: browsers let a page sound after a touch only. */
export class Alarm {
  #button;
  #context = null;
  #timer = 0;
  #wanted = true;

  constructor(button) {
    this.#button = button;
    try {
      this.#wanted = localStorage.getItem(KEPT) !== 'off';
    } catch {
      // Then it is wanted on each visit.
    }
    button.hidden = false;
    button.addEventListener('click', () => this.#press());
    for (const name of ['pointerdown', 'keydown']) addEventListener(name, () => this.#unlock());
    if (this.#wanted) this.#unlock();
    this.#say();
  }

  /** Whether it can be heard. */
  get sounds() {
    return this.#wanted && this.#context?.state === 'running';
  }

  good() {
    this.#play(GOOD, 0.12);
    shake(40);
  }

  bad() {
    this.#play(BAD, 0.25);
    shake([200, 100, 200]);
  }

  /** Sound until it is silenced. */
  ring() {
    if (this.#timer) return;
    const once = () => {
      this.#play(ALARM, 0.3);
      shake([400, 150, 400]);
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
    // Wanted, but not heard until now: the touch is what was missing.
    if (this.#wanted && !this.sounds) this.#unlock();
    else this.#wanted = !this.#wanted;
    try {
      localStorage.setItem(KEPT, this.#wanted ? 'on' : 'off');
    } catch {
      // Kept for this visit only.
    }
    if (this.#wanted) this.#unlock();
    this.#say();
  }

  #unlock() {
    if (!this.#wanted) return;
    if (!this.#context) {
      this.#context = new AudioContext();
      this.#context.onstatechange = () => this.#say();
    }
    if (this.#context.state !== 'running') this.#context.resume().then(() => this.#say());
  }

  #say() {
    const key = this.sounds ? 'soundOn' : this.#wanted ? 'tapForSound' : 'soundOff';
    this.#button.setAttribute('aria-pressed', String(this.sounds));
    this.#button.querySelector('span').textContent = t(`tablet.${key}`);
  }

  #play(tones, loud) {
    if (!this.sounds) return;
    for (const [frequency, start] of tones) {
      const [tone, volume] = [this.#context.createOscillator(), this.#context.createGain()];
      const from = this.#context.currentTime + start;
      tone.type = 'square';
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(loud, from);
      volume.gain.exponentialRampToValueAtTime(0.001, from + TONE_S);
      tone.connect(volume).connect(this.#context.destination);
      tone.start(from);
      tone.stop(from + TONE_S);
    }
  }
}
