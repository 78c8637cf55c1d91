import { type SQL, sql } from 'drizzle-orm';
import type { Total } from '../../core/http/list.ts';
import type { Database } from '../../core/lib/database.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import type { Actor } from '../../core/writer/chain.ts';
import { recordTally } from '../../dispatch/manifest/asset-store.ts';
import type { LoadingStatus, Tally } from '../../dispatch/manifest/asset-table.ts';
import { roleDate, roleValue } from '../../dispatch/shipment/role-store.ts';
import { type ProofSignature, proofSignaturesQuery, withStrokes } from '../../dispatch/signature/store.ts';
import type { Load } from './published-store.ts';
import { shortReason } from './reason-store.ts';
import type { LoadMember, Problem, ProblemSource, Span } from './rules.ts';

/** The subject of a public page. Dates are epoch milliseconds. */
export interface Subject {
  externalIdentifier: string;
  createDate: number;
  activateDate: number;
  closeDate: number;
  gateExternalId: string | null;
  gateName: string | null;
  /**
   * The values of a shipment's custom fields with a role. They are missing if the shipment was
   * archived before its fields had roles.
   */
  carrier?: string | null;
  vehicle?: string | null;
  seal?: string | null;
  plannedDepartureDate?: number | null;
  /** When its truck arrived. It is not in archives that were made before shipments had it. */
  arrivalDate?: number | null;
  /** The reason why pallets are missing. It is not in archives that were made before summaries showed it. */
  shortReason?: string | null;
}

/** SQL: the values of fields with a role, for the load `p`. */
const roles = ({ kind }: Load): SQL =>
  kind === 'SHIPMENT'
    ? sql`, ${roleValue('CARRIER', sql`p`)} AS carrier, ${roleValue('VEHICLE', sql`p`)} AS vehicle,
        ${roleValue('SEAL', sql`p`)} AS seal, ${roleDate('PLANNED_DEPARTURE', sql`p`)} AS "plannedDepartureDate",
        p.arrival_date AS "arrivalDate"`
    : sql``;

/**
 * The subject of a public page, its manifests with their records by status, and the number of
 * corrections.
 */
export interface Overview {
  subject: Subject;
  members: LoadMember[];
  correctionsCount: number;
  /** Its signatures in their order. They are not in archives that were made before loads were signed. */
  signatures?: ProofSignature[];
}

/**
 * SQL: the manifests `m` of a load. For a shipment these are its members, with memberships `s`. For a
 * manifest it is the manifest alone.
 */
const membersOf = ({ organization }: Scope, { kind, uuid }: Load): SQL =>
  kind === 'SHIPMENT'
    ? sql`shipment_manifest s CROSS JOIN manifest m ON m.uuid = s.manifest_uuid
      WHERE s.organization_uuid = ${organization} AND s.shipment_uuid = ${uuid}`
    : sql`manifest m WHERE m.uuid = ${uuid} AND m.organization_uuid = ${organization}`;

/** In the order of attaching. */
const inOrder = ({ kind }: Load): SQL => (kind === 'SHIPMENT' ? sql`ORDER BY s.rowid` : sql``);

/**
 * Read everything except the pallets, in one round trip. Undefined if the load is no longer in the
 * database.
 */
