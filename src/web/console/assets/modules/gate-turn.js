import { WORKER_ACTIONS } from './gate-forms.js';
import { newUuid } from './net.js';
import { needsWorker, noteActivity, pageUser } from './page-user.js';
import { focusScanBox } from './scan-box.js';
import { t } from './words.js';

/** Sign in a worker whose badge the page knows, also without a connection. `said(text)` shows the result. */
export function beginTurn(sender, { name, proof }, said) {
  if (needsWorker() || pageUser().worker !== name)
    sender.add('work', () => ({ badgeProof: proof, begins: newUuid() }), { name });
  noteActivity();
  said(t('tablet.worksHere', { name }));
}

/** Sign out the worker, also without a connection. */
export function endTurn(sender, said) {
  sender.add('workEnd', () => ({}), { name: pageUser().worker });
  said(t('tablet.nobodyHere'));
}

/**
 * Show in an element of the page who works here: the worker who has signed in or out last. The service may not know it
 * yet. The input for scans then changes, so it gets the focus.
 */
export function drawTurn(page, items) {
  const whose = page.querySelector('#whose');
  if (whose?.dataset.quiet === undefined) return;
  const { dataset } = whose;
  const { asking } = dataset;
  const last = items.findLast(({ action }) => WORKER_ACTIONS.includes(action));
  if (last?.action === 'workEnd') dataset.asking = 'true';
  else if (last) {
    Object.assign(dataset, { turn: last.fields.begins, worker: last.name, used: String(last.at) });
    delete dataset.asking;
  }
  if (needsWorker(dataset)) dataset.asking = 'true';
  const worker = dataset.asking === undefined ? dataset.worker : undefined;
  const name = whose.querySelector('p b');
  name.textContent = worker ?? '';
  name.parentElement.hidden = worker === undefined;
  const button = whose.querySelector('form button');
  button.ariaLabel = t('text.labelled', { label: button.textContent.trim(), value: worker ?? '' });
  if (asking !== dataset.asking) focusScanBox();
}
