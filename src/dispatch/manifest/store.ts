import { type SQL, sql } from 'drizzle-orm';
import { BASE_PATH } from '../../core/http/endpoint.ts';
import { deepLink } from '../../core/http/link.ts';
import { type Bounded, bounded, type Extent, isTruncated, itemsOf } from '../../core/lib/bounded.ts';
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

/** How many assets of a manifest are checked, and how many problems of each kind are shown. */
interface Look extends Extent {
  assets: number;
}

/** For the GET of one manifest and for `validate`: every asset. */
export const WHOLE_LOOK: Look = { items: 100, bytes: 400_000, assets: ASSETS_MAXIMUM };
/** For lists, events and answers of writes. They show many manifests, or are stored often. */
export const BRIEF_LOOK: Look = { items: 10, bytes: 20_000, assets: 200 };
/** The maximum number of other manifests that are listed for a duplicate. */
const NAMED: Extent = { items: 10, bytes: 20_000 };

/** The manifest's assets, as `a`, in the order of creation. */
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

/** JSON of the problems of an open manifest. The search stops when it has found enough. */
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
  /** 1 if some assets were not checked. */
  unseen?: 0 | 1;
}

/** The problems of a manifest as the API shows them. */
export function presentValidation({ unseen, ...found }: ManifestValidation) {
  const duplicates = itemsOf(found.duplicatedTracks);
  const truncated =
    unseen === 1 ||
    isTruncated(...Object.values(found), ...duplicates.map(({ manifestExternalIds }) => manifestExternalIds));
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

/** Whether every asset was checked and no problem was found. */
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

/**
 * The API path of a manifest, by external id or uuid. An external id such as `..` does not work in
 * a path.
 */
export function manifestPath(identifier: string): string {
  return `${BASE_PATH}/manifest/${encodeURIComponent(identifier)}`;
}

/**
 * The condition for the manifest with this identifier: external id first, then uuid. Deleted
 * manifests are left out. It uses two look-ups by unique index. With OR, SQLite would walk all
 * manifests of the organization.
 */
const identified = (database: Scope, identifier: string): SQL => sql`
  WHERE manifest.uuid = coalesce((SELECT named.uuid FROM manifest named
      WHERE named.organization_uuid = ${database.organization} AND named.external_identifier = ${identifier}
        AND named.deleted_date IS NULL), ${identifier.toLowerCase()})
    AND manifest.organization_uuid = ${database.organization} AND manifest.deleted_date IS NULL`;

/**
 * The uuid of the manifest with this identifier: external id first, then uuid. Deleted manifests
 * are left out.
 */
export const manifestUuidOf = (
  database: Scope,
  identifier: string,
): SQL => sql`(SELECT manifest.uuid FROM manifest
  ${identified(database, identifier)})`;

/** Read the JSON of one manifest. */
export const manifestQuery = (
  database: Scope,
  identifier: string,
): SQL<ViewRow<ReturnType<typeof manifestView>>> =>
  sql`SELECT ${manifestView(WHOLE_LOOK)} AS view FROM manifest ${identified(database, identifier)}`;

/** The columns of `ManifestState`. */
export const stateColumns = rendered(sql`manifest.uuid, manifest.external_identifier AS "externalIdentifier",
  manifest.manifest_status AS "manifestStatus", manifest.gate_uuid AS "gateUuid",
  ${gateExternalIdOf(sql`manifest.organization_uuid`, sql`manifest.gate_uuid`)} AS "gateExternalId",
  manifest.assets_count AS "assetsCount",
  (SELECT s.shipment_uuid FROM shipment_manifest s WHERE s.organization_uuid = manifest.organization_uuid
    AND s.manifest_uuid = manifest.uuid) AS "shipmentUuid"`);

/** Read the state of a manifest for a command. */
export const manifestStateQuery = (
  database: Scope,
  identifier: string,
): SQL<ManifestState> => sql`SELECT ${stateColumns}
  FROM manifest ${identified(database, identifier)}`;

/** Read the states of manifests by uuid, for a command. */
export const manifestStatesQuery = (
  { organization }: Scope,
  uuids: readonly string[],
): SQL<ManifestState> => sql`SELECT ${stateColumns} FROM manifest
  WHERE manifest.uuid ${inList(uuids)} AND +manifest.organization_uuid = ${organization}
    AND manifest.deleted_date IS NULL`;

/** The state of a manifest that commands decide on. */
export interface ManifestState extends AssignedGate {
  uuid: string;
  externalIdentifier: string;
  manifestStatus: ManifestStatus;
  assetsCount: number;
  /** The shipment that it is attached to. */
  shipmentUuid: string | null;
}

/** The answer with the manifest after all writes of the commit. */
export const manifestAnswer = viewOf(manifestView(BRIEF_LOOK), manifest);

/** The WMS ids of a manifest's assets, in the order of creation. */
export const assetIdsQuery = (
  database: Scope,
  manifestUuid: SQL,
): SQL<{ wmsId: string }> => sql`SELECT wms_id AS "wmsId"
  FROM asset_loading WHERE organization_uuid = ${database.organization} AND manifest_uuid = ${manifestUuid}
    AND ${IS_ASSET} ORDER BY create_date, uuid`;

/** Returns a row if the manifest has this asset. */
export const assetQuery = (database: Scope, manifestUuid: SQL, wmsId: string): SQL => sql`SELECT 1
  FROM asset_loading WHERE organization_uuid = ${database.organization} AND manifest_uuid = ${manifestUuid} AND closed IN (0, 1)
    AND wms_id = ${wmsId} AND ${IS_ASSET}`;

/** Returns a row if a manifest, also an archived one, has this external id. */
export const takenQuery = (database: Scope, externalIdentifier: string): SQL => sql`SELECT 1 FROM manifest
  WHERE organization_uuid = ${database.organization} AND external_identifier = ${externalIdentifier}
    AND deleted_date IS NULL
  UNION ALL SELECT 1 FROM archive_entry WHERE organization_uuid = ${database.organization}
    AND external_identifier = ${externalIdentifier} AND entity_type = 'MANIFEST' AND deleted_date IS NULL`;

/** Set a new update date for the shipments of these manifests. */
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
