import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AuditEntry,
  chainRecord,
  FIRST_PREVIOUS_HASH,
  recordUuid,
  salts,
} from '../../../src/writer/chain.ts';

const folder = resolve(import.meta.dirname, '../../../migrations');
const SMALL = '0033_small.sql';
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .sort();
const NOW = 1_795_248_930_123;
const ORGANIZATIONS = [
  '01995d2f-6c1c-7000-8000-000000000001',
  '00000000-0000-0000-0000-000000000000',
] as const;
const TRACK = '01995d2f-6c1c-7000-8000-00000000000a';
const MANIFEST = '01995d2f-6c1c-7000-8000-00000000000b';
const RECORD = '01995d2f-6c1c-7000-8000-00000000000c';
/** The columns of the log as they were. */
const COLUMNS = `organization_uuid, sequence_number, uuid, event_date, action, actor_type, actor_uuid, actor_display_name,
  entity_type, entity_uuid, entity_external_id, changes, request_id, ip_address, previous_hash, hash`;
const ACTIVITY_COLUMNS = `organization_uuid, uuid, track_uuid, activity_type, gate_uuid, manifest_external_id,
  shipment_external_id, author, details, create_date, update_date`;
/** How the version before inserts records: the first one follows the last that there is, if that has this hash. */
const INSERT = `INSERT INTO "audit_log" (${COLUMNS})
  SELECT ?1, ${COLUMNS.split(/,\s+/)
    .slice(1)
    .map((name) => {
      const value = `json_extract(value, '$.${name}')`;
      return name === 'previous_hash'
        ? `coalesce(${value}, iif(coalesce((SELECT hash FROM audit_log WHERE organization_uuid = ?1
            ORDER BY sequence_number DESC LIMIT 1), '${FIRST_PREVIOUS_HASH}') = ?3, ?3, NULL))`
        : value;
    })
    .join(', ')} FROM json_each(?2)`;

type Row = Record<string, unknown>;

/** What a log says of things, the unusual included: names that are no uuids, texts of every alphabet, numbers and lists. */
const ENTRIES: AuditEntry[] = [
  {
    action: 'MANIFEST_CREATED',
    entityType: 'MANIFEST',
    entityUuid: MANIFEST,
    entityExternalId: 'M é 📦',
    changes: [
      { field: 'assets.added', oldValue: null, newValue: ['P', 'Q', '"', '\\', 'é'] },
      { field: 'limits', oldValue: { a: 1.5, b: -3e-7 }, newValue: { b: 9_007_199_254_740_991, a: null } },
      { field: 'done', oldValue: false, newValue: true },
    ],
  },
  { action: 'TRACK_FLAGGED', entityType: 'TRACK', entityUuid: TRACK, entityExternalId: null, changes: [] },
  {
    action: 'ASSET_LOADING_STATUS_CHANGED',
    entityType: 'ASSET_LOADING',
    entityUuid: RECORD,
    entityExternalId: 'P',
    changes: [{ field: 'loadingStatus', oldValue: 'LOADED', newValue: 'UNLOADED' }],
  },
  {
    action: 'TRACK_FLAGGED',
    entityType: 'TRACK',
    entityUuid: TRACK.toUpperCase(),
    entityExternalId: '',
    changes: [{ field: 'left out', oldValue: undefined, newValue: '[["' }],
  },
];

/** Records of these entries that follow a hash, as rows. */
function rowsOf(entries: readonly AuditEntry[], after: number, previous: string): Row[] {
  let previousHash = previous;
  return entries.map((entry, index) => {
    const actor = {
      actorType: index % 2 === 0 ? ('API_KEY' as const) : ('SYSTEM' as const),
      uuid: index % 2 === 0 ? ORGANIZATIONS[0] : null,
      displayName: `Ä${index % 2}`,
    };
    const by = {
      actor,
      requestId: index === 1 ? 'a request of its own' : RECORD.replace(/.$/, String(index)),
      ipAddress: index === 0 ? null : '2001:db8::1',
    };
    const sequenceNumber = after + index + 1;
    const record = chainRecord(
      entry,
      { sequenceNumber, previousHash, now: NOW - index },
      by,
      salts('secret'),
    );
    previousHash = record.hash;
    return {
      sequence_number: sequenceNumber,
      uuid: recordUuid(NOW - index, record.hash),
      event_date: NOW - index,
      action: record.action,
      actor_type: actor.actorType,
      actor_uuid: actor.uuid,
      actor_display_name: actor.displayName,
      entity_type: record.entityType,
      entity_uuid: record.entityUuid,
      entity_external_id: record.entityExternalId,
      changes: JSON.stringify(record.changes),
      request_id: by.requestId,
      ip_address: by.ipAddress,
      previous_hash: record.previousHash,
      hash: record.hash,
    };
  });
}

