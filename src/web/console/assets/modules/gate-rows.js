import { t } from './words.js';

/** A row that was marked stays this long, with its button to undo. */
const STAYS_MS = 10_000;
/** A tap on that button within this time is the second half of a double tap, not an undo. */
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

  /** The row of a record (by uuid) in the list of pallets still to load. */
  static of = (record) => document.getElementById(`open-${record}`);

  /** The row of that list that one of these ids names. */
  static named(ids) {
    return [...document.querySelectorAll('#open [data-names]')].find((row) =>
      JSON.parse(row.dataset.names).some((name) => name !== '' && ids.includes(name)),
    );
  }

  /** Show a record as loaded: its row says so, and stays for a while with its button to undo. */
  mark(record, key) {
    this.#keep(record, key, Date.now() + STAYS_MS);
  }

  /** Show a record as loaded by a press or scan (by its key) that the service has not answered yet. */
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

  /** Show a row as it was before: nothing was done, or it was taken back. */
  restore(record) {
    const kept = this.#kept.get(record);
    this.#kept.delete(record);
    const row = Rows.of(record);
    if (!kept || !row) return;
    row.className = '';
    row.innerHTML = kept.before;
  }

  /** Before the page is updated from `next`: put the rows that stay into it, in their place. */
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

  /** After the update: bind the buttons of these rows again. */
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
