import { isCached, live } from './board-parts.js';
import { clockTime, t } from './words.js';

/** The state of the connection to the server, as the page shows it: `live`, `polling` or `lost`. */
export class Connection {
  /** Whether the state is lost only because the device has reported that it is offline. */
  isReportedLost = false;
  #line = document.getElementById('feed');
  #state;
  /** The time of the shown data: when the page was last live, or when the server rendered it. Epoch milliseconds. */
  #knownAt = Number(live().dataset.read);

  get isLost() {
    return this.#state === 'lost';
  }

  /** Shows whether the page is live, and otherwise the time of its data. Returns the state and this time. */
  show(isLive, isReached) {
    this.isReportedLost = false;
    const state = isLive && isReached ? 'live' : isReached ? 'polling' : 'lost';
    document.body.dataset.feed = state;
    if (state === 'live' ? !isCached() : this.#state === 'live') this.#knownAt = Date.now();
    const text = t(`live.${state}`, { time: clockTime(this.#knownAt) });
    // Screen readers read a changed status aloud. A new time alone is not worth it.
    this.#line.setAttribute('aria-live', state === this.#state ? 'off' : 'polite');
    this.#state = state;
    this.#line.textContent = text;
    return { state, knownAt: this.#knownAt };
  }
}
