import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type SQL, sql } from 'drizzle-orm';
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
} from '../../../../src/core/writer/chain.ts';
import {
  type Entries,
  type EntryPallet,
  type Logged,
  logWrites,
  NO_NAMES,
} from '../../../../src/core/writer/log.ts';
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
const TRACKS = ['01995d2f-6c1c-7000-8000-00000000000a', '01995d2f-6c1c-7000-8000-00000000000b'] as const;
/** Pallets with and without a marker. */
const PALLETS: EntryPallet[] = [...TRACKS, ['106141412345678908'], ['Ä "1"']];
const timeline: fc.Arbitrary<Entries> = fc.record(
  {
    type: fc.constantFrom('SEEN', 'LOADED'),
    manifestExternalId: fc.option(text),
    shipmentExternalId: fc.option(text),
    gateUuid: fc.option(fc.uuid()),
    details: fc.option(fc.array(fc.record({ note: text }, { noNullPrototype: true }))),
    date: fc.option(fc.nat()),
    isOfService: fc.constantFrom<(0 | 1)[]>(0, 1),
    pallets: fc.uniqueArray(fc.constantFrom(...PALLETS), { minLength: 1 }),
  },
  { noNullPrototype: true },
);
const made = fc.record({
  request,
  /** How many numbers are skipped before it. */
  after: fc.nat(3),
  entries: fc.array(entry, { minLength: 1, maxLength: 4 }),
  timelines: fc.array(timeline, { maxLength: 3 }),
  /** Whether SQL makes the entries of timelines. */
  isMade: fc.boolean(),
});
type Made = typeof made extends fc.Arbitrary<infer M> ? M : never;
/** Commits of one to three commands. */
const commits = fc.array(fc.array(made, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });

interface End {
  number: number;
  hash: string;
}

const START: End = { number: 0, hash: FIRST_PREVIOUS_HASH };

/** Commands that follow one another, some after a gap. */
function commandsOf(all: readonly Made[], from: End): { commands: Logged[]; end: End } {
  let { number, hash } = from;
  const commands = all.map(({ request: by, after, entries, timelines, isMade }, at): Logged => {
    number += after;
    const records = entries.map((auditEntry) => {
      number += 1;
      const place = { sequenceNumber: number, previousHash: hash, now: NOW + at };
      const record = chainRecord(auditEntry, place, by, salts('s'));
      ({ hash } = record);
      return record;
    });
    const groups = timelines.map((one) => ({
      given: rowOf(one),
      entries: (given: SQL) => sql`json_array(json(${given}))`,
    }));
    return { now: NOW + at, records, entries: isMade ? groups : timelines };
  });
  return { commands, end: { number, hash } };
}

const rowOf = (one: Entries) => [
  one.type,
  one.manifestExternalId,
  one.shipmentExternalId,
  one.gateUuid,
  one.details,
  one.date,
  one.isOfService,
  one.pallets,
];

/** The record as a row of the view `audit_log`. */
const shown = (record: Logged['records'][number], now: number) => ({
  organization_uuid: ORGANIZATION,
  sequence_number: record.sequenceNumber,
  uuid: recordUuid(now, record.hash),
  event_date: now,
  action: record.action,
  actor_type: record.actor.actorType,
  actor_uuid: record.actor.uuid,
  actor_display_name: record.actor.displayName,
  entity_type: record.entityType,
  entity_uuid: record.entityUuid,
  entity_external_id: record.entityExternalId,
  request_id: record.requestId,
  ip_address: record.ipAddress,
  previous_hash: record.previousHash,
  hash: record.hash,
  actor_commitment: record.identity?.actor?.commitment ?? null,
  actor_salt: record.identity?.actor?.salt ?? null,
});

/** The entries of a command as rows of the view `pallet_activity`, in their order. */
const shownEntries = (timelines: readonly Entries[], { records: [first], now }: Logged) =>
  timelines.flatMap((one) =>
    one.pallets.map((pallet) => {
      const { actorType, uuid, displayName } = first!.actor;
      const isPerson = actorType === 'USER' && one.isOfService === 0;
      return {
        pallet: typeof pallet === 'string' ? pallet : JSON.stringify(pallet),
        activity_type: one.type,
        gate_uuid: one.gateUuid,
        manifest_external_id: one.manifestExternalId,
        shipment_external_id: one.shipmentExternalId,
        author: one.isOfService ? null : isPerson ? '' : displayName,
        author_uuid: isPerson ? uuid : null,
        details: one.details && JSON.stringify(one.details),
        create_date: one.date ?? now,
        update_date: now,
      };
    }),
  );

function run(store: DatabaseSync, statements: ReturnType<typeof logWrites>['writes']): void {
  for (const statement of statements) {
    const { text: query, params } = forD1(statement);
    store.prepare(query).run(...(params as SQLInputValue[]));
  }
}

const scope = new Scope(ORGANIZATION);
const all = (store: DatabaseSync, query: string) =>
  store
    .prepare(query)
    .all()
    .map((row) => ({ ...row }));
const contentOf = (store: DatabaseSync) =>
  ['organization_number', 'audit_actor', 'log', 'log_entity', 'log_name'].map((table) =>
    all(store, `SELECT * FROM ${table}`),
  );

