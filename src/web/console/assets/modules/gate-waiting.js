import { clockMinute, t } from './words.js';

/** An item without an answer after this time is shown as waiting. */
const LATE_MS = 2_000;

/**
 * Shows how many items the server has not answered, and why. They appear in a strip, beside the count, and as
 * dashed cells of the load bar.
 */
export class Waiting {
  #strip;
  #text;
  #items = [];
  /** The time of the shown data, in epoch milliseconds; null while the connection works. */
  #knownAt = null;
  #signedOut = false;

  constructor(strip) {
    this.#strip = strip;
    this.#text = strip.querySelector('[role=status]');
    setInterval(() => this.draw(), 1_000);
  }

  show(items, signedOut) {
    this.#items = items;
    this.#signedOut = signedOut ?? this.#signedOut;
    this.draw();
  }

  get isLost() {
    return this.#knownAt !== null;
  }

  /** Set whether the connection is lost, and the time of the shown data. */
  setLost(isLost, knownAt) {
    this.#knownAt = isLost ? knownAt : null;
    this.draw();
  }

  draw() {
    const late = this.#items.filter(({ at }) => this.#knownAt !== null || Date.now() - at > LATE_MS);
    this.#drawStrip(late.length);
    const loads = late.filter(({ loads }) => loads).length;
    const label = document.getElementById('waits');
    if (label) {
      label.hidden = loads === 0;
      label.textContent = t('tablet.plus', { count: loads });
    }
    drawCells(loads);
  }

  #drawStrip(count) {
    const isLost = this.#knownAt !== null;
    this.#strip.hidden = !isLost && !this.#signedOut && count === 0;
    const waits = count === 0 ? '' : `${t('tablet.waits', { count })} `;
    const text = `${waits}${this.#why(isLost)}`;
    if (this.#text.textContent !== text) this.#text.textContent = text;
  }

  #why(isLost) {
    if (this.#signedOut) return t('tablet.signedOut');
    if (!isLost) return t('tablet.noAnswer');
    return t('tablet.keepScanning', { time: clockMinute(this.#knownAt) });
  }
}

/**
 * Draw the next cells of the load bar dashed, one for each waiting pallet. Only if each pallet has its own
 * cell.
 */
function drawCells(count) {
  const bar = document.querySelector('.load');
  bar?.querySelector('.wait')?.remove();
  const open = bar?.querySelector('.off');
  const cells = open?.getAttribute('d').split('z') ?? [];
  if (count === 0 || cells.length <= count) return;
  const wait = open.cloneNode();
  wait.setAttribute('class', 'wait');
  wait.setAttribute('d', `${cells.slice(0, count).join('z')}z`);
  bar.append(wait);
}
