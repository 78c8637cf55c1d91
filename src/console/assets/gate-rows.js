import { t } from './words.js';

/** How long a row that was marked stays, with its way back. */
const STAYS_MS = 10_000;
/** A second tap of the same hand is no way back. */
const GUARD_MS = 700;

/** Rows that stay in their place after they were marked, so that nothing moves under a finger. */
export class Rows {
  #kept = new Map();
  #undo;
  #gone;

  constructor({ undo, gone }) {
    this.#undo = undo;
    this.#gone = gone;
    setInterval(() => this.#tick(), 250);
  }

  /** The row of a record among what is to load. */
  static of = (record) => document.getElementById(`open-${record}`);

  /** The row that a scan names. */
  static named(ids) {
    return [...document.querySelectorAll('#open [data-names]')].find((row) =>
      JSON.parse(row.dataset.names).some((name) => name !== '' && ids.includes(name)),
    );
  }

  /** A record is loaded: its row says so, and stays for a while with its way back. */
  mark(record, key) {
    this.#keep(record, key, Date.now() + STAYS_MS);
  }

  /** The same of one that the service does not know of yet. */
  wait(record, key) {
    if (this.#kept.get(record)?.key !== key) this.#keep(record, key, Number.POSITIVE_INFINITY);
  }

  #keep(record, key, until) {
    const row = Rows.of(record);
    if (!row) return;
    const before = this.#kept.get(record);
    const html = before?.before ?? row.innerHTML;
    this.#kept.set(record, { before: html, key, since: before?.since ?? Date.now(), until });
    this.#draw(record);
  }

  /** It was not done, or was taken back. */
  restore(record) {
    const kept = this.#kept.get(record);
    this.#kept.delete(record);
    const row = Rows.of(record);
    if (!kept || !row) return;
    row.className = '';
    row.innerHTML = kept.before;
  }

  /** Before the page becomes what a document says: rows that stay keep their place in it. */
  keepIn(next) {
    const list = next.querySelector('#open');
    if (!list) return;
    for (const record of this.#kept.keys()) {
      const row = Rows.of(record);
      if (!row) continue;
      const index = [...row.parentElement.children].indexOf(row);
      list.querySelector(`#open-${CSS.escape(record)}`)?.remove();
      list.insertBefore(row.cloneNode(true), list.children[index] ?? null);
    }
  }

  /** After it has: buttons are bound to their rows again. */
  bind() {
    for (const record of this.#kept.keys()) this.#draw(record);
  }

  #draw(record) {
    const row = Rows.of(record);
    const kept = this.#kept.get(record);
    if (!row) return;
    const waits = kept.until === Number.POSITIVE_INFINITY;
    row.className = waits ? 'wait' : 'done';
    let button = row.querySelector('[data-undo]');
    if (!button) {
      const said = Object.assign(document.createElement('p'), { className: 'm' });
      said.append(document.createElement('b'), document.createElement('br'));
      const name = row.querySelector('.sscc');
      if (name) said.append(name);
      button = Object.assign(document.createElement('button'), { type: 'button', className: 'button quiet' });
      button.dataset.undo = '';
      const whose = Object.assign(document.createElement('span'), { className: 'hidden' });
      button.append(t('tablet.undo'), whose, document.createElement('span'));
      row.replaceChildren(row.querySelector('.d4'), said, button);
    }
    const name = row.querySelector('.sscc')?.textContent ?? '';
    row.querySelector('.m b').textContent = t(waits ? 'tablet.waiting' : 'tablet.loaded');
    const left = Math.max(1, Math.ceil((kept.until - Date.now()) / 1_000));
    const [whose, seconds] = button.children;
    whose.textContent = ` ${name}`;
    seconds.textContent = waits ? '' : ` ${left} s`;
    button.onclick = () => {
      if (Date.now() - kept.since >= GUARD_MS) this.#undo(record, kept.key);
    };
  }

  #tick() {
    for (const [record, { until }] of this.#kept) {
      if (Date.now() < until) this.#draw(record);
      else {
        this.#kept.delete(record);
        Rows.of(record)?.remove();
        this.#gone();
      }
    }
  }
}
