import { t } from './words.js';

/** An item without an answer after this time is shown as waiting. */
const LATE_MS = 2_000;

/**
 * Shows how many items the server has not answered, and why. They appear in a strip, beside the count, and as
 * dashed cells of the load bar.
 */
export class Waiting {
  #strip;
  #items = [];
  #lostAt = null;
  #signedOut = false;

  constructor(strip) {
    this.#strip = strip;
    setInterval(() => this.draw(), 1_000);
  }

  show(items, signedOut) {
    this.#items = items;
    this.#signedOut = signedOut ?? this.#signedOut;
    this.draw();
  }

  /** Set whether the connection is lost. */
  setLost(isLost) {
    this.#lostAt = isLost ? (this.#lostAt ?? Date.now()) : null;
    this.draw();
  }

  draw() {
    const late = this.#items.filter(({ at }) => this.#lostAt !== null || Date.now() - at > LATE_MS);
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
    const isLost = this.#lostAt !== null;
    this.#strip.hidden = !isLost && !this.#signedOut && count === 0;
    const waits = count === 0 ? '' : `${t('tablet.waits', { count })} `;
    const text = `${waits}${this.#why(isLost)}`;
    if (this.#strip.textContent !== text) this.#strip.textContent = text;
    // Screen readers should not read the running seconds.
    this.#strip.setAttribute('aria-live', isLost && count === 0 ? 'polite' : 'off');
  }

  #why(isLost) {
    if (this.#signedOut) return t('tablet.signedOut');
    if (!isLost) return t('tablet.noAnswer');
    const seconds = Math.floor((Date.now() - this.#lostAt) / 1_000);
    const since = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    return t('tablet.keepScanning', { since });
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
