import { type SQL, sql } from 'drizzle-orm';
import { BASE_PATH } from '../../../core/http/endpoint.ts';
import { deepLink } from '../../../core/http/link.ts';
import type { WholeRow } from '../../../core/http/whole.ts';
import { bounded, type Extent, itemsOf, truncation } from '../../../core/lib/bounded.ts';
import { type Json, parseJson } from '../../../core/lib/json.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { inList } from '../../../core/lib/sql.ts';
import { isoDate, isoDateOrNull } from '../../../core/lib/time.ts';
import { json, type Viewed, type ViewRow, view, viewOfExtent } from '../../../core/lib/view.ts';
import type { FieldRole } from '../../../core/writer/settings.ts';
import type { EntityKind } from '../../../log/event/store.ts';
import { itemsQuery } from '../../../log/operation/store.ts';
import type { StoredField } from '../../custom-field/rules.ts';
import { fieldsView, presentFields } from '../../custom-field/store.ts';
import type { AssignedGate } from '../../gate/rules.ts';
import { gateExternalIdOf, gateReferenceView, presentGateReference } from '../../gate/store.ts';
import { LISTED } from '../../track/store.ts';
import { type ManifestState, stateColumns } from '../manifest/store.ts';
import {
  behind,
  IS_ASSET,
  type RecordPlace,
  recordView,
  type StoredRecord,
  type WantedRecords,
} from '../shared/asset-store.ts';
import { presentSignatures, signaturesView } from '../shared/signature-store.ts';
import { isLoadOpen, type LoadStatus } from '../shared/status-rules.ts';
import { type BulkItem, type FoundReference, MANIFESTS_MAXIMUM, type ManifestReference } from './rules.ts';
import { shipment } from './table.ts';

/** The memberships of `shipment`, as `s`, with their manifests `m`. */
const members = sql`FROM shipment_manifest s CROSS JOIN manifest m ON m.uuid = s.manifest_uuid`;
const ofShipment = sql`s.organization_uuid = shipment.organization_uuid AND s.shipment_uuid = shipment.uuid`;

/**
 * SQL: when `shipment` or one of its manifests was last changed. A change of a manifest or of its records does not write
 * the row of the shipment: a scan would write it each time.
 */
export const shipmentUpdateDate = sql<number>`max(shipment.update_date,
  coalesce((SELECT max(m.update_date) ${members} WHERE ${ofShipment}), 0))`;

/**
 * How many of its manifests are shown: all in the GET of one shipment, fewer in lists, events and
 * answers.
 */
export const WHOLE_EXTENT: Extent = { items: MANIFESTS_MAXIMUM, bytes: 1_300_000 };
export const BRIEF_EXTENT: Extent = { items: 100, bytes: 20_000 };

/** JSON of a shipment. The extent limits its manifests. */
export const shipmentView = viewOfExtent((extent: Extent) =>
  view({
    uuid: shipment.uuid,
    externalIdentifier: shipment.externalIdentifier,
    status: shipment.status,
    notes: shipment.notes,
    activateDate: shipment.activateDate,
    closeDate: shipment.closeDate,
    shortReason: shipment.shortReason,
    arrivalDate: shipment.arrivalDate,
    driverName: shipment.driverName,
    driverToken: shipment.driverToken,
    publicToken: shipment.publicToken,
    createDate: shipment.createDate,
    updateDate: shipmentUpdateDate,
    deletedDate: shipment.deletedDate,
    gate: gateReferenceView(sql`shipment.organization_uuid`, sql`shipment.gate_uuid`),
    manifests: bounded(
      sql<{ item: Json<{ manifestExternalId: string; manifestUuid: string }> }>`SELECT
        json_object('manifestExternalId', m.external_identifier, 'manifestUuid', m.uuid) AS item
        ${members} WHERE ${ofShipment} ORDER BY s.rowid`,
      extent,
    ),
    counts: json<{ tracks: number; total: number; loaded: number }>(sql`(SELECT
        json_object('tracks', coalesce(sum(m.assets_count), 0),
          'total', coalesce(sum(m.assets_count) FILTER (WHERE m.manifest_status <> 'CANCELLED'), 0),
          'loaded', coalesce(sum(m.loaded_count) FILTER (WHERE m.manifest_status <> 'CANCELLED'), 0))
      ${members} WHERE ${ofShipment})`),
    customFields: fieldsView(sql`shipment.organization_uuid`, sql`shipment.uuid`),
    signatures: signaturesView(sql`shipment.organization_uuid`, sql`shipment.uuid`),
  }),
);
export type StoredShipment = Viewed<ReturnType<typeof shipmentView>>;

