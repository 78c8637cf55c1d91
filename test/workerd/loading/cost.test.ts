import { expect, it } from 'vitest';
import type { Answer } from '../client.ts';
import { loadingDock } from '../shipment/dock.ts';

/** Rows that D1 read for an answer: what it bills. */
const rowsRead = ({ headers }: Answer) => Number(/(\d+) rows read/.exec(headers.get('Server-Timing')!)![1]);

it('of loading does not grow with what else the organization has', async () => {
  const dock = await loadingDock();
  await dock.manifest('elsewhere', ...Array.from({ length: 2_000 }, (_, index) => `E${index}`));
  const wrong = (await dock.scan('X')).body.recordUuid;
  const records = '/shipment/S/asset-loading';
  const answers = {
    load: await dock.scan('B'),
    unload: await dock.scan('B', 'UNLOAD'),
    mark: await dock.must('PATCH', `${records}/track/B/status`, { status: 'LOADED' }),
    remove: await dock.must('DELETE', `${records}/${wrong}`),
    complete: await dock.must('POST', '/shipment/S/status/COMPLETED'),
    offload: await dock.scan('B', 'OFFLOAD'),
  };
  for (const [what, answer] of Object.entries(answers)) expect(rowsRead(answer), what).toBeLessThan(300);
});
