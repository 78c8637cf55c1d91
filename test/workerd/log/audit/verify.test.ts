import { beforeAll, describe, expect, it } from 'vitest';
import { ONE_RECORD_EACH, TAMPERING } from '../../../tampering.ts';
import { newGate, newTenant, type Tenant } from '../../client.ts';
import { db, request, writerOf } from '../../core/writer/requests.ts';
import { verified, wholeLog } from './logs.ts';

beforeAll(() => db.batch(TAMPERING.map((trigger) => db.prepare(trigger))));

/** A tenant with twelve records of several kinds and commits. This is more than one page of the walk. */
async function logged(): Promise<Tenant> {
  const tenant = await newTenant();
  await newGate(tenant, 'G');
  await tenant.call('POST', '/manifest', {
    externalIdentifier: 'M é',
    assets: ['P', 'Q'],
    customFields: [{ fieldKey: 'k', fieldValue: '"v" \u{1f4e6}' }],
  });
  for (const wmsId of ['P', 'Q']) {
    await tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId });
  }
  for (const status of ['TO_DO', 'CANCELLED']) {
    await tenant.call('POST', `/manifest/${encodeURIComponent('M é')}/status/${status}`);
  }
  await tenant.call('PATCH', '/track/P/flag', { damaged: true, reason: 'wet' });
  await tenant.call('PATCH', '/track/P/unflag');
  expect(await verified(tenant)).toMatchObject({ verified: 12, fault: undefined });
  const log = await wholeLog(tenant);
  await db.batch(ONE_RECORD_EACH.map((statement) => db.prepare(statement)));
  expect(await wholeLog(tenant)).toEqual(log);
  return tenant;
}

/** Change the rows of a tenant in a way that the service never does. */
const tamper = (tenant: Tenant, statement: string, ...values: unknown[]) =>
  db
    .prepare(statement.replace('$ORG', `organization_uuid = '${tenant.uuid}'`))
    .bind(...values)
    .run();
const faultOf = async (tenant: Tenant) => (await verified(tenant)).fault;

/** False values for each column with content. */
const FORGED: Record<string, unknown> = {
  event_date: 1,
  action: 'MANIFEST_DELETED',
  actor_type: 'SYSTEM',
  actor_uuid: null,
  actor_display_name: 'Somebody else',
  entity_type: 'SHIPMENT',
  entity_uuid: '01900000-0000-7000-8000-000000000001',
  entity_external_id: null,
  changes: '[]',
  request_id: 'another',
  ip_address: '192.0.2.1',
  hash: 'f'.repeat(64),
  actor_commitment: 'f'.repeat(64),
  person: '{"commitment":"","salt":null,"fields":[]}',
};

/** False values, as SQL, for each column of the stored row of a record. */
const STORED: Record<string, string> = {
  event_date: '1',
  actor_number: "(SELECT number FROM audit_actor WHERE actor_type <> 'API_KEY')",
  request_id: 'randomblob(16)',
  hashes: 'randomblob(32)',
  records: `json_set(records, '$[0][0]', 'GATE_CREATED')`,
};

