import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { userList } from '../../../../src/access/user/list.ts';
import type { ListRows } from '../../../../src/core/http/list.ts';
import { type ListSource, pageAsks } from '../../../../src/core/http/list-statements.ts';
import { LIST_TOTALS, type ListTotal } from '../../../../src/core/http/totals.ts';
import { Scope } from '../../../../src/core/lib/scope.ts';
import { forD1 } from '../../../../src/core/lib/sql.ts';
import { deliveryList } from '../../../../src/delivery/webhook/list.ts';
import { alertList } from '../../../../src/dispatch/alert/store.ts';
import { ALERT_STATUSES } from '../../../../src/dispatch/alert/table.ts';
import { calibrationList } from '../../../../src/dispatch/calibration/list.ts';
import { clientList } from '../../../../src/dispatch/client/store.ts';
import { scannerList } from '../../../../src/dispatch/device/list.ts';
import { gateList } from '../../../../src/dispatch/gate/list.ts';
import { manifestList } from '../../../../src/dispatch/load/manifest/list.ts';
import { LOAD_STATUSES } from '../../../../src/dispatch/load/shared/status-rules.ts';
import { shipmentList } from '../../../../src/dispatch/load/shipment/list.ts';
import { batchList } from '../../../../src/dispatch/printing-batch/store.ts';
import { trackList } from '../../../../src/dispatch/track/list.ts';
import { TRACK_STATUSES } from '../../../../src/dispatch/track/rules.ts';
import { operationList } from '../../../../src/log/operation/store.ts';
import { migratedDatabase } from '../../../migrations.ts';

const ORGANIZATIONS = ['A', 'B'];
const OWNERS = ['o1', 'o2'];

/** For each listed table, the columns that decide in which part a row is counted, with some values. */
const TABLES: Record<string, Record<string, unknown[]>> = {
  manifest: { manifest_status: [...LOAD_STATUSES], deleted_date: [null, 1] },
  shipment: { status: [...LOAD_STATUSES], deleted_date: [null, 1] },
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
/** Columns that never change. */
const FIXED = ['device_type', 'scanner_uuid', 'webhook_uuid'];

const PAGE = { pageNumber: 1, pageSize: 1 };

/** A list, and the rows of it that are requested. */
type ListQuery = Pick<ListSource<unknown>, 'table' | 'from' | 'sorting'> & ListRows;

/** Every list: without a filter, with each status, and with each pair of statuses. */
function sources(organization: string): ListQuery[] {
  const scope = new Scope(organization);
  const by = <T extends string>(
    list: Pick<ListSource<unknown>, 'table' | 'from' | 'sorting'>,
    statuses: readonly T[],
    rows: (wanted: T[] | undefined) => ListRows,
  ): ListQuery[] => [
    { ...list, ...rows(undefined) },
    ...statuses.flatMap((first) => statuses.map((second) => ({ ...list, ...rows([first, second]) }))),
  ];
  return [
    ...by(manifestList, LOAD_STATUSES, (manifestStatus) =>
      manifestList.rows(scope, { ...PAGE, manifestStatus }),
    ),
    ...by(shipmentList, LOAD_STATUSES, (status) => shipmentList.rows(scope, { ...PAGE, status })),
    ...by(trackList, TRACK_STATUSES, (trackStatus) => trackList.rows(scope, { ...PAGE, trackStatus })),
    ...by(alertList, ALERT_STATUSES, (status) => alertList.rows(scope, { ...PAGE, status })),
    { ...clientList, ...clientList.rows(scope, { ...PAGE, q: '*' }) },
    { ...userList, ...userList.rows(scope, PAGE) },
    { ...gateList, ...gateList.rows(scope, PAGE) },
    { ...scannerList, ...scannerList.rows(scope, PAGE, 0) },
    ...by(operationList, ['PENDING', 'FAILED'], (status) => operationList.rows(scope, { ...PAGE, status })),
    ...OWNERS.flatMap((scannerUuid) =>
      by(batchList, ['CREATED', 'COMPLETED'], (status) =>
        batchList.rows(scope, { ...PAGE, scannerUuid, status }),
      ),
    ),
    ...OWNERS.map((webhookUuid) => ({ ...deliveryList, ...deliveryList.rows(scope, PAGE, webhookUuid) })),
    { ...calibrationList, ...calibrationList.rows(scope, PAGE) },
  ];
}

/** A database with the tables of the service, without CHECK constraints. */
function newStore(): DatabaseSync {
  const store = migratedDatabase();
  store.exec('PRAGMA ignore_check_constraints = ON');
  return store;
}

type Step = { table: string; organization: string; kind: 'insert' | 'update' | 'delete'; pick: number };

const step: fc.Arbitrary<Step> = fc.record({
  table: fc.constantFrom(...Object.keys(TABLES)),
  organization: fc.constantFrom(...ORGANIZATIONS),
  kind: fc.constantFrom('insert', 'insert', 'update', 'update', 'delete'),
  pick: fc.nat(10_000),
});

/** Run a step. An update or a deletion affects a few rows. */
function play(store: DatabaseSync, { table, organization, kind, pick }: Step, n: number): void {
  const deciding = Object.entries(TABLES[table]!).map(
    ([column, values], index) => [column, values[(pick + index * (pick >> 3)) % values.length]] as const,
  );
  const condition = `organization_uuid = ? AND unicode(substr(uuid, -1)) % 5 = ${pick % 5}`;
  if (kind === 'delete') {
    // Rows of the other tables are deleted only after their `deleted_date` was set, or with their organization.
    const { live, deletes }: ListTotal = (LIST_TOTALS as Record<string, ListTotal>)[table] ?? {
      deletes: true,
    };
    if (!deletes && !live) return;
    const which = deletes ? condition : `${condition} AND ${live} IS NOT NULL`;
    store.prepare(`DELETE FROM ${table} WHERE ${which}`).run(organization);
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

/** The totals of all lists: as stored, and as counted. */
function totals(store: DatabaseSync): { kept: unknown[]; counted: unknown[] } {
  const ask = (source: ListQuery) => {
    const { default: order, columns } = source.sorting;
    const column = columns[order.sortBy]!;
    const { counts } = pageAsks({ ...source, view: sql`NULL` }, PAGE, { ...order, column }, undefined);
    const asked = forD1(counts);
    return [
      source.table,
      Object.keys(source.parts ?? {}),
      store.prepare(asked.text).get(...(asked.params as string[])),
    ];
  };
  const all = ORGANIZATIONS.flatMap(sources);
  return { kept: all.map(ask), counted: all.map((source) => ask({ ...source, count: undefined })) };
}

it('The total of a list is equal to the number of its rows after any sequence of writes', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 300, size: 'max' }), (steps) => {
      const store = newStore();
      for (const [index, each] of steps.entries()) play(store, each, index);
      const { kept, counted } = totals(store);
      expect(kept).toEqual(counted);
      store.close();
    }),
    { numRuns: 20, endOnFailure: true },
  );
});
