import { beforeAll, describe, expect, it } from 'vitest';
import { bindings } from '../../access/database/places.ts';
import { newPerson } from '../../access/session/person.ts';
import { ORIGIN } from '../../client.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { deviceOf, newTablet } from '../../dispatch/tablet/tablets.ts';
import { gateUuid } from '../../web/console/forms.ts';
import { exportOf, importOf, linesOf, sealed, wipe } from './exports.ts';

const { DB } = bindings;
let dock: Dock;

/** An organization with the longest texts that the API and the pages take, and with each kind of webhook. */
beforeAll(async () => {
  dock = await newDock({ gateWorkerIdentification: 'BADGE' });
  const long = 'é'.repeat(255);
  await dock.couple('A', long);
  await dock.must('POST', `/track/A/comments`, {
    additionalInfo: 'ß'.repeat(5_000),
    attachments: [
      { link: 'https://files.example/a.pdf', fileName: long, author: { firstName: long } },
      { link: 'http://a.example' },
    ],
  });
  await dock.must('POST', '/client', { displayName: long, externalId: long });
  await dock.must('POST', '/manifest', {
    externalIdentifier: long,
    assets: ['A', 'Straße', long],
    customFields: [{ fieldKey: 'é'.repeat(100), fieldValue: 'ﬃ'.repeat(1_000) }],
  });
  await dock.must('POST', '/shipment', {
    identifier: long,
    gateIdentifier: 'G',
    notes: 'İ'.repeat(1_000),
    manifests: [{ manifestExternalId: long }],
  });
  const at = `/shipment/${encodeURIComponent(long)}`;
  await dock.must('POST', `${at}/status/IN_PROGRESS`);
  await dock.must('POST', `${at}/arrival`, { driverName: long });
  // A camera that counts from 1 again after a restart.
  for (const pallet of ['A', long]) await dock.scan(pallet, 'LOAD', { scanId: '1', cameraHardwareId: long });
  await dock.must('POST', `${at}/signature`, {
    role: 'LOADER',
    name: 'é'.repeat(200),
    strokes: [[[1, 1.5]]],
    signDate: new Date().toISOString(),
  });
  await dock.must('POST', `${at}/status/COMPLETED?shortReason=${encodeURIComponent('é'.repeat(255))}`);
  for (const format of ['EVENT', 'EPCIS_2_0', 'SLACK', 'TEAMS', 'EMAIL'])
    await dock.must('POST', '/webhook', {
      name: `${format} É`,
      url: format === 'EMAIL' ? 'mailto:Jane+dock@example.com' : `https://hooks.example.com/${format}`,
      format,
      eventTypes: format === 'EVENT' ? [] : ['SHIPMENT_STATUS_CHANGED'],
      customHeaders: [{ name: 'X-Key', value: 'a'.repeat(1_000) }],
      active: false,
    });
  const { cookie } = await signIn(dock);
  const manager = deviceOf(cookie);
  const gate = `/app/gate/${await gateUuid(dock)}`;
  await manager.send('/app/gate-worker', { action: 'create', name: 'É'.repeat(100), workerSecret: 'W-0001' });
  const tablet = await newTablet(manager, gate, 'é'.repeat(100));
  await tablet.send(gate, { action: 'work', workerSecret: 'W-0001' });
  await manager.send('/app/shipment', { action: 'saveView', name: 'é'.repeat(40), query: 'gate=G' });
  const person = await newPerson(dock);
  await dock.must('DELETE', `/user/${person.uuid}?erase=true`);
});

describe('an export that the service has written', () => {
  it('an import accepts the longest texts of every body and form', async () => {
    const text = await exportOf(dock.uuid);
    const tables = new Set(linesOf(text).map(({ table }) => table));
    for (const table of ['gate_turn', 'saved_view', 'scan', 'signature', 'webhook', 'track_comment'])
      expect([table, tables.has(table)]).toEqual([table, true]);
    await wipe(dock.uuid);
    expect(await importOf(text)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it.each([
    ['https://elsewhere.example', ORIGIN],
    ['http://127.0.0.1:1', ORIGIN],
    ['http://localhost:8787', 'http://localhost:8787'],
    ['http://app.localhost:8787', 'http://app.localhost:8787'],
  ])('links of webhooks from %s begin with %s after the import', async (exported, imported) => {
    const lines = linesOf(await exportOf(dock.uuid)).slice(0, -1);
    for (const { table, values } of lines) if (table === 'webhook') values.link_origin = exported;
    await wipe(dock.uuid);
    expect((await importOf(sealed(lines))).status).toBe('SUCCEEDED');
    const { results } = await DB.prepare(
      'SELECT DISTINCT link_origin FROM webhook WHERE organization_uuid = ?',
    )
      .bind(dock.uuid)
      .all();
    expect(results).toEqual([{ link_origin: imported }]);
  });
});
