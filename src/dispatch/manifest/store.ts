import { type SQL, sql } from 'drizzle-orm';
import { BASE_PATH } from '../../core/http/endpoint.ts';
import { deepLink } from '../../core/http/link.ts';
import { type Bounded, bounded, type Extent, goesOn, itemsOf } from '../../core/lib/bounded.ts';
import type { Json } from '../../core/lib/json.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { inList, inRows, rendered } from '../../core/lib/sql.ts';
import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import { json, type Viewed, type ViewRow, view, viewOf, viewOfExtent } from '../../core/lib/view.ts';
import type { EntityKind } from '../../log/event/store.ts';
import { fieldsView, presentFields } from '../custom-field/store.ts';
import type { AssignedGate } from '../gate/rules.ts';
import { gateExternalIdOf, gateReferenceView, presentGateReference } from '../gate/store.ts';
import { IS_ASSET } from './asset-store.ts';
import { ASSETS_MAXIMUM, type ManifestStatus } from './rules.ts';
import { manifest } from './table.ts';

/** Manifests whose assets may still change. */
const IS_OPEN = sql`manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS')`;

/** How many assets of a manifest are checked for problems, and how many problems of each kind are shown. */
interface Look extends Extent {
  assets: number;
}

/** For its own GET and `validate`: all of it. */
export const WHOLE_LOOK: Look = { items: 100, bytes: 400_000, assets: ASSETS_MAXIMUM };
/** For lists, events and answers of writes, which show many or are stored often. */
export const BRIEF_LOOK: Look = { items: 10, bytes: 20_000, assets: 200 };
/** The most other manifests that are listed for a duplicate. */
const NAMED: Extent = { items: 10, bytes: 20_000 };

/** The manifest's assets, as `a`, in the order in which they were added. */
const assets = (look: Look): SQL => sql`(SELECT organization_uuid, manifest_uuid, wms_id FROM asset_loading
  WHERE asset_loading.organization_uuid = manifest.organization_uuid AND manifest_uuid = manifest.uuid AND ${IS_ASSET}
  ORDER BY create_date, uuid LIMIT ${sql.raw(String(look.assets))}) a`;
const coupled = sql`FROM track WHERE track.organization_uuid = a.organization_uuid AND track.wms_id = a.wms_id
  AND track.deleted_date IS NULL`;
const elsewhere = sql`FROM asset_loading b CROSS JOIN manifest m ON m.uuid = b.manifest_uuid
  WHERE b.organization_uuid = a.organization_uuid AND b.wms_id = a.wms_id AND b.closed = 0
    AND b.manifest_uuid <> a.manifest_uuid AND b.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    AND m.deleted_date IS NULL AND m.manifest_status NOT IN ('COMPLETED', 'CANCELLED')`;
const otherNames = sql<{
  item: Json<string>;
}>`SELECT json_quote(name) AS item FROM (SELECT m.external_identifier AS name ${elsewhere}
  LIMIT ${sql.raw(String(NAMED.items + 1))}) ORDER BY name`;

/** JSON of the problems of a manifest that is still open. The search ends when enough are found. */
export const validationView = (look: Look): SQL<Json<ManifestValidation> | null> => {
  const kind = (condition: SQL, more = sql``): SQL =>
    bounded(
      sql<{
        item: Json<object>;
      }>`SELECT json_object('trackIdentifier', a.wms_id${more}) AS item FROM ${assets(look)} WHERE ${condition}`,
      look,
    );
  return sql`CASE WHEN ${IS_OPEN} THEN json_object(
    'duplicatedTracks', ${kind(
      sql`EXISTS (SELECT 1 ${elsewhere})`,
      sql`, 'manifestExternalIds', ${bounded(otherNames, NAMED)}`,
    )},
    'nonExistingTracks', ${kind(sql`NOT EXISTS (SELECT 1 ${coupled})`)},
    'deactivatedTracks', ${kind(sql`EXISTS (SELECT 1 ${coupled})
      AND NOT EXISTS (SELECT 1 ${coupled} AND track.retirement <> 'RETIRED')`)},
    'unseen', manifest.assets_count > ${sql.raw(String(look.assets))}) END`;
};

