import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Scope } from '../../../../src/core/lib/scope.ts';
import { forD1 } from '../../../../src/core/lib/sql.ts';
import {
  type Actor,
  type AuditEntry,
  chainRecord,
  FIRST_PREVIOUS_HASH,
  recordUuid,
  salts,
  shortChanges,
} from '../../../../src/core/writer/chain.ts';
import { type LogRecord, logWrites, NO_NAMES } from '../../../../src/core/writer/log.ts';
import { migratedDatabase } from '../../../migrations.ts';

const ORGANIZATION = '01995d2f-6c1c-7000-8000-000000000001';
const NOW = 1_795_248_930_123;

const empty = migratedDatabase().serialize();

function database(): DatabaseSync {
  const made = new DatabaseSync(':memory:');
  made.deserialize(empty);
  return made;
}

/** Uuids, and texts that only look like a uuid or like its bytes. */
const id = fc.oneof(
  fc.uuid(),
  fc.uuid().map((uuid) => uuid.toUpperCase()),
  fc.constantFrom('abcd', 'a request of its own', '0', ''),
  fc.string({ unit: 'grapheme' }),
);
const text = fc.string({ unit: 'grapheme' });
const entry: fc.Arbitrary<AuditEntry> = fc.record({
  action: fc.constantFrom('TRACK_COUPLED', 'TRACK_FLAGGED', 'USER_CREATED'),
  entityType: fc.constantFrom<AuditEntry['entityType'][]>('TRACK', 'USER'),
  entityUuid: id,
  entityExternalId: fc.option(fc.oneof(text, fc.constantFrom('P', 'Q'))),
  changes: fc.array(
    fc.record({
      field: text,
      oldValue: fc.option(fc.jsonValue(), { nil: undefined }),
      newValue: fc.option(fc.jsonValue(), { nil: undefined }),
    }),
    { maxLength: 3 },
  ),
  personal: fc.constantFrom<string[][]>([], ['email']),
});
const actor: fc.Arbitrary<Actor> = fc.record({
  actorType: fc.constantFrom<Actor['actorType'][]>('API_KEY', 'USER', 'SYSTEM'),
  uuid: fc.option(id),
  displayName: text,
});
const request = fc.record({ actor, requestId: id, ipAddress: fc.option(fc.ipV6()) });
/** Commits. Each has entries with their actors. */
const commits = fc.array(
  fc.array(fc.record({ entry, request, after: fc.nat(3) }), { minLength: 1, maxLength: 4 }),
  { minLength: 1, maxLength: 4 },
);

interface Made {
  entry: AuditEntry;
  request: { actor: Actor; requestId: string; ipAddress: string | null };
  /** How many numbers are skipped before it. */
  after: number;
}

/** A record of an entity with this external id. */
const named = (entityExternalId: string): Made => ({
  entry: {
    action: 'TRACK_COUPLED',
    entityType: 'TRACK',
    entityUuid: ORGANIZATION,
    entityExternalId,
    changes: [],
    personal: [],
  },
  request: {
    actor: { actorType: 'SYSTEM', uuid: null, displayName: 'S' },
    requestId: 'r',
    ipAddress: null,
  },
  after: 0,
});

/** Records that follow one another, some after a gap. */
function recordsOf(made: readonly Made[], from: { number: number; hash: string }): LogRecord[] {
  let { number, hash } = from;
  return made.map(({ entry: auditEntry, request: by, after }) => {
    number += 1 + after;
    const record = chainRecord(
      auditEntry,
      { sequenceNumber: number, previousHash: hash, now: NOW },
      by,
      salts('s'),
    );
    ({ hash } = record);
    return { ...record, now: NOW };
  });
}

/** Write records one by one through the view, as exports and moves do. */
function writeToView(store: DatabaseSync, records: readonly LogRecord[]): void {
  for (const record of records) {
    const { identity } = record;
    const row: Record<string, SQLInputValue> = {
      organization_uuid: ORGANIZATION,
      sequence_number: record.sequenceNumber,
      uuid: recordUuid(record.now, record.hash),
      event_date: record.now,
      action: record.action,
      actor_type: record.actor.actorType,
      actor_uuid: record.actor.uuid,
      actor_display_name: record.actor.displayName,
      entity_type: record.entityType,
      entity_uuid: record.entityUuid,
      entity_external_id: record.entityExternalId,
      short_changes: JSON.stringify(shortChanges(record.changes)),
      request_id: record.requestId,
      ip_address: record.ipAddress,
      previous_hash: record.previousHash,
      hash: record.hash,
      actor_commitment: identity?.actor?.commitment ?? null,
      actor_salt: identity?.actor?.salt ?? null,
      person: identity?.entity ? JSON.stringify(identity.entity) : null,
    };
    store
      .prepare(`INSERT INTO audit_log (${Object.keys(row)}) VALUES (${Object.keys(row).map(() => '?')})`)
      .run(...Object.values(row));
  }
}

