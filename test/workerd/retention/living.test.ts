import { describe, expect, it } from 'vitest';
import { Database } from '../../../src/core/lib/database.ts';
import { bindings } from '../access/database/places.ts';
import { call, type Tenant } from '../client.ts';
import { type Dock, newDock } from '../dispatch/load/shipment/dock.ts';
import { addressesOf, pageOf } from '../web/pages/published.ts';
import { age, bodiesOf, got, keepFor, longGone, resolveAlerts, retain, rowsOf, runOnce } from './archives.ts';

const listed = async (tenant: Tenant): Promise<string[]> =>
  (await tenant.call('GET', '/archive')).body.content
    .map(({ externalIdentifier }: { externalIdentifier: string }) => externalIdentifier)
    .sort();

/** A dock with a retention time of 90 days, and a manifest with a pallet that was completed 100 days ago. */
async function completed(pallet = 'A', more: string[] = []): Promise<Dock> {
  const dock = await newDock({ retentionDays: 90 });
  await dock.couple(pallet, ...more);
  await dock.manifest('M', pallet, ...more);
  await dock.must('POST', '/manifest/M/status/TO_DO');
  await dock.must('POST', '/manifest/M/gate/G');
  for (const status of ['IN_PROGRESS', 'COMPLETED']) await dock.must('POST', `/manifest/M/status/${status}`);
  await age(dock, 100);
  return dock;
}

/** Insert an open alert that refers to something by a column. */
const raise = (tenant: Tenant, column: string, value: string) =>
  bindings.DB.prepare(
    `INSERT INTO alert (uuid, organization_uuid, alert_type, severity, status, params, ${column}, create_date,
      update_date) VALUES (?1, ?2, 'SCAN_WITHOUT_ACTIVE_MANIFEST', 'WARNING', 'OPEN', '{"isUnknown":true}', ?3, 1, 1)`,
  )
    .bind(crypto.randomUUID(), tenant.uuid, value)
    .run();

