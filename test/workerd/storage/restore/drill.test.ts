import { beforeAll, describe, expect, it } from 'vitest';
import { bindings, newTenantIn, setOpen } from '../../access/database/places.ts';
import { newPerson } from '../../access/session/person.ts';
import { newGate, operator, type Tenant } from '../../client.ts';
import { eventsOf } from '../../core/writer/rewinds.ts';
import { operatorLog, verified, wholeLog } from '../../log/audit/logs.ts';
import { dump, residences } from '../move/moves.ts';
import { nightBySchedule, requestRestore, restore, suspend } from './nights.ts';

const { DB, DB_1, CALIBRATION } = bindings;

const allocate = async (tenant: Tenant, headers = {}): Promise<number> => {
  const answer = await tenant.call('POST', '/marker-code/allocate?imageDelivery=URL', undefined, headers);
  expect(answer.status).toBe(200);
  return answer.body.entries[0].markerCode;
};

/** Work of a day, of which the names begin alike. */
async function work(tenant: Tenant, name: string): Promise<number[]> {
  const codes = [await allocate(tenant, { 'Idempotency-Key': name })];
  for (const wmsId of [`${name}-P`, `${name}-Q`]) {
    const { status, body } = await tenant.call('POST', '/track/get-and-couple', { wmsId });
    expect(status).toBe(200);
    codes.push(body.markerCode);
  }
  const { status } = await tenant.call('POST', '/manifest', {
    externalIdentifier: `${name}-M`,
    assets: [`${name}-P`],
  });
  expect(status).toBe(201);
  return codes;
}

