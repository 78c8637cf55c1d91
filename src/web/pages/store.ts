import { type SQL, sql } from 'drizzle-orm';
import type { Total } from '../../core/http/list.ts';
import type { Database } from '../../core/lib/database.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { factOf } from '../../dispatch/custom-field/store.ts';
import { recordTally } from '../../dispatch/load/shared/asset-store.ts';
import {
  type ProofSignature,
  proofSignaturesQuery,
  readSignatures,
} from '../../dispatch/load/shared/signature-store.ts';
import type { LoadingStatus, Tally } from '../../dispatch/load/shared/table.ts';
import { correctionsCountQuery, tableOf } from './correction-store.ts';
import type { Load } from './published-store.ts';
import { shortReason } from './reason-store.ts';
import type { LoadMember, Problem, ProblemSource, Span } from './rules.ts';

/** The subject of a public page. Dates are epoch milliseconds. */
export interface Subject {
  /** The names at completion. */
  organizationName: string;
  externalIdentifier: string;
  createDate: number;
  activateDate: number;
  closeDate: number;
  gateExternalId: string | null;
  gateName: string | null;
  /** The values of a shipment's custom fields that had a role at its completion. */
  carrier?: string | null;
  vehicle?: string | null;
  seal?: string | null;
  plannedDepartureDate?: number | null;
  /** When its truck arrived. It is not in archives that were made before shipments had it. */
  arrivalDate?: number | null;
  /** How often the loading records of its manifests have changed. */
  recordChanges: number;
  /** The reason why pallets are missing. It is not in archives that were made before summaries showed it. */
  shortReason?: string | null;
}

/** SQL: the facts of a shipment `p` about its transport. */
const facts = ({ kind }: Load): SQL =>
  kind === 'SHIPMENT'
    ? sql`, ${factOf('CARRIER')} AS carrier, ${factOf('VEHICLE')} AS vehicle, ${factOf('SEAL')} AS seal,
        ${factOf('PLANNED_DEPARTURE', 'field_date')} AS "plannedDepartureDate", p.arrival_date AS "arrivalDate"`
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
    subjects: sql<Subject>`SELECT p.proof_names ->> '$.organizationName' AS "organizationName",
        p.external_identifier AS "externalIdentifier", p.create_date AS "createDate",
        p.activate_date AS "activateDate", p.close_date AS "closeDate",
        p.proof_names ->> '$.gateExternalId' AS "gateExternalId", p.proof_names ->> '$.gateName' AS "gateName",
        (SELECT coalesce(sum(m.record_changes), 0) FROM ${membersOf(database, published)}) AS "recordChanges",
        ${shortReason(database, published.kind)} AS "shortReason"${facts(published)}
      FROM ${tableOf(published)} p
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
      signatures: readSignatures(signatures),
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