export async function readOverview(database: Database, published: Load): Promise<Overview | undefined> {
  const { organization } = database;
  const {
    subjects: [subject],
    members,
    corrections: [corrections],
    signatures,
  } = await database.ask({
    subjects: sql<Subject>`SELECT p.external_identifier AS "externalIdentifier", p.create_date AS "createDate",
        p.activate_date AS "activateDate", p.close_date AS "closeDate",
        gate.external_identifier AS "gateExternalId", gate.name AS "gateName", ${shortReason(database, published.kind)} AS "shortReason"${roles(published)}
      FROM ${tableOf(published)} p LEFT JOIN gate ON gate.uuid = p.gate_uuid
      WHERE p.uuid = ${published.uuid} AND p.organization_uuid = ${organization}`,
    members: sql<
      Omit<LoadMember, 'tally'> & { tally: Json<Tally> }
    >`SELECT m.uuid AS "manifestUuid", m.external_identifier AS "manifestExternalId",
        m.manifest_status AS "manifestStatus",
        ${recordTally} AS tally
      FROM ${membersOf(database, published)} ${inOrder(published)}`,
    corrections: correctionsCountQuery(database, published),
    signatures: proofSignaturesQuery(database, published.uuid),
  });
  return (
    subject && {
      subject,
      members: members.map((member) => ({ ...member, tally: parseJson(member.tally) })),
      correctionsCount: corrections!.total,
      signatures: withStrokes(signatures),
    }
  );
}

/** A loading record on public pages. Dates are epoch milliseconds. */
export interface SummaryRecord {
  manifestUuid: string;
  trackIdentifier: string | null;
  markerCode: number | null;
  loadingStatus: LoadingStatus;
  loadingDate: number | null;
  /** Whether its pallet is marked as damaged now. */
  damaged: 0 | 1;
}

/** SQL: record `a` with its track `t`, which a closed manifest has stored. */
const recordColumns = sql`a.manifest_uuid AS "manifestUuid", a.wms_id AS "trackIdentifier",
  coalesce(a.marker_code, t.marker_code) AS "markerCode", a.loading_status AS "loadingStatus",
  a.loading_date AS "loadingDate", coalesce(t.damaged, 0) AS damaged`;
const withTrack = sql`LEFT JOIN track t ON t.uuid = a.track_uuid`;

/** SQL: the records `a` of a range, each with the `place` of its manifest. */
export const recordsOfSpan = ({ organization }: Scope, { manifestUuids, skip, take }: Span): SQL =>
  sql`(SELECT a.*, named.key AS place FROM json_each(${JSON.stringify(manifestUuids)}) named
    CROSS JOIN asset_loading a ON a.organization_uuid = ${organization} AND a.manifest_uuid = named.value
    ORDER BY named.key, a.create_date, a.uuid LIMIT ${take} OFFSET ${skip}) a`;

/** The records of a range, in the order of its manifests. */
export const summaryRecordsQuery = (
  scope: Scope,
  span: Span,
): SQL<SummaryRecord> => sql`SELECT ${recordColumns}
  FROM ${recordsOfSpan(scope, span)} ${withTrack} ORDER BY a.place, a.create_date, a.uuid`;

/** A record that is a problem. */
export type ProblemRecord = SummaryRecord & { problem: Problem };

/** The first records of the sources, in the order of the sources. */
export const problemsQuery = (
  { organization }: Scope,
  sources: readonly ProblemSource[],
  maximum: number,
): SQL<ProblemRecord> => sql`SELECT ${recordColumns}, a.problem FROM (SELECT a.*, named.key AS place,
      json_extract(named.value, '$.problem') AS problem FROM json_each(${JSON.stringify(sources)}) named
    CROSS JOIN asset_loading a ON a.organization_uuid = ${organization}
      AND a.manifest_uuid = json_extract(named.value, '$.manifestUuid')
      AND a.loading_status = json_extract(named.value, '$.loadingStatus')
    ORDER BY named.key, a.create_date, a.uuid LIMIT ${maximum}) a
  ${withTrack} ORDER BY a.place, a.create_date, a.uuid`;

/** Assets whose pallets are marked as damaged, and their number (`total`). */
export const damagedQuery = (
  { organization }: Scope,
  manifestUuids: readonly string[],
  maximum: number,
): SQL<ProblemRecord & Total> => sql`SELECT ${recordColumns}, 'DAMAGED' AS problem, count(*) OVER () AS total
  FROM json_each(${JSON.stringify(manifestUuids)}) named
    CROSS JOIN asset_loading a ON a.organization_uuid = ${organization} AND a.manifest_uuid = named.value
    CROSS JOIN track t ON t.uuid = a.track_uuid AND t.damaged = 1
  WHERE a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
  ORDER BY named.key, a.create_date, a.uuid LIMIT ${maximum}`;