describe('an organization that is restored from its nightly export', () => {
  /** The state before the night, and what was done and destroyed after it. */
  let drill: Awaited<ReturnType<typeof restored>>;

  async function restored() {
    await setOpen('DB_1', true);
    const tenant = await newTenantIn('DB');
    const neighbour = await newTenantIn('DB');
    await newGate(tenant, 'G');
    await operator('PUT', `/organization/${tenant.uuid}`, { name: 'Before' });
    const codes = await work(tenant, 'BEFORE');
    await work(neighbour, 'NEIGHBOUR');
    const person = await newPerson(tenant);
    const exportDate = await nightBySchedule(DB, tenant.uuid);
    const before = await dump(DB, tenant.uuid);
    // The day after: work, a wrong deployment that alters and destroys rows, and a person who deletes an order.
    const lost = await work(tenant, 'LOST');
    await operator('PUT', `/organization/${tenant.uuid}`, { name: 'After' });
    await tenant.call('DELETE', '/manifest/BEFORE-M');
    await DB.batch([
      DB.prepare("UPDATE track SET wms_id = 'destroyed ' || marker_code WHERE organization_uuid = ?").bind(
        tenant.uuid,
      ),
      DB.prepare('DELETE FROM gate WHERE organization_uuid = ?').bind(tenant.uuid),
    ]);
    const [log, events] = [await wholeLog(tenant), await eventsOf(tenant)];
    const others = await dump(DB, neighbour.uuid);
    const early = await requestRestore(tenant.uuid);
    const dry = await restore(tenant.uuid, { dryRun: true });
    const untouched = await residences(tenant.uuid);
    await suspend(tenant.uuid);
    const { accepted, operation } = await restore(tenant.uuid, { exportDate });
    const rows = await dump(DB_1, tenant.uuid);
    const shown = (await operator('GET', `/organization/${tenant.uuid}`)).body;
    await suspend(tenant.uuid, 'resume');
    return {
      ...{ tenant, neighbour, person, exportDate, before, codes, lost, log, events, others, early, dry },
      ...{ untouched, accepted, operation, rows, shown },
    };
  }

  beforeAll(async () => {
    drill = await restored();
  }, 60_000);

  it('is only verified by a dry run, and is refused until it is suspended', () => {
    const { dry, early, untouched, exportDate, log } = drill;
    expect(early).toMatchObject({ status: 409, body: { code: 'organizationNotSuspended' } });
    expect(dry.operation).toMatchObject({ operationType: 'ORGANIZATION_RESTORE', status: 'SUCCEEDED' });
    expect(dry.accepted).toMatchObject({ exportDate, lastSequenceNumber: log.at(-1)!.sequenceNumber });
    expect(dry.accepted.sequenceNumber).toBeLessThan(log.at(-1)!.sequenceNumber);
    expect(untouched).toEqual(['HERE in DB', null]);
  });

  it('has the rows of the night again, without sessions, and its settings', () => {
    const { before, rows, operation, shown } = drill;
    expect(operation).toMatchObject({ status: 'SUCCEEDED', finishDate: expect.any(String) });
    const { session, organization: _, ...wanted } = before;
    expect(session!.length).toBeGreaterThan(0);
    for (const table of ['track', 'gate', 'manifest', 'asset_loading', 'user', 'credential', 'list_total'])
      expect(rows[table], table).toEqual(wanted[table]);
    expect(rows['session']).toBeUndefined();
    expect(shown).toMatchObject({ databaseName: 'DB_1', name: 'Before', status: 'SUSPENDED' });
  });

  it('leaves the other organizations of the database as they are', async () => {
    const { neighbour, others } = drill;
    expect(await dump(DB, neighbour.uuid)).toEqual(others);
    expect((await verified(neighbour)).fault).toBeUndefined();
  });

  it('leaves no row in the database where it was', async () => {
    const { tenant } = drill;
    expect(await residences(tenant.uuid)).toEqual(['ELSEWHERE in DB_1', 'HERE in DB_1']);
    const { organization: _, ...left } = await dump(DB, tenant.uuid);
    expect(left).toEqual({ nightly_export_due: left['nightly_export_due'] });
  });

  it('answers its callers, issues no code twice, and trusts no answer of the lost time', async () => {
    const { tenant, codes, lost, person } = drill;
    expect((await tenant.call('GET', '/gate/G')).status).toBe(200);
    expect((await tenant.call('GET', '/manifest/BEFORE-M')).status).toBe(200);
    expect((await tenant.call('GET', '/manifest/LOST-M')).status).toBe(404);
    expect((await person.get('/app')).status).not.toBe(200);
    // Its idempotency record is lost, so this is a new request.
    const next = await allocate(tenant, { 'Idempotency-Key': 'LOST' });
    expect(next).toBe(Math.max(...codes, ...lost) + 1);
    // An answer from before the night is still known.
    expect(await allocate(tenant, { 'Idempotency-Key': 'BEFORE' })).toBe(codes[0]);
    const { body } = await tenant.call('POST', '/track/get-and-couple', { wmsId: 'LOST-P' });
    expect(body.markerCode).toBe(next + 1);
  });

  it('declares the loss in its log and events, uses no number again, and its log verifies', async () => {
    const { tenant, accepted, log, events, lost, codes } = drill;
    const now = await wholeLog(tenant);
    const declared = now.find(({ action }) => action === 'STORE_REWOUND')!;
    expect(declared.sequenceNumber).toBeGreaterThan(log.at(-1)!.sequenceNumber);
    expect(declared.changes).toContainEqual({
      field: 'nextMarkerCode',
      oldValue: null,
      newValue: Math.max(...codes, ...lost) + 1,
    });
    const { gaps, fault } = await verified(tenant);
    expect(fault).toBeUndefined();
    expect(gaps).toEqual([{ from: accepted.sequenceNumber + 1, to: declared.sequenceNumber - 1 }]);
    const after = await eventsOf(tenant);
    const at = after.findIndex((event: { eventType: string }) => event.eventType === 'STORE_REWOUND');
    expect(after[at].sequenceNumber).toBeGreaterThan(events.at(-1).sequenceNumber);
    expect(now.map(({ action }) => action)).toContain('ORGANIZATION_MOVED');
  });

  it('is recorded in the log of the operator', async () => {
    const { tenant, exportDate, accepted } = drill;
    const records = (await operatorLog())
      .toReversed()
      .filter(
        ({ action, entityUuid }) => action === 'ORGANIZATION_RESTORE_ACCEPTED' && entityUuid === tenant.uuid,
      );
    expect(records.map(({ changes }) => changes.find(({ field }) => field === 'dryRun')?.newValue)).toEqual([
      true,
      false,
    ]);
    expect(records.at(-1)!.changes).toContainEqual({
      field: 'exportDate',
      oldValue: null,
      newValue: exportDate,
    });
    expect(records.at(-1)!.changes).toContainEqual({
      field: 'operationId',
      oldValue: null,
      newValue: accepted.operationId,
    });
  });

  it('has an export without a secret in the clear', async () => {
    const { tenant, exportDate } = drill;
    const found = await CALIBRATION.get(`nightly/${tenant.uuid}/${exportDate}/00001`);
    const text = await found!.text();
    expect(text).toContain('BEFORE-P');
    for (const secret of [tenant.key, tenant.token]) expect(text).not.toContain(secret);
  });
});