describe('tampering with the rows of the log', () => {
  it.each(Object.entries(FORGED))('verification finds a changed %s', async (column, value) => {
    const tenant = await logged();
    await tamper(tenant, `UPDATE audit_log SET ${column} = ?1 WHERE $ORG AND sequence_number = 4`, value);
    expect(await faultOf(tenant)).toMatchObject({ sequenceNumber: 4 });
  });

  it.each(Object.entries(STORED))(
    'verification finds a changed %s in the stored row',
    async (column, value) => {
      const tenant = await logged();
      await db
        .prepare(`UPDATE log SET ${column} = ${value}
          WHERE id = (SELECT number << 32 | 4 FROM organization_number WHERE organization_uuid = ?1)`)
        .bind(tenant.uuid)
        .run();
      expect(await faultOf(tenant)).toMatchObject({ sequenceNumber: 4 });
    },
  );

  it('verification finds a changed actor name, in the first record of that actor', async () => {
    const tenant = await logged();
    const first = (await wholeLog(tenant)).find(({ actor }) => actor.actorType === 'API_KEY')!;
    for (const [column, value] of Object.entries(FORGED)) {
      if (!/^(actor_(?!commitment)|ip_)/.test(column)) continue;
      const of = `organization_number = (SELECT number FROM organization_number WHERE organization_uuid = ?1)
        AND actor_type = 'API_KEY'`;
      const { results } = await db.prepare(`SELECT * FROM audit_actor WHERE ${of}`).bind(tenant.uuid).all();
      const [{ number, [column]: before } = {}] = results;
      const set = (to: unknown) =>
        db.prepare(`UPDATE audit_actor SET ${column} = ?1 WHERE number = ?2`).bind(to, number).run();
      await set(value);
      expect([column, await faultOf(tenant)]).toMatchObject([
        column,
        { sequenceNumber: first.sequenceNumber },
      ]);
      await set(before);
    }
    expect(await faultOf(tenant)).toBeUndefined();
  });

  it('the verification test changes every column', async () => {
    const columnsOf = async (table: string) => {
      const { results } = await db.prepare(`PRAGMA table_info(${table})`).all<{ name: string }>();
      return results.map(({ name }) => name);
    };
    // Organization and number are the place of a record, which a test below changes. Its uuid and the hash of the record
    // before it are not stored. The changes are shown in two forms. These records are not about persons.
    const place = ['sequence_number', 'organization_uuid', 'uuid', 'previous_hash'];
    const keys = ['log_id', 'actor_number', 'request_key', 'short_changes', 'actor_salt'];
    expect((await columnsOf('audit_log')).sort()).toEqual([...Object.keys(FORGED), ...place, ...keys].sort());
    // Entries of timelines are no part of the audit log.
    expect((await columnsOf('log')).sort()).toEqual([...Object.keys(STORED), 'id', 'entries'].sort());
  });

  it.each([
    ['one letter', '"wet"', '"Wet"'],
    ['a number for a text', '"wet"', '7'],
    ['null for a text', '"wet"', 'null'],
    ['another form of the same letter', 'é', 'e\u0301'],
    ['true for false', 'false', 'true'],
    ['another name of a field', '"reason"', '"cause"'],
  ])('verification finds a %s in the changes', async (_, from, to) => {
    const tenant = await logged();
    const record = (await wholeLog(tenant)).find(({ changes, entityExternalId }) =>
      `${JSON.stringify(changes)}${entityExternalId}`.includes(from),
    )!;
    await tamper(
      tenant,
      `UPDATE audit_log SET changes = replace(changes, ?1, ?2),
        entity_external_id = replace(entity_external_id, ?1, ?2) WHERE $ORG AND sequence_number = ?3`,
      from,
      to,
      record.sequenceNumber,
    );
    expect(await faultOf(tenant)).toMatchObject({ sequenceNumber: record.sequenceNumber });
  });

  it('verification finds two swapped records', async () => {
    const tenant = await logged();
    for (const [from, to] of [
      [5, 99],
      [6, 5],
      [99, 6],
    ]) {
      await tamper(
        tenant,
        'UPDATE audit_log SET sequence_number = ?1 WHERE $ORG AND sequence_number = ?2',
        to,
        from,
      );
    }
    expect(await faultOf(tenant)).toMatchObject({ sequenceNumber: 5 });
  });

  it('verification finds a reversed order', async () => {
    const tenant = await logged();
    await tamper(tenant, 'UPDATE audit_log SET sequence_number = sequence_number + 1000 WHERE $ORG');
    await tamper(tenant, 'UPDATE audit_log SET sequence_number = 1013 - sequence_number WHERE $ORG');
    expect((await wholeLog(tenant)).map(({ sequenceNumber }) => sequenceNumber)[0]).toBe(1);
    expect(await faultOf(tenant)).toMatchObject({ sequenceNumber: 1 });
  });

  it.each([1, 7, 11])('verification finds the deletion of record %i', async (sequenceNumber) => {
    const tenant = await logged();
    await tamper(tenant, 'DELETE FROM audit_log WHERE $ORG AND sequence_number = ?1', sequenceNumber);
    expect(await faultOf(tenant)).toMatchObject({
      sequenceNumber,
      what: expect.stringContaining('it is missing'),
    });
  });

  it('verification finds a deletion after which later records move up', async () => {
    const tenant = await logged();
    await tamper(tenant, 'DELETE FROM audit_log WHERE $ORG AND sequence_number = 7');
    for (let number = 8; number <= 12; number += 1) {
      await tamper(
        tenant,
        'UPDATE audit_log SET sequence_number = ?1 - 1 WHERE $ORG AND sequence_number = ?1',
        number,
      );
    }
    expect(await faultOf(tenant)).toMatchObject({ sequenceNumber: 7 });
  });

  it('verification finds an inserted record of this log or of another organization', async () => {
    const [tenant, other] = [await logged(), await logged()];
    const columns =
      'event_date, action, actor_type, actor_uuid, actor_display_name, entity_type, entity_uuid, entity_external_id, changes, request_id, ip_address, hash';
    await tamper(
      tenant,
      `INSERT INTO audit_log (organization_uuid, sequence_number, ${columns})
        SELECT organization_uuid, 13, ${columns} FROM audit_log WHERE $ORG AND sequence_number = 12`,
    );
    expect(await faultOf(tenant)).toMatchObject({ sequenceNumber: 13 });
    await tamper(other, 'DELETE FROM audit_log WHERE $ORG AND sequence_number = 4');
    await tamper(
      tenant,
      `INSERT INTO audit_log (organization_uuid, sequence_number, ${columns})
        SELECT '${other.uuid}', 4, ${columns} FROM audit_log WHERE $ORG AND sequence_number = 4`,
    );
    expect(await faultOf(other)).toMatchObject({ sequenceNumber: 4 });
  });

  it('verification with a stored record finds a truncated or rewritten end', async () => {
    const tenant = await logged();
    const kept = (await verified(tenant)).head!;
    expect(kept.sequenceNumber).toBe(12);
    await tamper(tenant, 'DELETE FROM audit_log WHERE $ORG AND sequence_number > 10');
    expect(await faultOf(tenant)).toBeUndefined();
    expect((await verified(tenant, kept)).fault).toMatchObject({ sequenceNumber: 12 });
    // A writer that does not know of the change continues at the current end of the log.
    const writer = writerOf(tenant);
    for (let count = 0; count < 3; count += 1) {
      await writer.execute(request('allocateMarkers', { quantity: 1 }));
    }
    expect(await verified(tenant)).toMatchObject({ verified: 13, fault: undefined });
    expect((await verified(tenant, kept)).fault).toMatchObject({
      sequenceNumber: 12,
      what: expect.stringContaining('rewritten'),
    });
  });

  it('the log itself declares a truncation under a writer that knows the end', async () => {
    const tenant = await logged();
    await tamper(tenant, 'DELETE FROM audit_log WHERE $ORG AND sequence_number = 12');
    await tenant.call('POST', '/manifest', { externalIdentifier: 'N' });
    expect(await verified(tenant)).toMatchObject({ fault: undefined, gaps: [{ from: 12 }] });
    expect((await wholeLog(tenant))[11]).toMatchObject({ action: 'STORE_REWOUND' });
  });
});

describe('a log', () => {
  it('verification can start from any record and continues to hold', async () => {
    const tenant = await logged();
    const log = await wholeLog(tenant);
    for (const { sequenceNumber, hash } of log) {
      expect(await verified(tenant, { sequenceNumber, hash })).toEqual({
        verified: 13 - sequenceNumber,
        head: { sequenceNumber: 12, hash: log[11]!.hash },
        fault: undefined,
        gaps: [],
      });
    }
    await tenant.call('POST', '/manifest', { externalIdentifier: 'N' });
    const { sequenceNumber, hash } = log[11]!;
    expect(await verified(tenant, { sequenceNumber, hash })).toMatchObject({ verified: 2, fault: undefined });
  });
});