/** The path of the page of a driver, before its token. */
export const DRIVER_PATH = '/public/driver/';

/** A shipment as the API shows it. */
export function presentShipment(links: string, stored: StoredShipment) {
  const { publicToken, driverToken, deletedDate, counts, ...shown } = stored;
  const open = isLoadOpen(stored.status) && deletedDate === null;
  return {
    ...shown,
    arrivalDate: isoDateOrNull(stored.arrivalDate),
    activateDate: isoDateOrNull(stored.activateDate),
    closeDate: isoDateOrNull(stored.closeDate),
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'shipment', stored.uuid),
    tracksCount: counts.tracks,
    totalAssetsCount: counts.total,
    loadedAssetsCount: counts.loaded,
    gate: presentGateReference(links, stored.gate),
    manifests: itemsOf(stored.manifests),
    customFields: presentFields(links, 'shipment', stored.uuid, stored.customFields),
    driverUrl: open && driverToken ? `${links}${DRIVER_PATH}${driverToken}` : null,
    signatures: presentSignatures(stored.signatures),
    proofOfShipmentUrl: publicToken && `${links}/public/proof-of-shipment/${publicToken}.pdf`,
    ...(publicToken === null
      ? {}
      : { shipmentSummaryUrl: `${links}/public/shipment-summary/${publicToken}` }),
    deleted: deletedDate !== null,
    ...truncation(stored.manifests),
  };
}

/** The API path of a shipment, by external id or uuid. */
export function shipmentPath(identifier: string): string {
  return `${BASE_PATH}/shipment/${encodeURIComponent(identifier)}`;
}

/**
 * The uuid of the shipment with this identifier: external id first, then uuid. Deleted shipments
 * are left out. It uses two look-ups by unique index. With OR, SQLite would walk all shipments of
 * the organization.
 */
export const shipmentUuidOf = (database: Scope, identifier: string): SQL => sql`coalesce(
  (SELECT n.uuid FROM shipment n WHERE n.organization_uuid = ${database.organization}
    AND n.external_identifier = ${identifier} AND n.deleted_date IS NULL),
  (SELECT u.uuid FROM shipment u WHERE u.uuid = ${identifier.toLowerCase()}
    AND u.organization_uuid = ${database.organization} AND u.deleted_date IS NULL))`;

/** Read the JSON of one shipment. */
export const shipmentQuery = (
  database: Scope,
  identifier: string,
): SQL<ViewRow<ReturnType<typeof shipmentView>>> => sql`SELECT ${shipmentView(WHOLE_EXTENT)} AS view
  FROM shipment WHERE shipment.uuid = ${shipmentUuidOf(database, identifier)}
    AND shipment.organization_uuid = ${database.organization}`;

const stateOfShipment = sql`uuid, external_identifier AS "externalIdentifier", status, gate_uuid AS "gateUuid",
  ${gateExternalIdOf(sql`shipment.organization_uuid`, sql`shipment.gate_uuid`)} AS "gateExternalId", notes,
  arrival_date AS "arrivalDate", driver_name AS "driverName"`;

/** Read the states of shipments by uuid, for a command. */
export const shipmentStatesQuery = (
  { organization }: Scope,
  uuids: readonly string[],
): SQL<ShipmentState> => sql`SELECT ${stateOfShipment} FROM shipment
  WHERE uuid ${inList(uuids)} AND +organization_uuid = ${organization} AND deleted_date IS NULL`;

