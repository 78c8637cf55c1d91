import { type SQL, sql } from 'drizzle-orm';
import type { StoredField } from '../custom-field/rules.ts';
import { fieldsView, presentFields } from '../custom-field/store.ts';
import { BASE_PATH } from '../http/endpoint.ts';
import { deepLink } from '../http/link.ts';
import type { Database, Write } from '../lib/database.ts';
import { isoDate, isoDateOrNull } from '../lib/time.ts';
import { IS_ASSET } from '../loading/store.ts';
import type { AssignedGate } from '../site/rules.ts';
import {
  type GateReference,
  gateExternalIdOf,
  gateReferenceView,
  presentGateReference,
} from '../site/store.ts';
import type { ManifestStatus } from './rules.ts';
import { manifest } from './table.ts';

/** Manifests whose assets may still change. */
const IS_OPEN = sql`manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS')`;

/** The manifest's assets, as `a`, in the order in which they were added. */
const assets = sql`(SELECT * FROM asset_loading WHERE asset_loading.organization_uuid = manifest.organization_uuid
  AND manifest_uuid = manifest.uuid AND ${IS_ASSET} ORDER BY create_date, uuid) a`;
const coupled = sql`FROM track WHERE track.organization_uuid = a.organization_uuid AND track.wms_id = a.wms_id
  AND track.deleted_date IS NULL`;
const elsewhere = sql`FROM asset_loading b JOIN manifest m ON m.uuid = b.manifest_uuid
  WHERE b.organization_uuid = a.organization_uuid AND b.wms_id = a.wms_id AND b.manifest_uuid <> a.manifest_uuid
    AND b.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    AND m.deleted_date IS NULL AND m.manifest_status NOT IN ('COMPLETED', 'CANCELLED')`;

/** JSON of what hinders a manifest that is still open. */
export const validationView = sql`CASE WHEN ${IS_OPEN} THEN json_object(
  'duplicatedTracks', json((SELECT json_group_array(json_object('trackIdentifier', a.wms_id, 'manifestExternalIds',
    json((SELECT json_group_array(external_identifier) FROM (SELECT m.external_identifier ${elsewhere} ORDER BY 1)))))
    FROM ${assets} WHERE EXISTS (SELECT 1 ${elsewhere}))),
  'nonExistingTracks', json((SELECT json_group_array(json_object('trackIdentifier', a.wms_id)) FROM ${assets}
    WHERE NOT EXISTS (SELECT 1 ${coupled}))),
  'deactivatedTracks', json((SELECT json_group_array(json_object('trackIdentifier', a.wms_id)) FROM ${assets}
    WHERE EXISTS (SELECT 1 ${coupled}) AND NOT EXISTS (SELECT 1 ${coupled} AND track.retirement <> 'RETIRED')))) END`;

/** JSON of a manifest; counts are counted from its records. */
export const manifestView = sql`json_object('uuid', manifest.uuid,
  'externalIdentifier', manifest.external_identifier, 'manifestStatus', manifest_status,
  'activateDate', activate_date, 'closeDate', close_date, 'publicToken', public_token,
  'createDate', manifest.create_date, 'updateDate', manifest.update_date, 'deletedDate', manifest.deleted_date,
  'gate', ${gateReferenceView(sql`manifest.organization_uuid`, sql`manifest.gate_uuid`)},
  'counts', json((SELECT json_object('total', count(*), 'loaded', count(*) FILTER (WHERE loading_status = 'LOADED'))
    FROM asset_loading WHERE asset_loading.organization_uuid = manifest.organization_uuid
      AND manifest_uuid = manifest.uuid AND ${IS_ASSET})),
  'customFields', ${fieldsView(sql`manifest.organization_uuid`, sql`manifest.uuid`)},
  'validation', json(${validationView}))`;

/** A row of `manifestView`. Dates in epoch milliseconds. */
export interface StoredManifest {
  uuid: string;
  externalIdentifier: string;
  manifestStatus: ManifestStatus;
  activateDate: number | null;
  closeDate: number | null;
  publicToken: string | null;
  createDate: number;
  updateDate: number;
  deletedDate: number | null;
  gate: GateReference | null;
  counts: { total: number; loaded: number };
  customFields: StoredField[];
  validation: Validation | null;
}

/** What `validationView` finds; null for a manifest that is closed. */
export interface Validation {
  duplicatedTracks: { trackIdentifier: string; manifestExternalIds: string[] }[];
  nonExistingTracks: { trackIdentifier: string }[];
  deactivatedTracks: { trackIdentifier: string }[];
}