/** A change to a loading record after completion. The date is in epoch milliseconds. */
export interface Correction {
  /** From 1, in the order of the corrections. */
  number: number;
  date: number;
  actorType: Actor['actorType'];
  manifestExternalId: string;
  trackIdentifier: string | null;
  markerCode: number | null;
  oldStatus: LoadingStatus;
  /** Null if an invalid loading was removed. */
  newStatus: LoadingStatus | null;
}

/**
 * SQL: corrections `c` with their audit records `l`. For a shipment, only corrections since it closed
 * count. A member may have been cancelled, and corrected, before that.
 */
const correctionsOf = (database: Scope, published: Load): SQL =>
  published.kind === 'SHIPMENT'
    ? sql`FROM shipment p CROSS JOIN shipment_manifest s ON s.organization_uuid = p.organization_uuid
        AND s.shipment_uuid = p.uuid
      CROSS JOIN manifest m ON m.uuid = s.manifest_uuid
      CROSS JOIN loading_correction c ON c.organization_uuid = s.organization_uuid AND c.manifest_uuid = s.manifest_uuid
      CROSS JOIN audit_log l ON l.organization_uuid = c.organization_uuid AND l.sequence_number = c.sequence_number
      WHERE p.uuid = ${published.uuid} AND p.organization_uuid = ${database.organization}
        AND l.event_date >= p.close_date`
    : sql`FROM manifest m CROSS JOIN loading_correction c
        ON c.organization_uuid = m.organization_uuid AND c.manifest_uuid = m.uuid
      CROSS JOIN audit_log l ON l.organization_uuid = c.organization_uuid AND l.sequence_number = c.sequence_number
      WHERE m.uuid = ${published.uuid} AND m.organization_uuid = ${database.organization}`;

const tableOf = ({ kind }: Load): SQL => (kind === 'SHIPMENT' ? sql`shipment` : sql`manifest`);

/** The number of corrections, and whether the load is still in the database. */
export const correctionsCountQuery = (
  database: Scope,
  published: Load,
): SQL<Total & { present: 0 | 1 }> => sql`SELECT count(*) AS total,
    EXISTS (SELECT 1 FROM ${tableOf(published)} h WHERE h.uuid = ${published.uuid}
      AND h.organization_uuid = ${database.organization}) AS present
  ${correctionsOf(database, published)}`;

/** The latest corrections, latest first. */
export function correctionsQuery(
  database: Scope,
  published: Load,
  maximum: number,
): SQL<Omit<Correction, 'number'>> {
  const change = (field: string, value: string): SQL =>
    sql`(SELECT json_extract(each.value, ${`$.${value}`}) FROM json_each(l.changes) each
      WHERE json_extract(each.value, '$.field') = ${field})`;
  return sql`SELECT l.event_date AS date, l.actor_type AS "actorType", m.external_identifier AS "manifestExternalId",
      l.entity_external_id AS "trackIdentifier",
      coalesce((SELECT coalesce(a.marker_code, t.marker_code) FROM asset_loading a ${withTrack}
        WHERE a.uuid = l.entity_uuid AND a.organization_uuid = l.organization_uuid),
        ${change('markerCode', 'oldValue')}) AS "markerCode",
      ${change('loadingStatus', 'oldValue')} AS "oldStatus", ${change('loadingStatus', 'newValue')} AS "newStatus"
    ${correctionsOf(database, published)} ORDER BY l.sequence_number DESC LIMIT ${maximum}`;
}

/**
 * The corrections of `correctionsQuery`, oldest first, with numbers. `total` is the number of all
 * corrections.
 */
export const numbered = (latest: readonly Omit<Correction, 'number'>[], total: number): Correction[] =>
  latest.map((correction, index) => ({ number: total - index, ...correction })).reverse();
