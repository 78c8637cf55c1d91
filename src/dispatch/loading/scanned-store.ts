import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../core/lib/database.ts';
import { inList } from '../../core/lib/sql.ts';
import {
  endingOf,
  gluedIn,
  isAllocated,
  type Meant,
  palletsEnding,
  palletsMeant,
  type Reading,
} from '../../pallet/identifier.ts';
import { gateQuery } from '../gate/store.ts';
import { knownQuery } from '../load/shared/asset-store.ts';
import { markerRangeQuery } from '../marker/store.ts';
import { candidatesOf, linkedTrack, livePalletsQuery } from '../track/store.ts';
import type { Scan } from './gate-view-rules.ts';

/** How many expected pallets are read that have an id of the reading. */
const EXPECTED_MAXIMUM = 20;
/** How many pallets that a gate expects are compared in folded case. */
const FOLDED_MAXIMUM = 10_000;
/** How many pallets are offered for the end of an id. */
const OFFERED_MAXIMUM = 20;

/** A pallet that a load in progress at the gate expects. If nothing is in progress: a load that is ready there. */
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

/** A known pallet that a reading at a gate may mean: it has a live track, or `knownQuery` finds it, or both. */
export interface ScannedPallet {
  wmsId: string;
  /** Null for a pallet without a marker. */
  markerCode: number | null;
  /** The record of a load at the gate. */
  record: Expected | undefined;
}

/** Readings at a gate, compared with the pallets. */
export interface Scanned {
  /** Undefined if the gate does not exist. */
  gate: { uuid: string; externalIdentifier: string } | undefined;
  /** For each reading, the pallets that it may mean. */
  meant: Meant<ScannedPallet>[];
  /** For each reading that means no pallet, the pallets of the loads at the gate whose ids end with its text. */
  offered: ScannedPallet[][];
  /** The first and the last marker code that is allocated. */
  markers: { first: number | null; last: number | null } | undefined;
}

const expectedQuery = (
  database: Database,
  gateIdentifier: string,
  condition: SQL,
  limit: number,
): SQL<Expected> => sql`SELECT a.uuid AS "recordUuid", m.uuid AS "manifestUuid", a.wms_id AS "wmsId",
    m.external_identifier AS "manifestExternalId", (SELECT s.shipment_uuid FROM shipment_manifest s
      WHERE s.organization_uuid = m.organization_uuid AND s.manifest_uuid = m.uuid) AS "shipmentUuid",
    a.loading_status AS "loadingStatus", a.loading_date AS "loadingDate"
  FROM manifest m CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid
    AND a.manifest_uuid = m.uuid AND a.loading_status IN ('NOT_LOADED', 'LOADED', 'UNLOADED', 'OFFLOADED')
  WHERE m.organization_uuid = ${database.organization} AND m.gate_uuid = (SELECT uuid FROM (${gateQuery(database, gateIdentifier)}))
    AND m.manifest_status = (SELECT iif(EXISTS (SELECT 1 FROM manifest i WHERE i.organization_uuid = ${database.organization}
      AND i.gate_uuid = (SELECT uuid FROM (${gateQuery(database, gateIdentifier)})) AND i.manifest_status = 'IN_PROGRESS'
      AND i.deleted_date IS NULL), 'IN_PROGRESS', 'TO_DO'))
    AND m.deleted_date IS NULL AND ${condition} LIMIT ${limit}`;

/**
 * The expected pallets that may have one of these ids in folded case, or one of these ends of ids. SQLite folds a to z
 * only, so ids with other characters are compared later.
 */
const foldedQuery = (
  database: Database,
  gateIdentifier: string,
  folded: readonly string[],
  endings: readonly string[],
): SQL<Expected & { markerCode: number | null }> =>
  sql`SELECT *, (SELECT marker_code FROM track
      WHERE track.uuid = ${linkedTrack(sql`${database.organization}`, sql`"wmsId"`)}) AS "markerCode"
    FROM (${expectedQuery(database, gateIdentifier, sql`TRUE`, FOLDED_MAXIMUM)})
    WHERE lower("wmsId") ${inList(folded)} OR "wmsId" GLOB '*[^' || char(1) || '-~]*'
      OR EXISTS (SELECT 1 FROM json_each(${JSON.stringify(endings)}) ending
        WHERE substr(lower("wmsId"), -length(ending.value)) = ending.value)`;

/**
 * The pallets that readings mean at a gate, which is named by uuid or external id. One round trip, or two if a reading
 * names no pallet by its exact id or number. Then the ids of all pallets expected at the gate are compared in folded case.
 * `arriving`: the readings for OFFLOAD.
 */