/** A manifest as the API shows it. */
export function presentManifest(links: string, stored: StoredManifest) {
  const { publicToken, deletedDate, counts, validation, ...manifest } = stored;
  const faulty = validation && Object.values(validation).some((items) => items.length > 0);
  return {
    ...manifest,
    activateDate: isoDateOrNull(stored.activateDate),
    closeDate: isoDateOrNull(stored.closeDate),
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'manifest', stored.uuid),
    tracksCount: counts.total,
    totalAssetsCount: counts.total,
    loadedAssetsCount: counts.loaded,
    gate: presentGateReference(links, stored.gate),
    customFields: presentFields(links, 'manifest', stored.uuid, stored.customFields),
    validationErrors: faulty ? validation : null,
    proofOfShipmentUrl: publicToken && `${links}/public/proof-of-shipment/${publicToken}.pdf`,
    ...(publicToken === null
      ? {}
      : { shipmentSummaryUrl: `${links}/public/shipment-summary/${publicToken}` }),
    deleted: deletedDate !== null,
  };
}

/** Path of a manifest in the API, by external id or uuid. An external id such as `..` cannot stand in a path. */
export function manifestPath(identifier: string): string {
  return `${BASE_PATH}/manifest/${encodeURIComponent(identifier)}`;
}

/**
 * Which manifest an identifier in a path means: external id first, then uuid; never a deleted one. Two look-ups by
 * unique index: with OR SQLite walks all manifests of the organization.
 */
const identified = (database: Database, identifier: string): SQL => sql`
  WHERE manifest.uuid = coalesce((SELECT named.uuid FROM manifest named
      WHERE named.organization_uuid = ${database.organization} AND named.external_identifier = ${identifier}
        AND named.deleted_date IS NULL), ${identifier.toLowerCase()})
    AND manifest.organization_uuid = ${database.organization} AND manifest.deleted_date IS NULL`;

/** The uuid of the manifest that an identifier means: external id first, then uuid; never a deleted one. */
export const manifestUuidOf = (
  database: Database,
  identifier: string,
): SQL => sql`(SELECT manifest.uuid FROM manifest
  ${identified(database, identifier)})`;

/** The JSON of one manifest; for a batch. */
export const manifestQuery = (database: Database, identifier: string): SQL =>
  sql`SELECT ${manifestView} AS view FROM manifest ${identified(database, identifier)}`;

/** What commands need to know of a manifest: a row of `ManifestState`. */
export const stateColumns = sql`manifest.uuid, manifest.external_identifier AS "externalIdentifier",
  manifest.manifest_status AS "manifestStatus", manifest.gate_uuid AS "gateUuid",
  ${gateExternalIdOf(sql`manifest.organization_uuid`, sql`manifest.gate_uuid`)} AS "gateExternalId",
  (SELECT s.shipment_uuid FROM shipment_manifest s WHERE s.organization_uuid = manifest.organization_uuid
    AND s.manifest_uuid = manifest.uuid) AS "shipmentUuid"`;

/** What commands need to know of a manifest; for a batch. */
export const manifestStateQuery = (database: Database, identifier: string): SQL => sql`SELECT ${stateColumns}
  FROM manifest ${identified(database, identifier)}`;

/** A row of `manifestStateQuery`. */
export interface ManifestState extends AssignedGate {
  uuid: string;
  externalIdentifier: string;
  manifestStatus: ManifestStatus;
  /** The shipment it is attached to. */
  shipmentUuid: string | null;
}

/** A manifest as it is once all of a commit is written. */
export const answerOf = (
  { organization }: Database,
  uuid: string,
): SQL => sql`SELECT ${manifestView} FROM manifest
  WHERE organization_uuid = ${organization} AND uuid = ${uuid}`;

/** The WMS ids of a manifest's assets, in their order; for a batch. */
export const assetIdsQuery = (database: Database, manifestUuid: string): SQL => sql`SELECT wms_id AS "wmsId"
  FROM asset_loading WHERE organization_uuid = ${database.organization} AND manifest_uuid = ${manifestUuid}
    AND ${IS_ASSET} ORDER BY create_date, uuid`;

/** Whether an external id is taken; for a batch. */
export const takenQuery = (database: Database, externalIdentifier: string): SQL => sql`SELECT 1 FROM manifest
  WHERE organization_uuid = ${database.organization} AND external_identifier = ${externalIdentifier}
    AND deleted_date IS NULL`;

/** Move the update date of the open manifests that hold a pallet: a track came, went or changed. */
export function touchManifestsOf(database: Database, wmsId: string, now: number): Write {
  return database.update(
    manifest,
    { updateDate: now },
    // The plus keeps SQLite from walking all open manifests of the organization.
    sql`+deleted_date IS NULL AND ${IS_OPEN} AND uuid IN (SELECT manifest_uuid FROM asset_loading
      WHERE organization_uuid = ${database.organization} AND wms_id = ${wmsId} AND ${IS_ASSET})`,
  );
}
