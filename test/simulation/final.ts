import { sql } from 'drizzle-orm';
import { verifyLog } from '../../src/cli/audit-chain.ts';
import type { ShownRecord } from '../../src/cli/audit-record.ts';
import { Scope } from '../../src/core/lib/scope.ts';
import { auditView } from '../../src/core/writer/audit-view.ts';
import { auditList } from '../../src/log/audit/list.ts';
import { presentAuditRecord } from '../../src/log/audit/store.ts';
import { isAnswered, recordOf } from './answers.ts';
import { ask } from './ask.ts';
import type { Callers } from './callers.ts';
import { checkCounts, checkTotals, TRACK_STATUS } from './check-counts.ts';
import { checkEvidence } from './check-evidence.ts';
import { checkPlaces } from './check-places.ts';
import { checkAlerts } from './check-scans.ts';
import type { Ledger } from './ledger.ts';
import type { LogCheck } from './log-check.ts';
import type { Receivers } from './receiver.ts';
import type { Store } from './store.ts';
import { Finding, type World } from './world.ts';

/** The parts of a history that the final checks read. */
export interface Ended {
  world: World;
  ledger: Ledger;
  callers: Callers;
  receivers: Receivers;
}

/**
 * After a pause without requests and faults, all accepted operations and due deliveries must be complete.
 * If no living object knows of the work, this holds only after the schedule has run (`isScheduled`).
 */
export async function checkBackground(
  { world, ledger, receivers }: Ended,
  isScheduled: boolean,
): Promise<void> {
  for (const log of ledger.logs) {
    // The object notices a restore only at the next request.
    if (log.isPutBack || (log.isUnseen && !isScheduled)) continue;
    checkOperations(log);
    await checkDeliveries((await world.stores.homeOf(log.organization)).store, log, receivers);
  }
}

/** Check everything that the stores hold. */
export async function checkEverything(ended: Ended): Promise<void> {
  const { stores } = ended.world;
  for (const log of ended.ledger.logs) {
    const { store } = await stores.homeOf(log.organization);
    await checkPlaces(ended.world, log.organization);
    checkOperations(log);
    await checkDeliveries(store, log, ended.receivers);
    await checkChain(store, log);
    await checkStates(store, log);
    await checkCounts(store, log);
    await checkTotals(store, log);
    await checkAlerts(store, log);
    await checkEvidence(store, log);
    await ended.callers.service.bucket.check(store, log);
    await checkCodes(store, log);
    await checkItems(store, log);
  }
  for (const wish of ended.callers.wishes) {
    if (!wish.answer || wish.isLost || isAnswered(await recordOf(stores, wish), wish.answer)) continue;
    throw new Finding(`the answer of ${wish.id} is not stored`);
  }
}

function checkOperations({ organization, fields }: LogCheck): void {
  for (const [uuid, { isOver }] of fields.operations) {
    if (!isOver) throw new Finding(`${organization}: operation ${uuid} was accepted, but is not finished`);
  }
}

async function checkDeliveries(store: Store, log: LogCheck, { taken }: Receivers): Promise<void> {
  const { organization } = log;
  const active = await store.read(
    'SELECT uuid FROM webhook WHERE organization_uuid = ? AND active = 1',
    organization,
  );
  const events = await store.read(
    'SELECT uuid, sequence_number, event_type FROM event_log WHERE organization_uuid = ?',
    organization,
  );
  for (const { uuid } of active as { uuid: string }[]) {
    const { position, filters } = log.webhooks.get(uuid)!;
    const has = taken.get(uuid) ?? new Set();
    const missing = events.find(
      (event) =>
        (event['sequence_number'] as number) > position &&
        filters.every((types) => types.length === 0 || types.includes(event['event_type'] as string)) &&
        !has.has(event['uuid'] as string),
    );
    if (missing) {
      const { sequence_number: number, event_type: type } = missing;
      throw new Finding(`${organization}: webhook ${uuid} was never sent event ${number} (${type})`);
    }
  }
}

/** The log passes the checks of `npm run audit:verify`. */
async function checkChain(store: Store, log: LogCheck): Promise<void> {
  const { organization } = log;
  const rows = await ask(
    store,
    sql`SELECT ${auditView} AS view FROM audit_log WHERE organization_uuid = ${organization} ORDER BY sequence_number`,
  );
  async function* records(): AsyncGenerator<ShownRecord> {
    for (const { view } of rows) {
      yield presentAuditRecord(
        'https://acme.localhost',
        JSON.parse(view as string),
      ) as unknown as ShownRecord;
    }
  }
  const { fault, verified } = await verifyLog(records());
  if (fault) throw new Finding(`${organization}: record ${fault.sequenceNumber}: ${fault.what}`);
  const [counted] = await ask(
    store,
    auditList.rows(new Scope(organization), { pageNumber: 1, pageSize: 1 }).count!,
  );
  if (verified !== rows.length || counted!['total'] !== rows.length) {
    throw new Finding(`${organization}: ${rows.length} records, but the list counts ${counted!['total']}`);
  }
}

