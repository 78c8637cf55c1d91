import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertSource } from '../../../src/alert/list-store.ts';
import { calibrationSource } from '../../../src/calibration/list-store.ts';
import { clientSource } from '../../../src/client/list-store.ts';
import { deviceSorting, deviceSource } from '../../../src/device/list-store.ts';
import { type ListSource, pageStatements } from '../../../src/http/list-statements.ts';
import type { Database } from '../../../src/lib/database.ts';
import { manifestSource } from '../../../src/manifest/list-store.ts';
import { MANIFEST_STATUSES } from '../../../src/manifest/table.ts';
import { operationSource } from '../../../src/operation/list-store.ts';
import { batchSource } from '../../../src/printing-batch/list-store.ts';
import { shipmentSource } from '../../../src/shipment/list-store.ts';
import { gateSource } from '../../../src/site/list-store.ts';
import { trackSource } from '../../../src/track/list-store.ts';
import { TRACK_STATUSES } from '../../../src/track/rules.ts';
import { userSource } from '../../../src/user/list-store.ts';
import { deliverySource } from '../../../src/webhook/list-store.ts';

const ORGANIZATIONS = ['A', 'B'];
const OWNERS = ['o1', 'o2'];

/** Of each table that is listed, the columns that decide where a row is counted, with some values of each. */
const TABLES: Record<string, Record<string, unknown[]>> = {
  manifest: { manifest_status: [...MANIFEST_STATUSES], deleted_date: [null, 1] },
  shipment: { status: [...MANIFEST_STATUSES], deleted_date: [null, 1] },
  track: { retirement: ['NONE', 'SCHEDULED', 'RETIRED'], flagged: [0, 1], deleted_date: [null, 1] },
  alert: { status: ['OPEN', 'RESOLVED'] },
  client: { deleted_date: [null, 1] },
  user: { deleted_date: [null, 1] },
  gate: { deleted_date: [null, 1] },
  device: { device_type: ['SCANNER'], deleted_date: [null, 1] },
  operation: { status: ['PENDING', 'RUNNING', 'SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED'] },
  printing_batch: { scanner_uuid: OWNERS, status: ['CREATED', 'COMPLETED'], deleted_date: [null, 1] },
  webhook_delivery: { webhook_uuid: OWNERS },
  calibration: {},
};
/** What never changes in a row. */
const FIXED = ['device_type', 'scanner_uuid', 'webhook_uuid'];

const dialect = new SQLiteSyncDialect();
// biome-ignore lint/suspicious/noExplicitAny: lists of all kinds
type AnySource = ListSource<any>;

/** Every list, whole and by each status and each two of them. */
function sources(organization: string): AnySource[] {
  const database = { organization } as Database;
  const by = <T extends string>(statuses: readonly T[], source: (wanted: T[] | undefined) => AnySource) => [
    source(undefined),
    ...statuses.flatMap((first) => statuses.map((second) => source([first, second]))),
  ];
  return [
    ...by(MANIFEST_STATUSES, (manifestStatus) => manifestSource(database, { manifestStatus })),
    ...by(MANIFEST_STATUSES, (status) => shipmentSource(database, { status })),
    ...by(TRACK_STATUSES, (trackStatus) => trackSource(database, { trackStatus })),
    ...by(['OPEN', 'RESOLVED'], (status) => alertSource(database, { status })),
    clientSource(database, {}),
    userSource(database, {}),
    gateSource(database, {}),
    deviceSource(database, 'SCANNER', 0, {} as never, deviceSorting('lastSeenDate')),
    ...by(['PENDING', 'FAILED'], (status) => operationSource(database, { status })),
    ...OWNERS.flatMap((scannerUuid) =>
      by(['CREATED', 'COMPLETED'], (status) => batchSource(database, { scannerUuid, status })),
    ),
    ...OWNERS.map((webhookUuid) => deliverySource(database, { webhookUuid })),
    calibrationSource(database, {}),
  ];
}