/** A database to which the rows of another one were copied through the view, as exports and moves do. */
function copyOf(store: DatabaseSync): DatabaseSync {
  const copy = database();
  const rows = all(store, 'SELECT * FROM command_log');
  const names = Object.keys(rows[0]!).filter(
    (name) => !['log_id', 'last_number', 'organization_number'].includes(name),
  );
  const statement = copy.prepare(`INSERT INTO command_log (${names}) VALUES (${names.map(() => '?')})`);
  for (const row of [...rows, ...rows]) statement.run(...names.map((name) => row[name] as SQLInputValue));
  return copy;
}

it('the log shows the records and entries of commits, and a copy through its view is the same', () => {
  fc.assert(
    fc.property(commits, (given) => {
      const store = database();
      const [records, entries]: object[][] = [[], []];
      let end = START;
      let names = NO_NAMES;
      for (const commit of given) {
        const { commands, end: next } = commandsOf(commit, end);
        const log = logWrites(scope, commands, end.hash, names);
        run(store, log.writes);
        ({ names } = log);
        end = next;
        for (const [at, command] of commands.entries()) {
          records!.push(...command.records.map((record) => shown(record, command.now)));
          entries!.push(...shownEntries(commit[at]!.timelines, command));
        }
      }
      const columns = (row: object | undefined) => Object.keys(row ?? { number: 0 });
      expect(all(store, `SELECT ${columns(records![0])} FROM audit_log ORDER BY sequence_number`)).toEqual(
        records,
      );
      if (entries!.length > 0)
        expect(all(store, `SELECT ${columns(entries![0])} FROM pallet_activity ORDER BY number`)).toEqual(
          entries,
        );
      const uuids = all(store, 'SELECT uuid FROM pallet_activity');
      expect(new Set(uuids.map(({ uuid }) => uuid)).size).toBe(entries!.length);
      expect(contentOf(copyOf(store))).toEqual(contentOf(store));
    }),
    { numRuns: 60 },
  );
});

/** A command with one record of a track with this external id. */
const named = (entityExternalId: string): Made => ({
  request: { actor: { actorType: 'SYSTEM', uuid: null, displayName: 'S' }, requestId: 'r', ipAddress: null },
  after: 0,
  entries: [
    {
      action: 'TRACK_COUPLED',
      entityType: 'TRACK',
      entityUuid: ORGANIZATION,
      entityExternalId,
      changes: [],
      personal: [],
    },
  ],
  timelines: [],
  isMade: false,
});

it('the log stores an actor once, and refuses an actor that is gone and a commit after another end', () => {
  const store = database();
  const first = commandsOf([named('P')], START);
  const { names, writes } = logWrites(scope, first.commands, START.hash, NO_NAMES);
  run(store, writes);
  const second = commandsOf([named('P')], first.end);
  const later = logWrites(scope, second.commands, first.end.hash, names).writes;
  expect(later).toHaveLength(1);
  expect(writes.length).toBeGreaterThan(1);
  store.exec('DELETE FROM audit_actor');
  expect(() => run(store, later)).toThrow(/NOT NULL constraint failed: log\.actor_number/);
  expect(() => run(store, logWrites(scope, second.commands, START.hash, NO_NAMES).writes)).toThrow(
    /NOT NULL constraint failed: log\.event_date/,
  );
  run(store, logWrites(scope, second.commands, first.end.hash, NO_NAMES).writes);
  expect(all(store, 'SELECT count(*) AS count FROM log')).toEqual([{ count: 2 }]);
});

it('a command with many records and entries has several rows, which no limit of D1 refuses', () => {
  const store = database();
  const one = named('P');
  const many = {
    ...one,
    entries: Array.from({ length: 5_000 }, () => ({
      ...one.entries[0]!,
      changes: [{ field: 'note', oldValue: null, newValue: 'x'.repeat(100) }],
    })),
    timelines: [
      {
        ...{ type: 'SEEN', manifestExternalId: 'M', shipmentExternalId: null, gateUuid: null },
        ...{ details: null, date: null, isOfService: 0 as const },
        pallets: Array.from({ length: 50_000 }, () => TRACKS[0]),
      },
    ],
  };
  const { commands, end } = commandsOf([many], START);
  run(store, logWrites(scope, commands, START.hash, NO_NAMES).writes);
  const [{ rows, largest } = {}] = all(
    store,
    'SELECT count(*) AS rows, max(length(hashes) + length(records) + length(entries)) AS largest FROM log',
  );
  expect([Number(rows) > 3, Number(largest) < 1_000_000]).toEqual([true, true]);
  expect(all(store, 'SELECT count(*) AS count FROM pallet_activity')).toEqual([{ count: 50_000 }]);
  expect(all(store, 'SELECT max(sequence_number) AS last, count(*) AS count FROM audit_log')).toEqual([
    { last: end.number, count: 5_000 },
  ]);
});

it('the deletion of rows through the view also deletes what the index, actors and number have of them', () => {
  const store = database();
  const { commands } = commandsOf([named('P'), named('Q')], START);
  run(store, logWrites(scope, commands, START.hash, NO_NAMES).writes);
  const counts = () => contentOf(store).map((rows) => rows.length);
  expect(counts()).toEqual([1, 1, 2, 2, 2]);
  store.exec('DELETE FROM command_log WHERE sequence_number = 1');
  expect(counts()).toEqual([1, 1, 1, 1, 1]);
  store.exec('DELETE FROM command_log');
  expect(counts()).toEqual([0, 0, 0, 0, 0]);
});
