import { t } from './words.js';

/** Longer than an answer takes: what is older is said to wait. */
const LATE_MS = 2_000;

/**
 * Shows how much the service has not answered yet, and why: in a strip of its own, beside the count, and as dashed cells of the load
 * bar.
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

  /** Show these items as what waits. */
  of(items, signedOut) {
    this.#items = items;
    this.#signedOut = signedOut ?? this.#signedOut;
    this.draw();
  }

  /** Note whether the connection is lost. */
  lost(isLost) {
    this.#lostAt = isLost ? (this.#lostAt ?? Date.now()) : null;
    this.draw();
  }

  draw() {
    const late = this.#items.filter(({ at }) => this.#lostAt !== null || Date.now() - at > LATE_MS);
    this.#drawStrip(late.length);
    const loads = late.filter(({ loads }) => loads).length;
    const words = document.getElementById('waits');
    if (words) {
      words.hidden = loads === 0;
      words.textContent = t('tablet.plus', { count: loads });
    }
    drawCells(loads);
  }

  #drawStrip(many) {
    const isLost = this.#lostAt !== null;
    this.#strip.hidden = !isLost && !this.#signedOut && many === 0;
    const count = many === 0 ? '' : `${t('tablet.waits', { count: many })} `;
    const text = `${count}${this.#why(isLost)}`;
    if (this.#strip.textContent !== text) this.#strip.textContent = text;
    // Screen readers need not read the seconds that pass.
    this.#strip.setAttribute('aria-live', isLost && many === 0 ? 'polite' : 'off');
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
 * Draw the next cells of the load bar dashed, one for each pallet that waits, where each pallet has a cell of its own.
 */
function drawCells(many) {
  const bar = document.querySelector('.load');
  bar?.querySelector('.wait')?.remove();
  const open = bar?.querySelector('.off');
  const cells = open?.getAttribute('d').split('z') ?? [];
  if (many === 0 || cells.length <= many) return;
  const wait = open.cloneNode();
  wait.setAttribute('class', 'wait');
  wait.setAttribute('d', `${cells.slice(0, many).join('z')}z`);
  bar.append(wait);
}