/** A store with the tables of before or after the totals, that takes rows of any content. */
function newStore(): { store: DatabaseSync; migrate(from: string, to: string): void } {
  const root = resolve(import.meta.dirname, '../../../migrations');
  const store = new DatabaseSync(':memory:');
  store.exec('PRAGMA ignore_check_constraints = ON');
  return {
    store,
    migrate(from, to) {
      const files = readdirSync(root).filter((file) => file >= from && file < to);
      for (const file of files.sort()) store.exec(readFileSync(`${root}/${file}`, 'utf8'));
    },
  };
}

type Step = { table: string; organization: string; kind: 'insert' | 'update' | 'delete'; pick: number };

const step: fc.Arbitrary<Step> = fc.record({
  table: fc.constantFrom(...Object.keys(TABLES)),
  organization: fc.constantFrom(...ORGANIZATIONS),
  kind: fc.constantFrom('insert', 'insert', 'update', 'update', 'delete'),
  pick: fc.nat(10_000),
});

/** Do what a step says; an update or a deletion finds a few rows. */
function play(store: DatabaseSync, { table, organization, kind, pick }: Step, n: number): void {
  const deciding = Object.entries(TABLES[table]!).map(
    ([column, values], index) => [column, values[(pick + index * (pick >> 3)) % values.length]] as const,
  );
  const condition = `organization_uuid = ? AND rowid % 5 = ${pick % 5}`;
  if (kind === 'delete') {
    store.prepare(`DELETE FROM ${table} WHERE ${condition}`).run(organization);
    return;
  }
  if (kind === 'update') {
    const changing = deciding.filter(([column]) => !FIXED.includes(column));
    if (changing.length === 0) return;
    const [column, value] = changing[pick % changing.length]!;
    store
      .prepare(`UPDATE ${table} SET ${column} = ? WHERE ${condition}`)
      .run(value as string | null, organization);
    return;
  }
  const given = new Map<string, unknown>([['organization_uuid', organization], ...deciding]);
  const columns = store.prepare(`PRAGMA table_info(${table})`).all() as { name: string; type: string }[];
  const values = columns.map(({ name, type }) =>
    given.has(name) ? given.get(name) : type === 'INTEGER' ? n : `${name}-${n}`,
  );
  const places = columns.map(() => '?').join(', ');
  store.prepare(`INSERT INTO ${table} VALUES (${places})`).run(...(values as string[]));
}

const playAll = (store: DatabaseSync, steps: Step[], from: number): void => {
  for (const [index, each] of steps.entries()) play(store, each, from + index);
};

/** Each list's total, kept and counted. */
function totals(store: DatabaseSync): { kept: unknown[]; counted: unknown[] } {
  const ask = (source: AnySource) => {
    const query = { pageNumber: 1, pageSize: 1 };
    const [, count] = pageStatements(source, query, source.sorting.default, undefined);
    const { sql, params } = dialect.sqlToQuery(count);
    return [source.table, Object.keys(source.parts ?? {}), store.prepare(sql).get(...(params as string[]))];
  };
  const all = ORGANIZATIONS.flatMap(sources);
  return { kept: all.map(ask), counted: all.map((source) => ask({ ...source, count: undefined })) };
}

describe('the total of a list', () => {
  it('is what counting its rows gives, whatever was written in whatever order', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 100, maxLength: 300, size: 'max' }), (steps) => {
        const { store, migrate } = newStore();
        migrate('0000', '9999');
        playAll(store, steps, 0);
        const { kept, counted } = totals(store);
        expect(kept).toEqual(counted);
        store.close();
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });

  it('counts what was there before totals were kept', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 100, maxLength: 200, size: 'max' }), (steps) => {
        const { store, migrate } = newStore();
        migrate('0000', '0025');
        playAll(store, steps.slice(50), 0);
        migrate('0025', '9999');
        playAll(store, steps.slice(0, 50), 1_000);
        const { kept, counted } = totals(store);
        expect(kept).toEqual(counted);
        store.close();
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });
});
