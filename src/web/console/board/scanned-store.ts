import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../core/lib/database.ts';
import { type Meant, palletsMeant, type Reading } from '../../../core/lib/identifier.ts';
import { among, candidatesOf, livePalletsQuery } from '../../../dispatch/track/identifier-store.ts';
import { shipmentOfManifest } from './store.ts';

/** How many expected pallets are read that have an id of the reading. */
const EXPECTED_MAXIMUM = 20;
/** How many pallets that a gate expects are compared in folded case. */
const FOLDED_MAXIMUM = 10_000;

/** A pallet that a load in progress at the gate expects. */
export interface Expected {
  recordUuid: string;
  manifestUuid: string;
  manifestExternalId: string;
  shipmentUuid: string | null;
  wmsId: string;
  loadingStatus: string;
  /** Epoch milliseconds. */
  loadingDate: number | null;
}

/** A pallet that a scan at a gate may mean. It is live, or expected at the gate, or both. */
export interface ScannedPallet {
  wmsId: string;
  /** Null for a pallet without a marker. */
  markerCode: number | null;
  record: Expected | undefined;
}

/** A scan at a gate, compared with the pallets. */
export interface Scanned extends Meant<ScannedPallet> {
  /** Undefined if the gate does not exist. */
  gate: { externalIdentifier: string } | undefined;
}

const expectedQuery = (
  database: Database,
  gateUuid: string,
  condition: SQL,
  limit: number,
): SQL<Expected> => sql`SELECT a.uuid AS "recordUuid", m.uuid AS "manifestUuid", a.wms_id AS "wmsId",
    m.external_identifier AS "manifestExternalId", ${shipmentOfManifest} AS "shipmentUuid",
    a.loading_status AS "loadingStatus", a.loading_date AS "loadingDate"
  FROM manifest m CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid
    AND a.manifest_uuid = m.uuid AND a.loading_status IN ('NOT_LOADED', 'LOADED', 'UNLOADED', 'OFFLOADED')
  WHERE m.organization_uuid = ${database.organization} AND m.gate_uuid = ${gateUuid}
    AND m.manifest_status = 'IN_PROGRESS' AND m.deleted_date IS NULL AND ${condition} LIMIT ${limit}`;

/**
 * The expected pallets that may have one of these ids in folded case. SQLite folds a to z only, so ids with other
 * characters are compared later.
 */
const foldedQuery = (database: Database, gateUuid: string, folded: readonly string[]): SQL<Expected> =>
  sql`SELECT * FROM (${expectedQuery(database, gateUuid, sql`TRUE`, FOLDED_MAXIMUM)})
    WHERE lower("wmsId") ${among(folded)} OR "wmsId" GLOB '*[^' || char(1) || '-~]*'`;

/**
 * The pallets that a reading means at a gate. One round trip, or two if no pallet has exactly this id or number. Then
 * the ids of all expected pallets are compared in folded case.
 */
export async function scannedAt(database: Database, gateUuid: string, reading: Reading): Promise<Scanned> {
  const { ids, folded } = candidatesOf([reading]);
  const { gates, live, expected } = await database.ask({
    gates: sql<{ externalIdentifier: string }>`SELECT external_identifier AS "externalIdentifier" FROM gate
      WHERE uuid = ${gateUuid} AND +organization_uuid = ${database.organization} AND deleted_date IS NULL`,
    live: livePalletsQuery(database, [reading]),
    expected: expectedQuery(database, gateUuid, sql`a.wms_id ${among(ids)}`, EXPECTED_MAXIMUM),
  });
  const [gate] = gates;
  const exact = palletsMeant(reading, joined(live, expected));
  if (!gate || exact.way === 'ID' || exact.way === 'GS1') return { gate, ...exact };
  const alike = await database.all(foldedQuery(database, gateUuid, folded));
  return { gate, ...palletsMeant(reading, joined(live, [...expected, ...alike])) };
}

/** Each pallet once. */
function joined(
  live: readonly { wmsId: string; markerCode: number }[],
  expected: readonly Expected[],
): ScannedPallet[] {
  const pallets = new Map<string, ScannedPallet>(
    live.map(({ wmsId, markerCode }) => [wmsId, { wmsId, markerCode, record: undefined }]),
  );
  for (const record of expected) {
    const { wmsId } = record;
    const pallet = pallets.get(wmsId);
    if (!pallet?.record) pallets.set(wmsId, { wmsId, markerCode: pallet?.markerCode ?? null, record });
  }
  return [...pallets.values()];
}
