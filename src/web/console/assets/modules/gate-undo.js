import { endUndo, showAnswer } from './gate-answer.js';
import { palletOf } from './gate-notes.js';
import { Rows } from './gate-rows.js';
import { focusScanBox } from './scan-box.js';
import { t } from './words.js';

/** Undo what marked a row: the queued item with this key, and the queued scans of the record (by uuid). */
export async function undoMark(sender, rows, record, key) {
  const name = palletOf(record);
  // The kept row has the status from before the press.
  const status = Rows.ofRecord(record)?.dataset.status ?? 'NOT_LOADED';
  rows.restore(record);
  focusScanBox();
  // The pallet may have been scanned several times.
  const queued = sender.items.filter(
    (item) => item.key === key || (item.action === 'scan' && item.record === record),
  );
  const withdrawn = await Promise.all(queued.map((item) => sender.withdraw(item.key)));
  if (queued.length > 0 && withdrawn.every(Boolean)) showAnswer('told', t('tablet.takenBack'));
  else await sender.add('mark', () => ({ record, status }), { record, name });
}

/** Undo the removal of a wrong pallet that the server has done. */
export async function undoRemoval(sender, { key, name }) {
  endUndo(key);
  focusScanBox();
  await sender.add('undo', () => ({ of: key }), { name: name ?? t('tablet.undo') });
}

/** Take back a scan of a pallet that is not on the list. */
export async function undoScan(sender, item) {
  const { key, name, fields } = item;
  document.dispatchEvent(new CustomEvent('takenback', { detail: { item } }));
  // It may have been sent. Then the same reading takes the pallet off again.
  if (!(await sender.withdraw(key)))
    await sender.add(
      'scan',
      (own) => ({ scan: fields.scan, scanId: own, scanDate: String(Date.now()), direction: 'UNLOAD' }),
      { name },
    );
  showAnswer('told', t('tablet.takenBack'), name);
}