describe('loads that stay in the database', () => {
  it('retention keeps everything that is unlimited or not old enough', async () => {
    const dock = await completed();
    await keepFor(dock, null);
    await retain(dock);
    expect(await listed(dock)).toEqual([]);
    await keepFor(dock, 101);
    await retain(dock);
    expect(await listed(dock)).toEqual([]);
    await keepFor(dock, 99);
    await retain(dock);
    expect(await listed(dock)).toEqual(['M']);
    // Archived loads stay in the archive.
    await keepFor(dock, 3_650);
    await retain(dock);
    expect(await listed(dock)).toEqual(['M']);
  });

  it('retention keeps a load that an open alert names by record, pallet or name, until the alert is resolved', async () => {
    const dock = await longGone();
    await retain(dock);
    expect(await listed(dock)).toEqual([]);
    await resolveAlerts(dock);
    for (const [column, value] of [
      ['track_identifier', 'D'],
      ['manifest_external_id', 'N'],
      ['shipment_external_id', 'S'],
    ] as const) {
      await raise(dock, column, value);
      await retain(dock);
      expect([column, await listed(dock)]).toEqual([column, []]);
      await resolveAlerts(dock);
    }
    await retain(dock);
    expect(await listed(dock)).toEqual(['M', 'N', 'O', 'S']);
  });

  it('retention keeps a single manifest that an open alert names', async () => {
    const dock = await completed();
    await raise(dock, 'track_identifier', 'A');
    await retain(dock);
    expect(await listed(dock)).toEqual([]);
    await resolveAlerts(dock);
    await retain(dock);
    expect(await listed(dock)).toEqual(['M']);
  });

  it('retention archives a load that was completed short, and resolves the alert in the same commit', async () => {
    const single = await completed();
    const shipped = await newDock({ retentionDays: 90, dispatchStrategy: 'SHIPMENT' });
    await shipped.couple('A');
    await shipped.manifest('M', 'A');
    await shipped.must('POST', '/shipment', {
      identifier: 'S',
      gateIdentifier: 'G',
      manifests: [{ manifestExternalId: 'M' }],
    });
    for (const status of ['IN_PROGRESS', 'COMPLETED'])
      await shipped.must('POST', `/shipment/S/status/${status}`);
    await age(shipped, 100);
    for (const [dock, names] of [
      [single, ['M']],
      [shipped, ['M', 'S']],
    ] as const) {
      const open = await dock.must('GET', '/alert-event?status=OPEN');
      expect(open.body.content.map(({ alertType }: Record<string, string>) => alertType)).toEqual([
        'COMPLETED_SHORT',
      ]);
      // Another alert about the load keeps it, and its own alert stays open.
      await raise(dock, 'manifest_external_id', 'M');
      await retain(dock);
      expect([
        await listed(dock),
        (await dock.must('GET', '/alert-event?status=OPEN')).body.totalElements,
      ]).toEqual([[], 2]);
      await bindings.DB.prepare(
        "DELETE FROM alert WHERE organization_uuid = ? AND alert_type = 'SCAN_WITHOUT_ACTIVE_MANIFEST'",
      )
        .bind(dock.uuid)
        .run();
      await retain(dock);
      expect(await listed(dock)).toEqual(names);
      const { body } = await dock.must('GET', `/alert-event/${open.body.content[0].uuid}`);
      expect([body.status, typeof body.resolvedDate]).toEqual(['RESOLVED', 'string']);
      const log = (await dock.must('GET', '/audit-log?pageSize=100')).body.content;
      const commits = log
        .filter(({ action }: Record<string, string>) => /^ALERT_RESOLVED$|^MANIFEST_ARCHIVED$/.test(action!))
        .map(({ action, requestId }: Record<string, string>) => [action, requestId]);
      expect(commits.map(([action]: string[]) => action).sort()).toEqual([
        'ALERT_RESOLVED',
        'MANIFEST_ARCHIVED',
      ]);
      expect(commits[0][1]).toBe(commits[1][1]);
    }
  });

  it('retention keeps a shipment that an unfinished operation names', async () => {
    const dock = await longGone();
    await resolveAlerts(dock);
    await bindings.DB.batch([
      bindings.DB.prepare(
        `INSERT INTO operation (uuid, organization_uuid, operation_type, status, input, total_count, succeeded_count,
          failed_count, actor, request_id, due_date, sent_count, create_date, update_date)
          VALUES ('o', ?1, 'SHIPMENT_BULK_UPSERT', 'PENDING', '{}', 1, 0, 0, '{}', 'r', 9e15, 0, 1, 1)`,
      ).bind(dock.uuid),
      bindings.DB.prepare(
        `INSERT INTO operation_part (organization_uuid, operation_uuid, first_index, items, create_date)
          VALUES (?1, 'o', 0, '[{"identifier":"S","input":{}}]', 1)`,
      ).bind(dock.uuid),
    ]);
    await retain(dock);
    expect(await listed(dock)).toEqual([]);
    await bindings.DB.prepare("DELETE FROM operation WHERE uuid = 'o'").run();
    await retain(dock);
    expect(await listed(dock)).toEqual(['M', 'N', 'O', 'S']);
  });

  it('retention keeps a pallet that is live or in another manifest', async () => {
    const dock = await completed('A', ['B', 'C']);
    await dock.must('PATCH', '/track/A/retire');
    await dock.must('PATCH', '/track/B/retire');
    await dock.manifest('OPEN', 'B');
    const before = await got(dock, '/track/C');
    await retain(dock);
    expect(await listed(dock)).toEqual(['M']);
    expect((await dock.call('GET', '/track/A')).status).toBe(404);
    expect((await dock.call('GET', '/track/B')).status).toBe(200);
    const after = JSON.parse((await got(dock, '/track/C')).replace(/^200 \S+ /, ''));
    expect(after).toEqual({ ...JSON.parse(before.replace(/^200 \S+ /, '')), manifests: [] });
    // The pallet is archived with the last load that holds it.
    await dock.must('POST', '/manifest/OPEN/status/CANCELLED');
    await age(dock, 100);
    await retain(dock);
    expect((await dock.call('GET', '/track/B')).status).toBe(404);
    expect(await rowsOf(dock, ['track', 'asset_loading'])).toEqual({ track: 1, asset_loading: 0 });
  });

  it('retention keeps the log, which continues and names the archived loads', async () => {
    const dock = await longGone();
    await resolveAlerts(dock);
    const log = async () =>
      (await dock.must('GET', '/audit-log?pageSize=100&sort.sortBy=sequenceNumber')).body;
    const before = await log();
    await retain(dock);
    const after = await log();
    expect(after.content.slice(0, before.content.length)).toEqual(before.content);
    const added = after.content.slice(before.content.length);
    expect(
      added.map((entry: Record<string, string>) => `${entry['action']} ${entry['entityExternalId']}`),
    ).toEqual([
      'SHIPMENT_ARCHIVED S',
      'MANIFEST_ARCHIVED M',
      'MANIFEST_ARCHIVED N',
      'MANIFEST_ARCHIVED O',
      ...added
        .slice(4)
        .map((entry: Record<string, string>) => `TRACKS_ARCHIVED ${entry['entityExternalId']}`),
    ]);
  });
});