/** The stored states equal the states according to the log. */
async function checkStates(store: Store, { organization, fields }: LogCheck): Promise<void> {
  const stored: [query: string, field: string][] = [
    ['SELECT uuid, manifest_status AS value FROM manifest', 'manifestStatus'],
    ['SELECT uuid, status AS value FROM shipment', 'status'],
    ['SELECT uuid, notes AS value FROM shipment', 'notes'],
    ['SELECT uuid, status AS value FROM printing_batch', 'status'],
    ['SELECT uuid, status AS value FROM alert', 'status'],
    ['SELECT uuid, display_name AS value FROM client', 'displayName'],
    ['SELECT uuid, kind AS value FROM photo', 'kind'],
    ['SELECT uuid, loading_status AS value FROM asset_loading', 'loadingStatus'],
    [`SELECT uuid, ${TRACK_STATUS} AS value FROM track`, 'trackStatus'],
    ...['manifest', 'shipment', 'track', 'client', 'printing_batch', 'gate'].map(
      (table): [string, string] => [
        `SELECT uuid, iif(deleted_date IS NULL, 'false', 'true') AS value FROM ${table}`,
        'deleted',
      ],
    ),
  ];
  for (const [query, field] of stored) {
    for (const { uuid, value } of await store.read(`${query} WHERE organization_uuid = ?`, organization)) {
      const logged = fields.valueOf(uuid as string, field);
      if (String(logged) !== String(value)) {
        throw new Finding(`${organization}: ${field} of ${uuid} is ${value}, but the log says ${logged}`);
      }
    }
  }
}

/** Allocations have no gaps except at rewinds. No pallet has a code that was not allocated. */
async function checkCodes(store: Store, { organization, codes }: LogCheck): Promise<void> {
  const blocks = await store.read(
    `SELECT first_marker_code AS first, last_marker_code AS last FROM marker_allocation
      WHERE organization_uuid = ? ORDER BY first_marker_code`,
    organization,
  );
  const stored = blocks.map(({ first, last }) => `${first}-${last}`).join();
  const logged = codes.map(([first, last]) => `${first}-${last}`).join();
  if (stored !== logged)
    throw new Finding(`${organization}: the allocations are ${stored}, but the log says ${logged}`);
  const [stray] = await store.read(
    `SELECT marker_code FROM track WHERE organization_uuid = ? AND NOT EXISTS (SELECT 1 FROM marker_allocation m
      WHERE m.organization_uuid = track.organization_uuid AND marker_code BETWEEN first_marker_code AND last_marker_code)`,
    organization,
  );
  if (stray) throw new Finding(`${organization}: code ${stray['marker_code']} is coupled, but not allocated`);
}

/** An operation's counts equal its items, and it has one event for its end. */
async function checkItems(store: Store, { organization }: LogCheck): Promise<void> {
  const [wrong] = await store.read(
    `SELECT uuid FROM operation o WHERE organization_uuid = ? AND (
      succeeded_count <> (SELECT count(*) FROM operation_part p, json_each(p.items) i WHERE p.operation_uuid = o.uuid
        AND p.organization_uuid = o.organization_uuid AND i.value -> 'error' = 'null')
      OR failed_count <> (SELECT count(*) FROM operation_part p, json_each(p.items) i WHERE p.operation_uuid = o.uuid
        AND p.organization_uuid = o.organization_uuid AND i.value ->> 'error' IS NOT NULL)
      OR (SELECT count(*) FROM event_log e WHERE e.organization_uuid = o.organization_uuid
        AND e.operation_uuid = o.uuid AND e.event_type = 'OPERATION_COMPLETED') <> 1
      OR (SELECT count(*) FROM event_log e WHERE e.organization_uuid = o.organization_uuid AND e.operation_uuid = o.uuid
        AND e.event_type IN ('COUPLING_SUCCEEDED', 'COUPLING_FAILED')) <> (operation_type <> 'SHIPMENT_BULK_UPSERT'))`,
    organization,
  );
  if (wrong)
    throw new Finding(`${organization}: operation ${wrong['uuid']} does not have exactly one outcome`);
}
