import { expect, it } from 'vitest';
import { newDock } from '../dispatch/load/shipment/dock.ts';
import { addOthers } from './others.ts';

const MANY = 1_000;

it('a list reads only the rows that match its filter, not all rows of the organization', async () => {
  const dock = await newDock();
  await addOthers(dock, MANY);
  await dock.must('POST', '/client', { displayName: 'Acme', externalId: 'ACME' });
  const pallet = { wmsId: 'A', clientId: 'ACME' };
  await dock.must('POST', '/track/get-and-couple?imageDelivery=URL', pallet);
  await dock.must('POST', '/manifest', {
    externalIdentifier: 'M',
    assets: ['A'],
    customFields: [{ fieldKey: 'own', fieldValue: 'v' }],
  });
  await dock.shipment('S', ['M'], { gateIdentifier: 'H' });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  for (const list of [
    '/track?wmsId=A',
    '/track?clientId=ACME',
    '/manifest?manifestStatus=IN_PROGRESS',
    '/manifest?gateExternalId=H',
    '/manifest?customField=own:v',
    '/shipment?status=IN_PROGRESS',
    '/shipment?gate=H&sort.sortBy=activateDate',
  ]) {
    const { body, headers } = await dock.must('GET', list);
    expect([list, body.totalElements, body.content.length]).toEqual([list, 1, 1]);
    const rows = Number(/(\d+) rows read/.exec(headers.get('Server-Timing')!)![1]);
    // The page and its count each read all gates: the few of the dock, and one for each other item.
    const allowed = 100 + (/gate/.test(list) ? 2 * MANY : 0);
    expect([list, rows < allowed || rows]).toEqual([list, true]);
  }
});
