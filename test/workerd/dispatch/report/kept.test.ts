import { describe, expect, it, vi } from 'vitest';
import { bindings } from '../../access/database/places.ts';
import { keepFor, retain } from '../../retention/archives.ts';
import { exportOf, importOf, wipe } from '../../storage/transfer/exports.ts';
import { type Dock, loadingDock } from '../load/shipment/dock.ts';
import { report, today } from './reports.ts';

const { DB } = bindings;
const DAY_MS = 86_400_000;

/** A dock with a shipment that was completed with one loaded pallet. */
async function left(): Promise<Dock> {
  const dock = await loadingDock({
    shipmentCustomFields: [{ fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' }],
  });
  await dock.must('POST', '/shipment/S/custom-field', { fieldKey: 'haulier', fieldValue: 'Fast' });
  await dock.scan('A');
  await dock.scan('X');
  await dock.must('POST', '/shipment/S/status/COMPLETED?shortReason=Damaged');
  return dock;
}

describe('the figures of completed shipments', () => {
  it('a change of a custom field of a completed shipment does not read its 10,000 loading records', async () => {
    const dock = await left();
    await DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
       INSERT INTO asset_loading (uuid, organization_uuid, manifest_uuid, wms_id, loading_status, create_date, update_date)
       SELECT organization_uuid || n, organization_uuid, uuid, 'P' || n, 'WRONGLY_LOADED', 1, 1 FROM numbers
         CROSS JOIN (SELECT * FROM manifest WHERE organization_uuid = ? AND external_identifier = 'M')`,
    )
      .bind(dock.uuid)
      .run();
    const carriers = [];
    const set = (fieldValue: string) => ({ fieldKey: 'haulier', fieldValue });
    for (const [method, path, json] of [
      ['POST', '/shipment/S/custom-field', set('Slow')],
      ['DELETE', '/shipment/S/custom-field/haulier', undefined],
      ['POST', '/shipment/S/custom-field', set('New')],
    ] as const) {
      const { headers } = await dock.must(method, path, json);
      expect(Number(/(\d+) rows read/.exec(headers.get('Server-Timing')!)![1])).toBeLessThan(1_000);
      carriers.push((await report(dock, 'CARRIER'))[0]?.group);
    }
    expect(carriers).toEqual(['Slow', null, 'New']);
    await dock.must('POST', '/shipment/bulk-upsert', {
      errorBehaviour: 'PROCEED',
      items: [{ shipmentExternalId: 'S', customFields: [set('Bulk')] }],
    });
    await vi.waitFor(async () => expect((await report(dock, 'CARRIER'))[0]?.group).toBe('Bulk'));
  });

  it('figures stay when the shipment is archived', async () => {
    const dock = await left();
    await DB.batch(
      ['shipment', 'manifest', 'shipment_figures'].map((table) =>
        DB.prepare(`UPDATE ${table} SET close_date = close_date - ? WHERE organization_uuid = ?`).bind(
          500 * DAY_MS,
          dock.uuid,
        ),
      ),
    );
    await DB.prepare("UPDATE alert SET status = 'RESOLVED', resolved_date = 1 WHERE organization_uuid = ?")
      .bind(dock.uuid)
      .run();
    const day = new Date(Date.parse(today()) - 500 * DAY_MS).toISOString().slice(0, 10);
    const before = await report(dock, 'CARRIER', day);
    expect(before).toMatchObject([{ group: 'Fast', palletsLoaded: 1, palletsWrong: 1 }]);
    await keepFor(dock, 400);
    await retain(dock);
    expect((await dock.call('GET', '/shipment/S')).status).toBe(404);
    expect(await report(dock, 'CARRIER', day)).toEqual(before);
    expect(await report(dock, 'GATE', day)).toMatchObject([{ group: 'G', shipmentsShort: 1 }]);
  });

  it('figures are exported and imported', async () => {
    const dock = await left();
    const before = await report(dock, 'DAY');
    const text = await exportOf(dock.uuid);
    await wipe(dock.uuid);
    expect((await importOf(text)).status).toBe('SUCCEEDED');
    expect(await report(dock, 'DAY')).toEqual(before);
  });
});