let database: DatabaseSync;
const apply = (wanted: (file: string) => boolean) => {
  for (const file of files.filter(wanted)) database.exec(readFileSync(`${folder}/${file}`, 'utf8'));
};
const insert = (organization: string, rows: readonly Row[], after: string) =>
  database.prepare(INSERT).run(organization, JSON.stringify(rows), after);
const all = (statement: string): Row[] => database.prepare(statement).all();
const log = () => all(`SELECT ${COLUMNS} FROM audit_log ORDER BY organization_uuid, sequence_number`);
const timeline = () => all(`SELECT ${ACTIVITY_COLUMNS} FROM track_activity ORDER BY uuid`);
const corrections = () => all('SELECT manifest_uuid, sequence_number FROM loading_correction');

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  apply((file) => file < SMALL);
  database.exec(`
    INSERT INTO manifest (uuid, organization_uuid, external_identifier, manifest_status, public_token, folded_identifier,
      create_date, update_date) VALUES ('${MANIFEST}', '${ORGANIZATIONS[0]}', 'M', 'TO_DO', NULL, 'm', 1, 1);
    INSERT INTO asset_loading (uuid, organization_uuid, manifest_uuid, wms_id, loading_status, create_date, update_date)
      VALUES ('${RECORD}', '${ORGANIZATIONS[0]}', '${MANIFEST}', 'P', 'LOADED', 1, 1);`);
  for (const organization of ORGANIZATIONS) {
    insert(organization, rowsOf(ENTRIES, 0, FIRST_PREVIOUS_HASH), FIRST_PREVIOUS_HASH);
  }
  database.exec("UPDATE manifest SET manifest_status = 'COMPLETED', public_token = 't'");
  const activity = database.prepare(
    `INSERT INTO track_activity (${ACTIVITY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const [index, gate] of [MANIFEST, 'a gate', null].entries()) {
    const uuid = RECORD.replace(/.$/, String(index));
    activity.run(ORGANIZATIONS[0], uuid, TRACK, 'SEEN', gate, 'M', null, 'é', null, NOW, NOW + index);
  }
});

describe('what is stored before the log and timelines take less room', () => {
  it('is the same afterwards, whatever it is', () => {
    // Somebody changed these: it has to show.
    database.exec(`UPDATE audit_log SET previous_hash = '${'f'.repeat(64)}' WHERE sequence_number = 2`);
    database.exec(`UPDATE audit_log SET hash = upper(hash) WHERE sequence_number = 3`);
    database.exec(
      `UPDATE audit_log SET uuid = '${RECORD}', actor_display_name = 'X' WHERE sequence_number = 4`,
    );
    const before = [log(), timeline(), corrections()];
    expect(before.map((rows) => rows.length)).toEqual([8, 3, 0]);
    apply((file) => file >= SMALL);
    expect([log(), timeline(), corrections()]).toEqual(before);
  });

  it('is kept as what does not follow from anything else', () => {
    apply((file) => file >= SMALL);
    expect(all('SELECT DISTINCT uuid, previous_hash FROM audit_record')).toEqual([
      { uuid: null, previous_hash: null },
    ]);
    expect(all('SELECT DISTINCT typeof(hash) AS type FROM audit_record')).toEqual([{ type: 'blob' }]);
    expect(all('SELECT changes FROM audit_record WHERE sequence_number = 3')[0]).toEqual({
      changes: '[["loadingStatus","LOADED","UNLOADED"]]',
    });
    expect(all('SELECT count(*) AS actors FROM audit_actor')).toEqual([{ actors: 6 }]);
  });
});

describe('the version before, while it still runs', () => {
  const next = () => {
    const { hash } = log().at(-1) as { hash: string };
    return {
      hash,
      rows: rowsOf(ENTRIES, 4, hash).map((row, index) => (index > 0 ? row : { ...row, previous_hash: null })),
    };
  };
  beforeEach(() => apply((file) => file >= SMALL));

  it('goes on with the log, which shows what it inserted', () => {
    const { hash, rows } = next();
    insert(ORGANIZATIONS[0], rows, hash);
    const expected = rows.map((row, index) => ({
      ...row,
      organization_uuid: ORGANIZATIONS[0],
      previous_hash: index === 0 ? hash : row['previous_hash'],
    }));
    expect(log().slice(-4)).toEqual(expected);
    // Its manifest was closed before.
    expect(corrections()).toEqual([{ manifest_uuid: MANIFEST, sequence_number: 7 }]);
  });

  it('is refused where the log does not end where it thinks', () => {
    const { hash, rows } = next();
    expect(() => insert(ORGANIZATIONS[0], rows, FIRST_PREVIOUS_HASH)).toThrow(
      /constraint failed: audit_log\.previous_hash/,
    );
    const taken = rows.map((row) => ({ ...row, sequence_number: (row['sequence_number'] as number) - 1 }));
    expect(() => insert(ORGANIZATIONS[0], taken, hash)).toThrow(/UNIQUE constraint failed: audit_record\./);
    expect(log()).toHaveLength(8);
  });
});
