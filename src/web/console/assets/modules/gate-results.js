import { STAYS_MS } from './board-parts.js';
import { endUndo, revealAnswer, showAnswer } from './gate-answer.js';
import { soundOf, styleOf } from './scan-outcomes.js';
import { t } from './words.js';

/** Shows and sounds the server's answers about queued items. `items()` returns the items that are still queued. */
export class Results {
  #parts;

  constructor(parts) {
    this.#parts = parts;
  }

  /** The newest queued item of a record; its row shows this item. */
  lastItemOf(record) {
    return this.#parts.items().findLast((item) => item.record === record);
  }

  show(item, result) {
    const { choices, alarm, refuse } = this.#parts;
    if (result.refused || result.choices) this.#restoreRow(item);
    const sound = item.action === 'scan' && soundOf(result);
    if (sound) alarm.play(sound);
    if (result.refused) refuse(item, result.refused);
    else if (result.choices) {
      // Ask which pallet the scan means. The scan itself is over.
      showAnswer('hold', result.said, item.name);
      choices.ask(result);
    } else this.#showDone(item, result);
    // A question is in view by itself.
    if (item.action === 'scan' && !result.choices) revealAnswer();
  }

  #restoreRow({ record }) {
    if (record) this.#parts.rows.restore(record);
  }

  #showDone(item, result) {
    const { outcome, said, pallet, manifest, record, hint, done, start } = result;
    if (outcome === 'WORKER') showAnswer('told', done);
    else if (item.action === 'scan') {
      // The page knows a part of the pallets, so the server may have found another one.
      if (item.record !== record) this.#restoreRow(item);
      if (outcome === 'LOADED') this.#showLoaded(record, item.key);
      showAnswer(styleOf(result).tone, said, pallet, {
        // The button has the name of the load.
        more: [!start && manifest, hint].filter(Boolean).join(', '),
        start: start && {
          ...start,
          name: manifest,
          press: (button) => this.#parts.start(start.thing, button),
        },
      });
    } else if (item.loads) {
      this.#showLoaded(item.record, item.key);
      showAnswer('ok', t('tablet.loaded'), item.name);
      this.#parts.alarm.play('ok');
    } else {
      if (item.record && !this.lastItemOf(item.record)) this.#restoreRow(item);
      const undo = result.undo ? { key: item.key, press: () => this.#parts.undoRemoval(item) } : undefined;
      showAnswer('told', done, item.name, { undo });
      if (undo) setTimeout(() => endUndo(item.key), STAYS_MS);
    }
  }

  /** Show a record as loaded, with its undo button, unless another item of the record is queued. */
  #showLoaded(record, key) {
    if (!this.lastItemOf(record)) this.#parts.rows.mark(record, key);
  }
}
