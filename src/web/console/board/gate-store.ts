import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../core/lib/database.ts';
import { parseJson } from '../../../core/lib/json.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import type { SealingKeys } from '../../../core/lib/seal.ts';
import { parseViews, type ViewRow } from '../../../core/lib/view.ts';
import { endQuery } from '../../../core/writer/log.ts';
import { type GateReference, gatesInOrder } from '../../../dispatch/gate/rules.ts';
import { gateNamesQuery } from '../../../dispatch/gate/store.ts';
import { recordTally } from '../../../dispatch/load/shared/asset-store.ts';
import { markerRangeQuery } from '../../../dispatch/marker/store.ts';
import { listedBadges } from '../../../dispatch/tablet/rules.ts';
import { badgesQuery } from '../../../dispatch/tablet/store.ts';
import { linkedTrack } from '../../../dispatch/track/store.ts';
import { isOnTimeline } from '../../../dispatch/track/timeline-store.ts';
import { readIdentifier } from '../../../pallet/identifier.ts';
import { type SignedLoad, signedQuery } from './gate-signed-store.ts';
import { type BoardGate, type BoardLoad, type BoardMember, type BoardPallet, PACE_PALLETS } from './rules.ts';
import { BOARD_LIMITS, namedGatesQuery, shipmentOfManifest, unassignedQuery } from './store.ts';

/**
 * How many things of each kind a gate page shows. One more is read, so that the page can say that there are
 * more.
 */
export const GATE_LIMITS = {
  active: 20,
  waiting: 20,
  wrong: 50,
  alerts: 50,
  open: 50,
  loaded: PACE_PALLETS,
  aboard: 200,
  members: 100,
  found: 50,
} as const;

/** How many characters of a comment a row shows. */
const NOTE_SHOWN = 120;

/** Everything the page of a gate shows. */
export interface GatePage {
  /** Number of the last audit record when this was read. */
  sequenceNumber: number;
  gate: BoardGate;
  /** Shipments and manifests without a gate. */
  unassigned: BoardLoad[];
  /** Pallets still to load, and the last loaded ones. */
  open: BoardPallet[];
  loaded: BoardPallet[];
  /** All loaded pallets. With `open`, this is the list that a tablet has without a connection. */
  aboard: HeldPallet[];
  /** The pallets of the loads that are ready, if nothing is being loaded. */
  ready: ReadyPallet[];
  /** The codes of all markers of the organization. */
  markers: { first: number | null; last: number | null };
  /** The result of a search, in any status; undefined without a search. */
  found: BoardPallet[] | undefined;
  /** Manifests of the shipments in progress. */
  members: BoardMember[];
  /** The loads in progress with their signatures, and the load that was completed here last. */
  signed: SignedLoad[];
  /** The badges that a tablet recognizes; undefined for pages that ask for none. */
  badges: ListedBadges | undefined;
  /** All gates, to move a load to another gate. */
  gates: GateReference[];
}

/** A pallet of the list that a tablet compares scans with. */
interface HeldPallet {
  wmsId: string;
  markerCode: number | null;
}

/** The hashes of badges for one tablet, with the names of their workers. */
type ListedBadges = ReturnType<typeof listedBadges>;

/** A pallet of a load that is ready. `load` is the load as `loadValue` names it. */
interface ReadyPallet extends HeldPallet {
  recordUuid: string;
  load: string;
}

/** SQL: the manifests in progress, or in another status, at the gate, as `m`, with their records, as `a`. */
const recordsHere = (
  database: Database,
  gateUuid: string | SQL,
  statuses: SQL,
  status = 'IN_PROGRESS',
): SQL => sql`FROM manifest m
  CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid
    AND a.loading_status IN ${statuses}
  WHERE m.organization_uuid = ${database.organization} AND m.gate_uuid = ${gateUuid}
    AND m.manifest_status = ${status} AND m.deleted_date IS NULL`;