/** JSON of a manifest. */
export const manifestView = viewOfExtent((look: Look) =>
  view({
    uuid: manifest.uuid,
    externalIdentifier: manifest.externalIdentifier,
    manifestStatus: manifest.manifestStatus,
    activateDate: manifest.activateDate,
    closeDate: manifest.closeDate,
    publicToken: manifest.publicToken,
    createDate: manifest.createDate,
    updateDate: manifest.updateDate,
    deletedDate: manifest.deletedDate,
    gate: gateReferenceView(sql`manifest.organization_uuid`, sql`manifest.gate_uuid`),
    counts: sql<{ total: number; loaded: number }>`json_object('total', manifest.assets_count,
      'loaded', manifest.loaded_count)`,
    customFields: fieldsView(sql`manifest.organization_uuid`, sql`manifest.uuid`),
    validation: json<ManifestValidation | null>(validationView(look)),
  }),
);
export type StoredManifest = Viewed<ReturnType<typeof manifestView>>;

/** The value of `validationView`; null for a closed manifest. */
export interface ManifestValidation {
  duplicatedTracks: Bounded<{ trackIdentifier: string; manifestExternalIds: Bounded<string> }>;
  nonExistingTracks: Bounded<{ trackIdentifier: string }>;
  deactivatedTracks: Bounded<{ trackIdentifier: string }>;
  /** Whether it has assets that were not checked. */
  unseen?: 0 | 1;
}

/** The problems of a manifest as the API shows them. */
export function presentValidation({ unseen, ...found }: ManifestValidation) {
  const duplicates = itemsOf(found.duplicatedTracks);
  const truncated =
    unseen === 1 ||
    goesOn(...Object.values(found), ...duplicates.map(({ manifestExternalIds }) => manifestExternalIds));
  return {
    duplicatedTracks: duplicates.map(({ trackIdentifier, manifestExternalIds }) => ({
      trackIdentifier,
      manifestExternalIds: itemsOf(manifestExternalIds),
    })),
    nonExistingTracks: itemsOf(found.nonExistingTracks),
    deactivatedTracks: itemsOf(found.deactivatedTracks),
    ...(truncated ? { truncated: true as const } : {}),
  };
}

/** Whether all of a manifest was checked without finding a problem. */
export const isSound = (shown: ReturnType<typeof presentValidation>): boolean =>
  Object.values(shown).every((kind) => Array.isArray(kind) && kind.length === 0);