const contentOf = (store: DatabaseSync) =>
  ['organization_number', 'audit_action', 'audit_actor', 'audit_record', 'audit_log'].map((table) =>
    store.prepare(`SELECT * FROM ${table}`).all(),
  );

/** The entity of a stored record, and the part of its id that the index of records has. */
function indexed(entityUuid: SQLOutputValue): { id: string; part: string } {
  if (!(entityUuid instanceof Uint8Array)) {
    const id = String(entityUuid);
    return { id: `text ${id}`, part: `text ${[...id].slice(12).join('')}` };
  }
  const hex = Buffer.from(entityUuid).toString('hex');
  return { id: hex, part: hex.slice(24) };
}

/**
 * Sets `named_before` in records of a commit, because the view never sets it. It is 1 if the last earlier record with
 * this part of the id is about the same entity and has the same external id.
 */
function markNamed(store: DatabaseSync, upTo: number): void {
  const all = store.prepare('SELECT * FROM audit_record ORDER BY sequence_number').all();
  const earlier = all.filter((row) => Number(row['sequence_number']) <= upTo);
  const update = store.prepare('UPDATE audit_record SET named_before = 1 WHERE sequence_number = ?');
  for (const row of all.slice(earlier.length)) {
    const { id, part } = indexed(row['entity_uuid']!);
    const last = earlier.findLast((one) => indexed(one['entity_uuid']!).part === part);
    if (!last || row['entity_external_id'] === null || indexed(last['entity_uuid']!).id !== id) continue;
    if (last['entity_external_id'] === row['entity_external_id']) update.run(row['sequence_number']!);
  }
}

it('a commit writes any record exactly as the view would, and marks a name that its entity had before', () => {
  fc.assert(
    fc.property(commits, (all) => {
      const [direct, viewed] = [database(), database()];
      let head = { number: 0, hash: FIRST_PREVIOUS_HASH };
      let names = NO_NAMES;
      for (const made of all) {
        const records = recordsOf(made, head);
        writeToView(viewed, records);
        markNamed(viewed, head.number);
        const log = logWrites(new Scope(ORGANIZATION), records, head.hash, names);
        for (const write of log.writes) {
          const { text, params } = forD1(write);
          direct.prepare(text).run(...(params as SQLInputValue[]));
        }
        ({ names } = log);
        head = { number: records.at(-1)!.sequenceNumber, hash: records.at(-1)!.hash };
      }
      expect(contentOf(direct)).toEqual(contentOf(viewed));
    }),
    { numRuns: 30, examples: [[['P', 'P', 'Q', 'P', 'P'].map((name) => [named(name)])]] },
  );
});

it('the log stores a name once and refuses a name that is gone', () => {
  const store = database();
  const write = (records: LogRecord[], after: string, names = NO_NAMES) => {
    const log = logWrites(new Scope(ORGANIZATION), records, after, names);
    for (const statement of log.writes) {
      const { text, params } = forD1(statement);
      store.prepare(text).run(...(params as SQLInputValue[]));
    }
    return log;
  };
  const [first] = recordsOf([named('P')], {
    number: 0,
    hash: FIRST_PREVIOUS_HASH,
  });
  const { names, writes } = write([first!], FIRST_PREVIOUS_HASH);
  const [second] = recordsOf([named('P')], {
    number: 1,
    hash: first!.hash,
  });
  expect(logWrites(new Scope(ORGANIZATION), [second!], first!.hash, names).writes).toHaveLength(1);
  expect(writes.length).toBeGreaterThan(1);
  store.exec('DELETE FROM audit_actor');
  expect(() => write([second!], first!.hash, names)).toThrow(/NOT NULL constraint failed: audit_record\./);
  expect(() => write([second!], FIRST_PREVIOUS_HASH)).toThrow(
    /NOT NULL constraint failed: audit_record\.sequence_number/,
  );
  write([second!], first!.hash);
  expect(store.prepare('SELECT count(*) AS count FROM audit_record').get()).toEqual({ count: 2 });
});
