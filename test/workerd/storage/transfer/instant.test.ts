import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { beginSnapshot, renewSnapshot } from '../../../../src/access/database/snapshot.ts';
import { endLateSnapshot, endSnapshot } from '../../../../src/access/database/snapshot-end.ts';
import { NOT_TENANT_ROWS, TENANT_ROWS } from '../../../../src/access/database/tenant.ts';
import {
  type AuditEntry,
  chainRecord,
  FIRST_PREVIOUS_HASH,
  longChanges,
  salts,
} from '../../../../src/core/writer/chain.ts';
import type { StoredRecord } from '../../../../src/core/writer/log.ts';
import { sweepOrphans } from '../../../../src/dispatch/calibration/objects.ts';
import { bindings, setOpen } from '../../access/database/places.ts';
import { API, call, newTenant, type Tenant } from '../../client.ts';
import { countedD1 } from '../../counted.ts';
import { dump, move, recordsIn } from '../move/moves.ts';
import { beginExport, exportOf, importOf, linesOf, wipe } from './exports.ts';

const { DB } = bindings;

/** The rows of an export by table, in the form of `dump`. */
function rowsOf(text: string): Record<string, string[]> {
  const rows: Record<string, string[]> = {};
  for (const { table, values } of linesOf(text).slice(2)) {
    if (table) rows[table] = [...(rows[table] ?? []), JSON.stringify(values)];
  }
  for (const texts of Object.values(rows)) texts.sort();
  return rows;
}

const readAll = async (answer: Response) => new TextDecoder().decode(await answer.arrayBuffer());

const triggers = async (): Promise<number> =>
  (await DB.prepare(
    "SELECT count(*) AS count FROM sqlite_schema WHERE name LIKE 'export_%_%' AND type = 'trigger'",
  ).first<{
    count: number;
  }>())!.count;
const leftBehind = async () => [
  await triggers(),
  (await DB.prepare('SELECT count(*) AS count FROM export').first<{ count: number }>())!.count,
  (await DB.prepare('SELECT count(*) AS count FROM export_row').first<{ count: number }>())!.count,
];

/** Set or remove a custom field. */
async function field(tenant: Tenant, fieldKey: string, fieldValue: string | null): Promise<void> {
  const { status, body } = await (fieldValue === null
    ? tenant.call('DELETE', `/manifest/M/custom-field/${fieldKey}`)
    : tenant.call('POST', '/manifest/M/custom-field', { fieldKey, fieldValue }));
  if (status >= 300) throw new Error(JSON.stringify(body));
}

/** An organization with some of everything that can change. */
async function busy(): Promise<Tenant> {
  const tenant = await newTenant();
  await tenant.call('POST', '/manifest', { externalIdentifier: 'M', assets: ['P0', 'P1', 'P2'] });
  for (const fieldKey of ['z', 'a', 'm']) await field(tenant, fieldKey, fieldKey);
  for (let index = 0; index < 8; index += 1) {
    await tenant.call('POST', '/track/get-and-couple', { wmsId: `P${index}` });
  }
  return tenant;
}

/** Change, delete and add rows, and add deleted rows again. */
async function change(tenant: Tenant): Promise<void> {
  await tenant.call('PUT', '/manifest/M', { assets: ['P1', 'P5', 'NEW'] });
  await field(tenant, 'a', 'to be gone');
  await field(tenant, 'a', null);
  await field(tenant, 'z', 'changed');
  await field(tenant, 'm', null);
  await field(tenant, 'm', 'put back');
  await tenant.call('DELETE', '/track/P7');
  await tenant.call('POST', '/track/P6/comments', { additionalInfo: 'Late' });
  await tenant.call('POST', '/track/get-and-couple', { wmsId: 'late' });
}

