import { ALARM, play } from './tones.js';
import { t } from './words.js';

/** Tones of an answer, in the form of `ALARM`. */
const GOOD = [[1_319, 0]];
const BAD = [
  [220, 0],
  [196, 0.2],
];
/** From one sounding of the alarm to the next. */
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
      // A browser that keeps nothing: sound is wanted on each visit.
    }
    button.hidden = false;
    button.addEventListener('click', () => this.#press());
    for (const name of ['pointerdown', 'keydown']) addEventListener(name, () => this.#unlock());
    if (this.#wanted) this.#unlock();
    this.#say();
  }

  /** Whether sounds can be heard now. */
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
    // Sound was wanted and could not be heard: this touch is what the browser waited for.
    if (this.#wanted && !this.sounds) this.#unlock();
    else this.#wanted = !this.#wanted;
    try {
      localStorage.setItem(KEPT, this.#wanted ? 'on' : 'off');
    } catch {
      // A browser that keeps nothing: the choice is for this visit.
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

  #play(tones, volume) {
    if (this.sounds) play(this.#context, tones, volume);
  }
}