/** Read the state of a shipment for a command. */
export const shipmentStateQuery = (
  database: Scope,
  identifier: string,
): SQL<ShipmentState> => sql`SELECT ${stateOfShipment} FROM shipment
  WHERE uuid = ${shipmentUuidOf(database, identifier)} AND organization_uuid = ${database.organization}`;

/** The state of a shipment that commands decide on. */
export interface ShipmentState extends AssignedGate {
  uuid: string;
  externalIdentifier: string;
  status: LoadStatus;
  notes: string | null;
  arrivalDate: number | null;
  driverName: string | null;
}

/** The manifests of a shipment, in the order in which they were attached. */
export const membersQuery = (
  database: Scope,
  identifier: string,
): SQL<ManifestState> => sql`SELECT ${stateColumns}
  FROM shipment_manifest s CROSS JOIN manifest ON manifest.uuid = s.manifest_uuid
  WHERE s.organization_uuid = ${database.organization} AND s.shipment_uuid = ${shipmentUuidOf(database, identifier)}
  ORDER BY s.rowid`;

/** The manifests of several shipments, each with the uuid of its shipment. */
export const membersOfQuery = (
  { organization }: Scope,
  uuids: readonly string[],
): SQL<ManifestState> => sql`SELECT
    ${stateColumns}
  FROM shipment_manifest s CROSS JOIN manifest ON manifest.uuid = s.manifest_uuid
  WHERE s.organization_uuid = ${organization} AND s.shipment_uuid ${inList(uuids)} ORDER BY s.rowid`;

export const shipmentFieldsQuery = (database: Scope, identifier: string): SQL<StoredField> => sql`SELECT
  field_key AS "fieldKey", field_value AS "fieldValue" FROM custom_field
  WHERE organization_uuid = ${database.organization} AND owner_uuid = ${shipmentUuidOf(database, identifier)} ORDER BY rowid`;

/** `IN (…)` over the manifests of a shipment that follow its status. */
export const movedWith = (scope: Scope, identifier: string): SQL => sql`IN (SELECT s.manifest_uuid
  FROM shipment_manifest s CROSS JOIN manifest ON manifest.uuid = s.manifest_uuid
  WHERE s.organization_uuid = ${scope.organization} AND s.shipment_uuid = ${shipmentUuidOf(scope, identifier)}
    AND manifest.manifest_status <> 'CANCELLED')`;

/** Returns a row if a shipment, also an archived one, has this external id. */
export const shipmentTakenQuery = (
  database: Scope,
  externalIdentifier: string,
): SQL => sql`SELECT 1 FROM shipment
  WHERE organization_uuid = ${database.organization} AND external_identifier = ${externalIdentifier}
    AND deleted_date IS NULL
  UNION ALL SELECT 1 FROM archive_entry WHERE organization_uuid = ${database.organization}
    AND external_identifier = ${externalIdentifier} AND entity_type = 'SHIPMENT' AND deleted_date IS NULL`;

/** The manifests that references name, one row for each reference, in order. */
export function referencesQuery(
  database: Scope,
  references: readonly ManifestReference[],
): SQL<FoundManifest> {
  const pairs = JSON.stringify(references.map((named) => [named.manifestExternalId, named.manifestUuid]));
  return sql`SELECT ${stateColumns} FROM json_each(${pairs}) named LEFT JOIN manifest
      ON manifest.uuid = coalesce((SELECT n.uuid FROM manifest n
          WHERE n.organization_uuid = ${database.organization}
            AND n.external_identifier = json_extract(named.value, '$[0]') AND n.deleted_date IS NULL),
        json_extract(named.value, '$[1]'))
      AND +manifest.external_identifier = coalesce(json_extract(named.value, '$[0]'), manifest.external_identifier)
      AND +manifest.uuid = coalesce(json_extract(named.value, '$[1]'), manifest.uuid)
      AND +manifest.organization_uuid = ${database.organization} AND +manifest.deleted_date IS NULL
    ORDER BY named.key`;
}