/** A manifest as the API shows it. */
export function presentManifest(links: string, stored: StoredManifest) {
  const { publicToken, deletedDate, counts, validation, ...manifest } = stored;
  const found = validation && presentValidation(validation);
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
    validationErrors: found && !isSound(found) ? found : null,
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
 * The condition for the manifest that an identifier in a path means: external id first, then uuid; never a deleted one.
 * These are two look-ups by unique index, since with OR SQLite would walk all manifests of the organization.
 */
const identified = (database: Scope, identifier: string): SQL => sql`
  WHERE manifest.uuid = coalesce((SELECT named.uuid FROM manifest named
      WHERE named.organization_uuid = ${database.organization} AND named.external_identifier = ${identifier}
        AND named.deleted_date IS NULL), ${identifier.toLowerCase()})
    AND manifest.organization_uuid = ${database.organization} AND manifest.deleted_date IS NULL`;

/** The uuid of the manifest that an identifier means: external id first, then uuid; never a deleted one. */
export const manifestUuidOf = (
  database: Scope,
  identifier: string,
): SQL => sql`(SELECT manifest.uuid FROM manifest
  ${identified(database, identifier)})`;

/** The JSON of one manifest; for a batch. */
export const manifestQuery = (
  database: Scope,
  identifier: string,
): SQL<ViewRow<ReturnType<typeof manifestView>>> =>
  sql`SELECT ${manifestView(WHOLE_LOOK)} AS view FROM manifest ${identified(database, identifier)}`;

/** What commands need to know of a manifest: a row of `ManifestState`. */
export const stateColumns = rendered(sql`manifest.uuid, manifest.external_identifier AS "externalIdentifier",
  manifest.manifest_status AS "manifestStatus", manifest.gate_uuid AS "gateUuid",
  ${gateExternalIdOf(sql`manifest.organization_uuid`, sql`manifest.gate_uuid`)} AS "gateExternalId",
  manifest.assets_count AS "assetsCount",
  (SELECT s.shipment_uuid FROM shipment_manifest s WHERE s.organization_uuid = manifest.organization_uuid
    AND s.manifest_uuid = manifest.uuid) AS "shipmentUuid"`);

/** What commands need to know of a manifest; for a batch. */
export const manifestStateQuery = (
  database: Scope,
  identifier: string,
): SQL<ManifestState> => sql`SELECT ${stateColumns}
  FROM manifest ${identified(database, identifier)}`;

/** The same of manifests by their uuids; for a batch. */
export const manifestStatesQuery = (
  { organization }: Scope,
  uuids: readonly string[],
): SQL<ManifestState> => sql`SELECT ${stateColumns} FROM manifest
  WHERE manifest.uuid ${inList(uuids)} AND +manifest.organization_uuid = ${organization}
    AND manifest.deleted_date IS NULL`;

/** A row of `manifestStateQuery`. */
export interface ManifestState extends AssignedGate {
  uuid: string;
  externalIdentifier: string;
  manifestStatus: ManifestStatus;
  assetsCount: number;
  /** The shipment it is attached to. */
  shipmentUuid: string | null;
}

/** The answer with a manifest as it is after all writes of the commit. */
export const manifestAnswer = viewOf(manifestView(BRIEF_LOOK), manifest);

/** The WMS ids of a manifest's assets, in their order; for a batch. */
export const assetIdsQuery = (
  database: Scope,
  manifestUuid: SQL,
): SQL<{ wmsId: string }> => sql`SELECT wms_id AS "wmsId"
  FROM asset_loading WHERE organization_uuid = ${database.organization} AND manifest_uuid = ${manifestUuid}
    AND ${IS_ASSET} ORDER BY create_date, uuid`;

/** Whether a manifest holds an asset. */
export const assetQuery = (database: Scope, manifestUuid: SQL, wmsId: string): SQL => sql`SELECT 1
  FROM asset_loading WHERE organization_uuid = ${database.organization} AND manifest_uuid = ${manifestUuid}
    AND wms_id = ${wmsId} AND ${IS_ASSET}`;

/** Whether an external id is taken, also by an archived manifest; for a batch. */
export const takenQuery = (database: Scope, externalIdentifier: string): SQL => sql`SELECT 1 FROM manifest
  WHERE organization_uuid = ${database.organization} AND external_identifier = ${externalIdentifier}
    AND deleted_date IS NULL
  UNION ALL SELECT 1 FROM archive_entry WHERE organization_uuid = ${database.organization}
    AND external_identifier = ${externalIdentifier} AND entity_type = 'MANIFEST' AND deleted_date IS NULL`;

/** Update the date of the shipments that manifests are attached to. */
export const touchShipmentsOf = (
  { organization }: Scope,
  manifestUuids: readonly string[],
  now: number,
): Write =>
  sql`UPDATE shipment SET update_date = ${now} WHERE organization_uuid = ${organization}
    AND uuid IN (SELECT shipment_uuid FROM shipment_manifest
      WHERE organization_uuid = ${organization} AND manifest_uuid ${inRows(JSON.stringify(manifestUuids))})`;

/** How events describe manifests. */
export const manifestEntity: EntityKind = {
  type: 'MANIFEST',
  data: (uuid) => sql`(SELECT ${manifestView(BRIEF_LOOK)} FROM manifest WHERE manifest.uuid = ${uuid})`,
};