/** SQL: JSON of the reason why the pallet `track` is flagged, if it is. Of a long text, only the beginning. */
const flagReason = (
  scope: Scope,
): SQL => sql`CASE WHEN track.flagged = 1 THEN (SELECT (SELECT json_group_array(json(iif(d.value ->> 'note' IS NULL,
      d.value, json_object('note', substr(d.value ->> 'note', 1, ${NOTE_SHOWN}))))) FROM json_each(t.details) d) FROM pallet_activity t
  WHERE t.organization_uuid = track.organization_uuid AND ${isOnTimeline(scope, sql`track.uuid`)} AND t.activity_type = 'FLAGGED'
  ORDER BY t.create_date DESC LIMIT 1) END`;

/** SQL: the beginning of the last comment on the pallet `track`. */
const lastComment = sql`(SELECT substr(c.additional_info, 1, ${NOTE_SHOWN}) FROM track_comment c
  WHERE c.organization_uuid = track.organization_uuid AND c.track_uuid = track.uuid
  ORDER BY c.create_date DESC, c.uuid DESC LIMIT 1)`;

const palletView = (
  scope: Scope,
) => sql<BoardPallet>`json_object('recordUuid', a.uuid, 'wmsId', a.wms_id, 'loadingStatus', a.loading_status,
  'date', a.loading_date, 'manifestExternalId', m.external_identifier, 'manifestUuid', m.uuid,
  'shipmentUuid', ${shipmentOfManifest}, 'track', json((SELECT json_object('uuid', track.uuid, 'markerCode', track.marker_code,
      'flagged', track.flagged, 'damaged', track.damaged, 'retirement', track.retirement, 'reason', json(${flagReason(scope)}),
      'comment', ${lastComment}) FROM track WHERE track.uuid = ${linkedTrack(sql`a.organization_uuid`, sql`a.wms_id`)})))`;
type PalletRow = ViewRow<ReturnType<typeof palletView>>;

const openQuery = (
  database: Database,
  gateUuid: string,
): SQL<PalletRow> => sql`SELECT ${palletView(database)} AS view
  ${recordsHere(database, gateUuid, sql`('NOT_LOADED', 'UNLOADED')`)} LIMIT ${GATE_LIMITS.open + 1}`;

const loadedQuery = (
  database: Database,
  gateUuid: string,
): SQL<PalletRow> => sql`SELECT ${palletView(database)} AS view
  ${recordsHere(database, gateUuid, sql`('LOADED')`)}
  ORDER BY a.loading_date DESC, a.uuid LIMIT ${GATE_LIMITS.loaded}`;

/** SQL: the marker of the pallet of record `a`. */
const markerCode = sql`(SELECT marker_code FROM track
  WHERE track.uuid = ${linkedTrack(sql`a.organization_uuid`, sql`a.wms_id`)})`;

/** SQL: the uuid of the gate if nothing is being loaded there, else null. */
const idleGate = ({ organization }: Database, gateUuid: string): SQL => sql`(SELECT g.uuid FROM gate g
  WHERE g.uuid = ${gateUuid} AND NOT EXISTS (SELECT 1 FROM manifest i WHERE i.organization_uuid = ${organization}
    AND i.gate_uuid = ${gateUuid} AND i.manifest_status = 'IN_PROGRESS' AND i.deleted_date IS NULL))`;

const readyQuery = (database: Database, gateUuid: string): SQL<ReadyPallet> => sql`SELECT a.wms_id AS "wmsId",
    ${markerCode} AS "markerCode", a.uuid AS "recordUuid",
    coalesce('shipment:' || ${shipmentOfManifest}, 'manifest:' || m.uuid) AS load
  ${recordsHere(database, idleGate(database, gateUuid), sql`('NOT_LOADED', 'UNLOADED')`, 'TO_DO')}
  LIMIT ${GATE_LIMITS.aboard}`;