/** `IN (…)` over the uuids of the manifests that references name. */
export const referencedManifests = (scope: Scope, references: readonly ManifestReference[]): SQL =>
  sql`IN (SELECT uuid FROM (${referencesQuery(scope, references)}) WHERE uuid IS NOT NULL)`;

/** A row of `referencesQuery`. All fields are null if the manifest does not exist. */
export type FoundManifest = ManifestState | (FoundReference & { uuid: null });

/** How events describe shipments. */
export const shipmentEntity: EntityKind = {
  type: 'SHIPMENT',
  data: (uuid) => sql`(SELECT ${shipmentView(BRIEF_EXTENT)} FROM shipment WHERE shipment.uuid = ${uuid})`,
};

/** The records of a shipment, sorted by manifest. */
export const recordsOfShipment = (
  database: Scope,
  shipmentUuid: SQL,
  { onlyAssets, after }: WantedRecords,
) => sql<
  WholeRow<StoredRecord, RecordPlace>
>`SELECT ${recordView(LISTED)} AS view, json_array(s.rowid, a.create_date, a.uuid) AS position
  FROM shipment_manifest s
  CROSS JOIN manifest ON manifest.uuid = s.manifest_uuid
  CROSS JOIN asset_loading a ON a.organization_uuid = s.organization_uuid AND a.manifest_uuid = s.manifest_uuid
  WHERE s.organization_uuid = ${database.organization} AND s.shipment_uuid = ${shipmentUuid}
    AND ${onlyAssets ? sql`${IS_ASSET} AND manifest.manifest_status <> 'CANCELLED'` : sql`TRUE`}
    AND ${after === undefined ? sql`TRUE` : sql`s.rowid >= ${after[0]} AND (s.rowid > ${after[0]} OR ${behind(after)})`}
  ORDER BY s.rowid, a.create_date, a.uuid`;

const column = (role: FieldRole, of: SQL, name: SQL): SQL => sql`(SELECT ${name} FROM organization
    CROSS JOIN json_each(organization.shipment_custom_fields) configured
    CROSS JOIN custom_field ON custom_field.organization_uuid = ${of}.organization_uuid
      AND custom_field.owner_uuid = ${of}.uuid
      AND custom_field.field_key = json_extract(configured.value, '$.fieldKey')
  WHERE organization.uuid = ${of}.organization_uuid AND json_extract(configured.value, '$.role') = ${role})`;

/**
 * The value of the custom field with a role, for the shipment in the row `of`. Null if the shipment
 * has no such field.
 */
export const roleValue = (role: FieldRole, of: SQL): SQL<string | null> =>
  column(role, of, sql`custom_field.field_value`) as SQL<string | null>;

/** Like `roleValue`, but folded for searching. */
export const foldedRole = (role: FieldRole, of: SQL): SQL<string | null> =>
  column(role, of, sql`coalesce(custom_field.folded_value, lower(custom_field.field_value))`) as SQL<
    string | null
  >;

/** Like `roleValue`, for a date: epoch milliseconds. */
export const roleDate = (role: FieldRole, of: SQL): SQL<number | null> =>
  column(role, of, sql`custom_field.field_date`) as SQL<number | null>;

/** The longest value that `valuesQuery` returns, in characters. */
const VALUE_LENGTH = 100;

/**
 * The different values of a custom field, by name: at most `limit`. It jumps from value to value in the index, so it
 * reads few entries for each, however many shipments have it. Values that only the shipment `except` has, and long
 * values, are left out.
 */
