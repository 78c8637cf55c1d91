import { STAYS_MS } from './board-parts.js';
import { UNDO_GUARD_MS } from './double-tap.js';
import { t } from './words.js';

/** Bring a row into sight if its list scrolls by itself. On a phone the page scrolls, and the answer is in sight there. */
function reveal(row) {
  const list = row?.closest('.gr');
  if (list && getComputedStyle(list).overflowY !== 'visible') row.scrollIntoView({ block: 'nearest' });
}

/** Keeps marked rows in place for a while, so that nothing moves under a finger. */
export class Rows {
  #kept = new Map();
  #undo;
  #removed;

  constructor({ undo, removed }) {
    this.#undo = undo;
    this.#removed = removed;
    setInterval(() => this.#tick(), 250);
  }

  /** The row of a record (by uuid) in the list of pallets to load. */
  static ofRecord = (record) => document.getElementById(`open-${record}`);

  /** Show a record as loaded for a while, with an undo button. */
  mark(record, key) {
    this.#keep(record, key, Date.now() + STAYS_MS);
    reveal(Rows.ofRecord(record));
  }

  /** Show a record as waiting for the server. `key`: the key of its queued item. */
  wait(record, key) {
    if (this.#kept.get(record)?.key !== key) this.#keep(record, key, Number.POSITIVE_INFINITY);
  }

  #keep(record, key, until) {
    const row = Rows.ofRecord(record);
    if (!row) return;
    const before = this.#kept.get(record);
    const html = before?.before ?? row.innerHTML;
    this.#kept.set(record, { before: html, key, since: before?.since ?? Date.now(), until });
    this.#draw(record);
  }

  /** Restore the row after a refusal or an undo. */
  restore(record) {
    const kept = this.#kept.get(record);
    this.#kept.delete(record);
    const row = Rows.ofRecord(record);
    if (!kept || !row) return;
    row.className = '';
    row.innerHTML = kept.before;
  }

  /** Call before the page is updated: copies the kept rows into `next`, the new HTML, at their positions. */
  keepIn(next) {
    const list = next.querySelector('#open');
    if (!list) return;
    for (const record of this.#kept.keys()) {
      const row = Rows.ofRecord(record);
      if (!row) continue;
      const index = [...row.parentElement.children].indexOf(row);
      list.querySelector(`#open-${CSS.escape(record)}`)?.remove();
      list.insertBefore(row.cloneNode(true), list.children[index] ?? null);
    }
  }

  /** Call after the update: binds the undo buttons again. */
  bind() {
    for (const record of this.#kept.keys()) this.#draw(record);
  }

  #draw(record) {
    const row = Rows.ofRecord(record);
    const kept = this.#kept.get(record);
    if (!row) return;
    const waits = kept.until === Number.POSITIVE_INFINITY;
    row.className = waits ? 'wait' : 'done';
    let button = row.querySelector('[data-undo]');
    if (!button) {
      const text = Object.assign(document.createElement('p'), { className: 'm' });
      text.append(document.createElement('b'), document.createElement('br'));
      const name = row.querySelector('.sscc');
      if (name) text.append(name);
      button = Object.assign(document.createElement('button'), { type: 'button', className: 'button quiet' });
      button.dataset.undo = '';
      const pallet = Object.assign(document.createElement('span'), { className: 'hidden' });
      button.append(t('tablet.undo'), pallet, document.createElement('span'));
      row.replaceChildren(row.querySelector('.d4'), text, button);
    }
    const name = row.querySelector('.sscc')?.textContent ?? '';
    row.querySelector('.m b').textContent = t(waits ? 'tablet.waiting' : 'tablet.loaded');
    const left = Math.max(1, Math.ceil((kept.until - Date.now()) / 1_000));
    const [pallet, seconds] = button.children;
    pallet.textContent = ` ${name}`;
    seconds.textContent = waits ? '' : ` ${t('when.seconds', { seconds: left })}`;
    button.onclick = () => {
      if (Date.now() - kept.since >= UNDO_GUARD_MS) this.#undo(record, kept.key);
    };
  }

  #tick() {
    for (const [record, { until }] of this.#kept) {
      if (Date.now() < until) this.#draw(record);
      else {
        this.#kept.delete(record);
        Rows.ofRecord(record)?.remove();
        this.#removed();
      }
    }
  }
}