describe('a pallet in the archive', () => {
  it('the marker code of an archived pallet cannot be used again', async () => {
    const dock = await completed();
    const code = dock.codes['A']!;
    await dock.must('PATCH', '/track/A/retire');
    await retain(dock);
    const again = await dock.call('POST', '/track/couple', { wmsId: 'Z', markerCode: code });
    expect([again.status, again.body.code]).toEqual([409, 'markerAlreadyCoupled']);
    const next = await dock.must('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'A' });
    expect(next.body.markerCode).toBeGreaterThan(code);
    const { body } = await dock.must('POST', '/marker-code/allocate?quantity=5&imageDelivery=URL');
    expect(
      Math.min(...body.entries.map((entry: { markerCode: number }) => entry.markerCode)),
    ).toBeGreaterThan(code);
    expect((await dock.must('GET', `/marker-code/${code}`)).body.track).toBeNull();
  });

  it('a deleted pallet had freed its marker code before it was archived', async () => {
    const dock = await completed();
    await dock.must('DELETE', '/track/A');
    await retain(dock);
    expect(await rowsOf(dock, ['track'])).toEqual({ track: 0 });
    await dock.must('POST', '/track/couple', { wmsId: 'Z', markerCode: dock.codes['A'] });
  });
});

describe('archived loads', () => {
  it('an archived load keeps its external identifier', async () => {
    const dock = await longGone();
    await resolveAlerts(dock);
    await retain(dock);
    await dock.manifest('FREE');
    const manifest = await dock.call('POST', '/manifest', { externalIdentifier: 'M' });
    const shipment = await dock.call('POST', '/shipment', {
      identifier: 'S',
      manifests: [{ manifestExternalId: 'FREE' }],
    });
    expect([manifest, shipment].map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'externalIdentifierInUse'],
      [409, 'externalIdentifierInUse'],
    ]);
  });

  it('a 404 of an archived load leads to the archive, by external id or uuid', async () => {
    const dock = await longGone();
    await resolveAlerts(dock);
    const uuids = [];
    for (const path of ['/shipment/S', '/manifest/M']) uuids.push((await dock.must('GET', path)).body.uuid);
    await retain(dock);
    const [s, m] = uuids;
    for (const [method, path, uuid, json] of [
      ['GET', '/shipment/S', s],
      ['GET', `/shipment/${s}`, s],
      ['GET', '/manifest/M', m],
      ['GET', `/manifest/${m.toUpperCase()}/asset-loading`, m],
      ['PATCH', '/shipment/S/asset-loading/track/A/status', s, { status: 'NOT_LOADED', gateExternalId: 'G' }],
      ['POST', '/manifest/M/status/CANCELLED', m],
    ] as const) {
      const { status, body } = await dock.call(method, path, json);
      expect([path, status, body.detail]).toEqual([
        path,
        404,
        expect.stringContaining(`is in the archive: /integration/rest/api/v1/archive/${uuid}`),
      ]);
    }
    const never = await dock.call('GET', '/shipment/NEVER');
    expect(never.body.detail).toBe('Shipment "NEVER" does not exist.');
    expect((await dock.call('GET', `/archive/${crypto.randomUUID()}`)).body.code).toBe('archiveNotFound');
  });

  it('a deleted load is archived too, and only its public page shows it', async () => {
    const dock = await completed();
    const { body } = await dock.must('GET', '/manifest/M');
    await dock.must('DELETE', '/manifest/M');
    const page = await pageOf(body.shipmentSummaryUrl);
    await retain(dock);
    expect(await rowsOf(dock, ['manifest', 'asset_loading'])).toEqual({ manifest: 0, asset_loading: 0 });
    expect(await pageOf(body.shipmentSummaryUrl)).toBe(page);
    expect(await listed(dock)).toEqual([]);
    expect((await dock.call('GET', `/archive/${body.uuid}`)).status).toBe(404);
    // Its identifier could be used again.
    await dock.manifest('M');
  });

  it.each([
    ['summary', 1],
    ['summary', 2],
    ['document', 1],
    ['data', 2],
  ] as const)('a reader that has started finds an archived load: %s, before read %i', async (what, read) => {
    const dock = await completed();
    const url = (await addressesOf(dock, 'manifest', 'M'))[what];
    const before = await bodiesOf([url]);
    const { send } = Database.prototype;
    let calls = 0;
    Database.prototype.send = async function (this: Database, statements) {
      calls += 1;
      if (calls === read) {
        Database.prototype.send = send;
        await retain(dock);
      }
      return send.call(this, statements) as never;
    };
    try {
      expect(await bodiesOf([url])).toEqual(before);
    } finally {
      Database.prototype.send = send;
    }
    expect(await listed(dock)).toEqual(['M']);
  });

  it("the archive shows nothing of another organization and nothing on another one's host", async () => {
    const dock = await completed();
    const { body } = await dock.must('GET', '/manifest/M');
    await retain(dock);
    const other = await newDock();
    expect((await other.call('GET', `/archive/${body.uuid}`)).status).toBe(404);
    const elsewhere = body.shipmentSummaryUrl.replace('127.0.0.1', `${other.slug}.localhost`);
    expect((await call('GET', elsewhere)).status).toBe(404);
    expect((await call('GET', elsewhere.replace(other.slug, dock.slug))).status).toBe(200);
  });
});

it('the retention job sleeps when nothing is due and after its work', async () => {
  const dock = await completed();
  expect(await runOnce(dock)).toBe('on request');
  await retain(dock);
  expect(await runOnce(dock)).toBe('on request');
});