export function valuesQuery(
  { organization }: Scope,
  fieldKey: string,
  limit: number,
  except?: string,
): SQL<{ value: string }> {
  const others = except === undefined ? sql`` : sql`AND owner_uuid <> ${except}`;
  const next = (after: SQL): SQL => sql`(SELECT field_value FROM custom_field
    WHERE organization_uuid = ${organization} AND field_key = ${fieldKey} ${others} ${after}
    ORDER BY field_value LIMIT 1)`;
  return sql`WITH RECURSIVE known (value) AS (
      SELECT ${next(sql``)}
      UNION ALL SELECT ${next(sql`AND field_value > known.value`)} FROM known
        WHERE known.value IS NOT NULL LIMIT ${limit})
    SELECT value FROM known WHERE value IS NOT NULL AND length(value) <= ${VALUE_LENGTH}`;
}

/** One row if anything has this value of a custom field. */
export const valueQuery = (
  { organization }: Scope,
  fieldKey: string,
  value: string,
): SQL<{ value: string }> => sql`SELECT field_value AS value FROM custom_field
  WHERE organization_uuid = ${organization} AND field_key = ${fieldKey} AND field_value = ${value}
  LIMIT 1`;

/** The external ids among these that manifests or shipments have already, archived ones too. */
export const takenNamesQuery = (
  { organization }: Scope,
  kind: 'manifest' | 'shipment',
  names: readonly string[],
): SQL<{ externalIdentifier: string }> => sql`SELECT external_identifier AS "externalIdentifier"
  FROM ${sql.identifier(kind)} WHERE organization_uuid = ${organization} AND external_identifier ${inList(names)}
    AND deleted_date IS NULL
  UNION SELECT external_identifier FROM archive_entry WHERE organization_uuid = ${organization}
    AND external_identifier ${inList(names)} AND entity_type = ${kind.toUpperCase()} AND deleted_date IS NULL`;

/** The maximum number of items that one statement reads. */
const ITEMS_A_READ = 500;

/** A row of `bulkItemsQueries`. The uuid is null if the shipment does not exist. */
interface BulkRow {
  index: number;
  identifier: string;
  input: Json<BulkItem['fields']>;
  uuid: string | null;
  externalIdentifier: string;
  current: Json<BulkItem['current']>;
}

/**
 * Read a range of items of a bulk upsert. Each has its shipment (by external id, then uuid) and the
 * current values of the fields that it names.
 */
export function bulkItemsQueries(
  scope: Scope,
  operationUuid: string,
  start: number,
  end: number,
): SQL<BulkRow>[] {
  const firsts = Array.from(
    { length: Math.ceil((end - start) / ITEMS_A_READ) },
    (_, index) => start + index * ITEMS_A_READ,
  );
  return firsts.map((first) => readQuery(scope, operationUuid, first, Math.min(ITEMS_A_READ, end - first)));
}

const readQuery = (
  scope: Scope,
  operationUuid: string,
  start: number,
  count: number,
) => sql<BulkRow>`SELECT i."index", i.identifier, i.input, s.uuid, s.external_identifier AS "externalIdentifier",
    (SELECT json_group_array(json_object('fieldKey', field_key, 'fieldValue', field_value)) FROM custom_field
      WHERE custom_field.organization_uuid = ${scope.organization} AND owner_uuid = s.uuid
        AND field_key IN (SELECT json_extract(value, '$.fieldKey') FROM json_each(i.input))) AS current
  FROM (${itemsQuery(scope, operationUuid, start, count)}) i LEFT JOIN shipment s ON s.uuid = coalesce(
      (SELECT n.uuid FROM shipment n WHERE n.organization_uuid = ${scope.organization}
        AND n.external_identifier = i.identifier AND n.deleted_date IS NULL),
      (SELECT u.uuid FROM shipment u WHERE u.uuid = lower(i.identifier) AND u.organization_uuid = ${scope.organization}
        AND u.deleted_date IS NULL))
    AND +s.organization_uuid = ${scope.organization}
  ORDER BY i."index"`;

export const bulkItemOf = ({
  index,
  identifier,
  input,
  uuid,
  externalIdentifier,
  current,
}: BulkRow): BulkItem => ({
  index,
  identifier,
  fields: parseJson(input),
  shipment: uuid === null ? null : { uuid, externalIdentifier },
  current: parseJson(current),
});