describe('an export', () => {
  it('an export shows the instant at which it began, without changes before it is read', async () => {
    const tenant = await busy();
    const { list_total: _, ...before } = await dump(DB, tenant.uuid);
    const answer = await beginExport(tenant.uuid);
    await change(tenant);
    await change(tenant);
    const text = await readAll(answer);
    expect(rowsOf(text)).toEqual(before);
    expect(linesOf(text)[0].sequenceNumber).toBe(recordsIn(before['command_log']));
    const { list_total: __, ...now } = await dump(DB, tenant.uuid);
    expect(rowsOf(await exportOf(tenant.uuid))).toEqual(now);
    expect(now['custom_field']).not.toEqual(before['custom_field']);
    expect(await leftBehind()).toEqual([0, 0, 0]);
  });

  it('an export keeps the order of rows, including rows that were deleted during the export', async () => {
    const tenant = await busy();
    const shown = (await tenant.call('GET', '/manifest/M')).body.customFields;
    const answer = await beginExport(tenant.uuid);
    await change(tenant);
    const text = await readAll(answer);
    await wipe(tenant.uuid);
    expect((await importOf(text)).status).toBe('SUCCEEDED');
    expect((await tenant.call('GET', '/manifest/M')).body.customFields).toEqual(shown);
    expect(shown.map(({ fieldKey }: { fieldKey: string }) => fieldKey)).toEqual(['z', 'a', 'm']);
  });

  it('an export of a busy organization is consistent at every instant: counts, totals, log and chain', async () => {
    const tenant = await busy();
    let stop = false;
    const worker = async (name: string) => {
      for (let index = 0; !stop; index += 1) {
        await tenant.call('POST', '/track/get-and-couple', { wmsId: `${name}${index}` });
        if (index % 3 === 2) await tenant.call('DELETE', `/track/${name}${index - 1}`);
        if (index % 5 === 4) await tenant.call('PUT', '/manifest/M', { assets: [`${name}${index}`, 'P1'] });
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const workers = ['A', 'B', 'C'].map(worker);
    const texts: string[] = [];
    for (let times = 0; times < 6; times += 1) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      // Two exports at the same time, each of its own instant.
      texts.push(...(await Promise.all([exportOf(tenant.uuid), exportOf(tenant.uuid)])));
    }
    stop = true;
    await Promise.all(workers);
    expect(await leftBehind()).toEqual([0, 0, 0]);
    const ends = new Set<number>();
    for (const text of [texts[0]!, texts[3]!, texts.at(-1)!]) {
      const { sequenceNumber } = linesOf(text)[0];
      ends.add(sequenceNumber);
      verifyChain(text, sequenceNumber);
      await wipe(tenant.uuid);
      // An import fails if counts, list totals or the end of the log differ from the header.
      expect((await importOf(text)).status).toBe('SUCCEEDED');
      const { body } = await tenant.call('GET', '/track?pageSize=100');
      const counted = await DB.prepare(
        'SELECT count(*) AS count FROM track WHERE organization_uuid = ? AND deleted_date IS NULL',
      )
        .bind(tenant.uuid)
        .first<{ count: number }>();
      expect(body.totalElements).toBe(counted!.count);
      const kept = await DB.prepare('SELECT assets_count AS count FROM manifest WHERE organization_uuid = ?')
        .bind(tenant.uuid)
        .first<{ count: number }>();
      expect(kept!.count).toBe((await tenant.call('GET', '/manifest/M/asset')).body.length);
    }
    expect(ends.size).toBe(3);
  });

  it('an export whose reader disconnects leaves nothing behind and delays no other caller', async () => {
    const tenant = await busy();
    const answer = await beginExport(tenant.uuid);
    expect((await leftBehind())[0]).toBeGreaterThan(50);
    await answer.body!.cancel();
    await until(async () => (await leftBehind()).every((count) => count === 0));
    expect((await tenant.call('POST', '/track/get-and-couple', { wmsId: 'on' })).status).toBe(200);
  });

  it('the schedule ends an unread export, and a late reader gets an incomplete file', async () => {
    const tenant = await busy();
    const answer = await beginExport(tenant.uuid);
    await change(tenant);
    await endLateSnapshot(DB, Date.now() + 4 * 60_000);
    expect((await leftBehind())[0]).toBeGreaterThan(50);
    // A run drops some of the triggers. Then the snapshot is not read any more.
    const { db, spent } = countedD1(DB);
    await endLateSnapshot(db, Date.now() + 6 * 60_000);
    expect(spent.statements).toBeLessThan(50);
    expect((await leftBehind())[0]).toBeGreaterThan(50);
    for (let run = 0; run < 3; run += 1) await endLateSnapshot(DB, Date.now() + 6 * 60_000);
    expect(await leftBehind()).toEqual([0, 0, 0]);
    await expect(readAll(answer)).rejects.toThrow();
  });

  it('an export has the bytes of files that are replaced or deleted before it reads them', async () => {
    const tenant = await busy();
    const put = (camera: string, json: unknown) =>
      call('POST', `${API}/camera/${camera}/calibration/INTRINSIC`, {
        headers: { 'X-Auth-Token': tenant.token },
        json,
      });
    for (const camera of ['A', 'B']) expect((await put(camera, { camera, was: true })).status).toBe(201);
    const answer = await beginExport(tenant.uuid);
    expect((await put('A', { camera: 'A', was: false })).status).toBe(200);
    const gone = await call('DELETE', `${API}/camera/B/calibration/INTRINSIC`, {
      headers: { 'X-Auth-Token': tenant.token },
    });
    expect(gone.status).toBeLessThan(300);
    const text = await readAll(answer);
    const bytes = linesOf(text).flatMap(({ data }) => (data ? [Buffer.from(data, 'base64').toString()] : []));
    expect(bytes.sort()).toEqual(['{"camera":"A","was":true}', '{"camera":"B","was":true}']);
    // After the export they are orphans, as they would be without it.
    const { results } = await DB.prepare(
      'SELECT object_key AS key FROM calibration_orphan WHERE organization_uuid = ?',
    )
      .bind(tenant.uuid)
      .all<{ key: string }>();
    expect(results).toHaveLength(2);
    await sweepOrphans(DB, bindings.CALIBRATION, Date.now() + 7_200_000);
    expect(await bindings.CALIBRATION.head(results[0]!.key)).toBeNull();
  });

  it('an export continues while the organization moves, and its leftovers are cleaned up', async () => {
    await setOpen('DB_1', true);
    const tenant = await busy();
    const { list_total: _, ...before } = await dump(DB, tenant.uuid);
    const answer = await beginExport(tenant.uuid);
    const moved = move(tenant, 'DB_1');
    // The organization lives there already.
    await until(async () => {
      const row = await DB.prepare('SELECT residence FROM organization WHERE uuid = ?')
        .bind(tenant.uuid)
        .first();
      return row!['residence'] === 'ELSEWHERE';
    });
    await change(tenant);
    expect(rowsOf(await readAll(answer))).toEqual(before);
    expect((await moved).status).toBe('SUCCEEDED');
    expect(await dump(DB, tenant.uuid)).toEqual({});
    expect(await leftBehind()).toEqual([0, 0, 0]);
  });

  it('an export ends after an hour, however slowly it is read', async () => {
    const tenant = await newTenant();
    const db = DB;
    const late = v7({ msecs: Date.now() - 61 * 60_000 });
    const snapshot = (await beginSnapshot(db, 'DB', tenant.uuid, late))!;
    await expect(renewSnapshot(snapshot)).rejects.toThrow('the export took too long');
    expect(await leftBehind()).toEqual([0, 0, 0]);
    const early = (await beginSnapshot(db, 'DB', tenant.uuid, v7({ msecs: Date.now() - 59 * 60_000 })))!;
    await renewSnapshot(early);
    await endSnapshot(db, early.uuid);
  });

  it('an export has every table with rows of an organization', async () => {
    const { results } = await DB.prepare(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND sql LIKE '%organization_uuid%' AND name NOT LIKE 'computed_%' AND name NOT IN ('audit_log', 'pallet_activity', 'list_total') ORDER BY name",
    ).all<{ name: string }>();
    expect([...TENANT_ROWS.map(({ name }) => name), ...NOT_TENANT_ROWS].sort()).toEqual(
      results.map(({ name }) => name),
    );
  });
});

/** Wait for a background event. */
async function until(happened: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await happened())) {
    if (Date.now() > deadline) throw new Error('the event did not happen');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Check that the log in an export is a valid chain up to a number. */
function verifyChain(text: string, sequenceNumber: number): void {
  const rows = linesOf(text)
    .filter(({ table }) => table === 'command_log')
    .map(({ values }) => values);
  let [number, previousHash] = [0, FIRST_PREVIOUS_HASH];
  for (const row of rows) {
    expect(row.sequence_number).toBe(number + 1);
    for (const [at, stored] of (JSON.parse(row.records) as StoredRecord[]).entries()) {
      number += 1;
      const [action, entityType, entityUuid, entityExternalId, changes, person] = stored;
      const { hash } = chainRecord(
        {
          action: action as AuditEntry['action'],
          entityType: entityType as AuditEntry['entityType'],
          entityUuid,
          entityExternalId,
          changes: longChanges(changes),
        },
        { sequenceNumber: number, previousHash, now: row.event_date },
        {
          actor: { actorType: row.actor_type, uuid: row.actor_uuid, displayName: row.actor_display_name },
          requestId: row.request_id,
          ipAddress: row.ip_address,
        },
        salts('of no person'),
      );
      const own = row.hashes.slice(at * 64, (at + 1) * 64);
      if (row.actor_commitment === null && !person) expect(own).toBe(hash);
      previousHash = own;
    }
  }
  expect(number).toBe(sequenceNumber);
}