export async function scannedAt(
  database: Database,
  gateIdentifier: string,
  readings: readonly Reading[],
  arriving: readonly Reading[] = [],
): Promise<Scanned> {
  const { ids, folded } = candidatesOf(readings);
  const liveQuery = livePalletsQuery(database, readings);
  const { gates, live, expected, known, ranges } = await database.ask({
    gates: sql<{
      uuid: string;
      externalIdentifier: string;
    }>`SELECT uuid, "externalIdentifier"
      FROM (${gateQuery(database, gateIdentifier)})`,
    live: liveQuery,
    expected: expectedQuery(
      database,
      gateIdentifier,
      // The reading of a marker has no id.
      sql`a.wms_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}) UNION SELECT "wmsId" FROM (${liveQuery}))`,
      EXPECTED_MAXIMUM * readings.length,
    ),
    known: knownQuery(
      sql`${database.organization}`,
      sql`${inList(ids)}`,
      sql`${inList(candidatesOf(arriving).ids)}`,
    ),
    ranges: markerRangeQuery(database),
  });
  const [gate] = gates;
  const pallets = joined(live, expected, known);
  const exact = readings.map((reading) => palletsMeant(reading, pallets));
  const [markers] = ranges;
  if (!gate || exact.every(({ way }) => way === 'ID' || way === 'GS1'))
    return { gate, meant: exact, offered: exact.map(() => []), markers };
  const endings = readings.flatMap((reading) => endingOf(reading) ?? []);
  const more = await database.all(foldedQuery(database, gateIdentifier, folded, endings));
  const alike = joined(live, [...expected, ...more], known);
  const here = alike.filter(({ record }) => record);
  const meant = readings.map((reading) => palletsMeant(reading, alike));
  const offered = readings.map((reading, index) =>
    meant[index]!.pallets.length > 0 ? [] : palletsEnding(reading, here).slice(0, OFFERED_MAXIMUM),
  );
  return { gate, meant, offered, markers };
}

/** The thing that a scan has read, as commands take it. */
export type Subject = Pick<Scan, 'markerCode' | 'identifier' | 'wmsId'>;

/** The subject of a text that names a pallet by its WMS id. */
export const palletSubject = (identifier: string, wmsId: string | null): Subject => ({
  markerCode: null,
  identifier,
  wmsId,
});

/**
 * The subject of a text that names no known pallet: the digits of an SSCC, or the code of an allocated marker. Undefined
 * for any other text, such as the number of an article.
 */
export function unknownSubject(
  identifier: string,
  { sscc, marker }: Reading,
  markers: Scanned['markers'],
): Subject | undefined {
  if (sscc !== undefined) return palletSubject(identifier, sscc);
  const isOwn = marker !== null && markers !== undefined && isAllocated(marker, markers);
  return isOwn ? { markerCode: marker, identifier: null, wmsId: null } : undefined;
}

/**
 * The numbers of several pallets that a scanner without Enter has typed as one text. Nobody knows which of them are at the
 * gate, so such a text means none. Empty for any other text, also for the exact id of a pallet.
 */
export const gluedAt = (
  reading: Reading,
  pallets: readonly ScannedPallet[],
  markers: Scanned['markers'],
): string[] =>
  pallets.some(({ wmsId }) => reading.literal.includes(wmsId)) ? [] : gluedIn(reading, markers);

/**
 * The subject of a reading. If its text can mean several pallets, the only pallet that the gate expects is taken. Nobody can
 * be asked.
 */
export function subjectMeant(
  identifier: string,
  reading: Reading,
  pallets: readonly ScannedPallet[],
  markers: Scanned['markers'],
): Subject {
  if (gluedAt(reading, pallets, markers).length > 0) return palletSubject(identifier, null);
  const here = pallets.filter(({ record }) => record);
  const [pallet, second] = here.length === 1 ? here : pallets;
  if (pallet) return palletSubject(identifier, second ? null : pallet.wmsId);
  return unknownSubject(identifier, reading, markers) ?? palletSubject(identifier, null);
}

/** Each pallet once. */
function joined(
  live: readonly { wmsId: string; markerCode: number }[],
  expected: readonly (Expected & { markerCode?: number | null })[],
  known: readonly { wmsId: string }[],
): ScannedPallet[] {
  const pallets = new Map<string, ScannedPallet>(
    known.map(({ wmsId }) => [wmsId, { wmsId, markerCode: null, record: undefined }]),
  );
  for (const { wmsId, markerCode } of live) pallets.set(wmsId, { wmsId, markerCode, record: undefined });
  for (const { markerCode = null, ...record } of expected) {
    const { wmsId } = record;
    const pallet = pallets.get(wmsId);
    if (!pallet?.record) pallets.set(wmsId, { wmsId, markerCode: pallet?.markerCode ?? markerCode, record });
  }
  return [...pallets.values()];
}
