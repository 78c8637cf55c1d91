import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../client.ts';
import { type Dock, loadingDock, newDock } from './dock.ts';

const cancel = (dock: Dock, query: string) => dock.call('POST', `/shipment/S/status/CANCELLED${query}`);
const read = async (dock: Dock, path: string) => (await dock.must('GET', path)).body;

describe('a shipment that is cancelled', () => {
  it('releases its manifests back to PLANNED without a gate, so that their pallets start again', async () => {
    const dock = await loadingDock();
    await dock.scan('A');
    await dock.scan('X');
    await dock.must('POST', '/manifest/N/status/CANCELLED');
    const cancelled = await read(dock, '/manifest/N');
    expect((await cancel(dock, '?manifests=RELEASE')).status).toBe(204);
    expect(await read(dock, '/shipment/S')).toMatchObject({
      status: 'CANCELLED',
      manifests: [],
      tracksCount: 0,
    });
    expect(await read(dock, '/manifest/M')).toMatchObject({
      manifestStatus: 'PLANNED',
      gate: null,
      activateDate: null,
      closeDate: null,
      loadedAssetsCount: 0,
    });
    expect(await read(dock, '/manifest/M/asset-loading')).toMatchObject([
      { trackIdentifier: 'A', loadingStatus: 'NOT_LOADED', loadingDate: null, gate: null },
      { trackIdentifier: 'B', loadingStatus: 'NOT_LOADED' },
    ]);
    expect(await read(dock, '/manifest/N')).toEqual({ ...cancelled, updateDate: expect.any(String) });
    await dock.shipment('T', ['M'], { gateIdentifier: 'H' });
    expect(await read(dock, '/manifest/M')).toMatchObject({ manifestStatus: 'TO_DO' });
  });

  it.each(['', '?manifests=CANCEL'])('cancels its manifests with the query "%s"', async (query) => {
    const dock = await loadingDock();
    expect((await cancel(dock, query)).status).toBe(204);
    expect(await read(dock, '/shipment/S')).toMatchObject({ manifests: { length: 2 } });
    for (const id of ['M', 'N'])
      expect(await read(dock, `/manifest/${id}`)).toMatchObject({ manifestStatus: 'CANCELLED' });
  });

  it('sends an event for each released manifest and for the shipment, and logs the release', async () => {
    const dock = await loadingDock();
    await cancel(dock, '?manifests=RELEASE');
    const { content } = await read(dock, '/event?limit=100');
    expect(
      content
        .slice(-4, -1)
        .map(({ eventType, data }: Answer['body']) => [
          eventType,
          data.externalIdentifier,
          data.manifestStatus ?? data.status,
        ]),
    ).toEqual([
      ['MANIFEST_STATUS_CHANGED', 'M', 'PLANNED'],
      ['MANIFEST_STATUS_CHANGED', 'N', 'PLANNED'],
      ['SHIPMENT_STATUS_CHANGED', 'S', 'CANCELLED'],
    ]);
    const [last] = (await read(dock, '/audit-log?sort.sortBy=sequenceNumber&sort.direction=DESC&pageSize=1'))
      .content;
    expect([last.action, last.changes]).toEqual([
      'SHIPMENT_STATUS_CHANGED',
      [
        { field: 'status', oldValue: 'IN_PROGRESS', newValue: 'CANCELLED' },
        { field: 'manifests.removed', oldValue: ['M', 'N'], newValue: null },
      ],
    ]);
  });

  it('keeps a pallet in use that waits for the end of a released manifest', async () => {
    const dock = await loadingDock();
    await dock.must('PATCH', '/track/A/retire');
    await cancel(dock, '?manifests=RELEASE');
    expect((await read(dock, '/track/A')).trackStatus).toBe('SCHEDULED_FOR_RETIREMENT');
  });

  it('releases a thousand manifests in one commit', async () => {
    const dock = await newDock();
    const ids = Array.from({ length: 1_000 }, (_, index) => `M${index}`);
    for (let from = 0; from < ids.length; from += 50)
      await Promise.all(ids.slice(from, from + 50).map((id) => dock.manifest(id)));
    await dock.shipment('S', ids);
    expect((await cancel(dock, '?manifests=RELEASE')).status).toBe(204);
    const planned = await read(dock, '/manifest?manifestStatus=PLANNED&pageSize=1');
    expect(planned.totalElements).toBe(1_000);
  }, 120_000);
});

describe('the parameters of a change of the status', () => {
  it.each([
    ['CANCELLED', 'manifests', 'KEEP'],
    ['CANCELLED', 'manifests', 'release'],
    ['CANCELLED', 'manifests', ''],
    ['COMPLETED', 'manifests', 'RELEASE'],
    ['CANCELLED', 'shortReason', 'Next truck'],
    ['COMPLETED', 'shortReason', ''],
  ])('refuses, for %s, the parameter %s with the value "%s"', async (status, field, rejectedValue) => {
    const dock = await loadingDock();
    const before = await read(dock, '/shipment/S');
    const query = new URLSearchParams({ [field]: rejectedValue });
    const answer = await dock.call('POST', `/shipment/S/status/${status}?${query}`);
    expect([answer.status, answer.body.code, answer.body.errors]).toEqual([
      400,
      'validationFailed',
      [expect.objectContaining({ field, rejectedValue })],
    ]);
    expect(await read(dock, '/shipment/S')).toEqual(before);
  });

  it('stores the reason why pallets are missing, on the shipment and in the audit log', async () => {
    const dock = await loadingDock();
    expect((await read(dock, '/shipment/S')).shortReason).toBeNull();
    const reason = 'é'.repeat(255);
    const path = `/shipment/S/status/COMPLETED?shortReason=${encodeURIComponent(reason)}`;
    expect((await dock.call('POST', path)).status).toBe(204);
    const shown = await read(dock, '/shipment/S');
    expect(shown.shortReason).toBe(reason);
    const [last] = (await read(dock, '/audit-log?sort.sortBy=sequenceNumber&sort.direction=DESC&pageSize=1'))
      .content;
    expect(last.changes).toContainEqual({ field: 'reason', oldValue: null, newValue: reason });
    const tooLong = await dock.call('POST', `${path}x`);
    expect([tooLong.status, tooLong.body.errors[0].field]).toEqual([400, 'shortReason']);
  });

  it('shows no reason of a shipment that was completed without one', async () => {
    const dock = await loadingDock();
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    expect((await read(dock, '/shipment/S')).shortReason).toBeNull();
  });
});