const aboardQuery = (database: Database, gateUuid: string): SQL<HeldPallet> => sql`SELECT a.wms_id AS "wmsId",
    ${markerCode} AS "markerCode"
  ${recordsHere(database, gateUuid, sql`('LOADED', 'OFFLOADED')`)} LIMIT ${GATE_LIMITS.aboard + 1}`;

/**
 * The pallets of the gate that have this text or its SSCC in the WMS id, ignoring case in ASCII, or this marker. All
 * spellings of an SSCC have its digits.
 */
function foundQuery(database: Database, gateUuid: string, q: string): SQL<PalletRow> {
  const { sscc, text, marker } = readIdentifier(q, database.organization);
  return sql`SELECT ${palletView(database)} AS view
  ${recordsHere(database, gateUuid, sql`('NOT_LOADED', 'LOADED', 'UNLOADED', 'OFFLOADED')`)}
    AND (instr(upper(a.wms_id), upper(${sscc ?? text})) > 0 OR a.wms_id = (SELECT wms_id FROM track
      WHERE organization_uuid = ${database.organization} AND marker_code = ${marker ?? 0} AND deleted_date IS NULL))
  ORDER BY a.wms_id, a.uuid LIMIT ${GATE_LIMITS.found + 1}`;
}

const membersQuery = (database: Database, gateUuid: string) => sql<
  ViewRow<SQL<BoardMember>>
>`SELECT json_object(
    'shipmentUuid', h.uuid, 'uuid', m.uuid, 'externalIdentifier', m.external_identifier, 'status', m.manifest_status,
    'counts', json(${recordTally})) AS view
  FROM shipment h CROSS JOIN shipment_manifest s ON s.organization_uuid = h.organization_uuid AND s.shipment_uuid = h.uuid
  CROSS JOIN manifest m ON m.uuid = s.manifest_uuid
  WHERE h.organization_uuid = ${database.organization} AND h.gate_uuid = ${gateUuid} AND h.status = 'IN_PROGRESS'
    AND h.deleted_date IS NULL LIMIT ${GATE_LIMITS.members}`;

/**
 * Read the page of a gate in one round trip of at most thirteen statements. Undefined if the gate does not
 * exist. `badgesAt` is a tablet that asks for badges.
 */
export async function readGatePage(
  database: Database,
  gateUuid: string,
  q: string | null,
  badgesAt?: { tablet: string; keys: SealingKeys } | undefined,
): Promise<GatePage | undefined> {
  const {
    heads: [head],
    gates: [gate],
    unassigned: [unassigned],
    ...rows
  } = await database.ask({
    heads: endQuery(database),
    gates: namedGatesQuery(database, [gateUuid], { ...GATE_LIMITS, ownDepartures: true }),
    unassigned: unassignedQuery(database),
    open: openQuery(database, gateUuid),
    loaded: loadedQuery(database, gateUuid),
    aboard: aboardQuery(database, gateUuid),
    ready: readyQuery(database, gateUuid),
    markers: markerRangeQuery(database),
    members: membersQuery(database, gateUuid),
    names: gateNamesQuery(database, BOARD_LIMITS.gates),
    found: q === null ? undefined : foundQuery(database, gateUuid, q),
    workers: badgesAt && badgesQuery(database),
    signed: signedQuery(database, gateUuid, Date.now()),
  });
  if (!gate) return undefined;
  return {
    sequenceNumber: head?.sequenceNumber ?? 0,
    gate: parseJson(gate.view),
    unassigned: parseJson(unassigned!.view),
    open: parseViews(rows.open),
    loaded: parseViews(rows.loaded),
    aboard: rows.aboard,
    ready: rows.ready,
    markers: rows.markers[0]!,
    found: q === null ? undefined : parseViews(rows.found),
    members: parseViews(rows.members),
    signed: parseViews(rows.signed),
    badges: badgesAt && listedBadges(badgesAt.keys, rows.workers, badgesAt.tablet),
    gates: gatesInOrder(rows.names),
  };
}
