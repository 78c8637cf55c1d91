import { type SQL, sql } from 'drizzle-orm';
import { type Bounded, bounded, type Extent, isTruncated, itemsOf } from '../../../core/lib/bounded.ts';
import type { Json } from '../../../core/lib/json.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { isoDate } from '../../../core/lib/time.ts';
import { linkedTrack } from '../../track/store.ts';
import { IS_ASSET } from '../shared/asset-store.ts';
import { ASSETS_MAXIMUM } from './rules.ts';

/** Manifests whose assets may still change. */
const IS_OPEN = sql`manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS')`;

/** How many assets of a manifest are checked, and how many problems of each kind are shown. */
export interface Look extends Extent {
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
/**
 * The completed loads with which the pallet left, the latest first. A pallet that was offloaded has arrived and can travel
 * again. A record of an earlier track with the same WMS id belongs to another pallet.
 */
const departures = sql`FROM asset_loading b CROSS JOIN manifest m ON m.uuid = b.manifest_uuid
  WHERE b.organization_uuid = a.organization_uuid AND b.wms_id = a.wms_id AND b.closed = 1
    AND +b.loading_status = 'LOADED' AND m.manifest_status = 'COMPLETED' AND m.deleted_date IS NULL
    AND (b.track_uuid IS NULL OR b.track_uuid IS ${linkedTrack(sql`a.organization_uuid`, sql`a.wms_id`)})`;
/** SQL: JSON of the load with which the pallet with the `wms_id` and `organization_uuid` of `a` left last. Null if it has not left. */
export const lastLoad = sql<Json<LeftLoad> | null>`(SELECT json_object('externalIdentifier', coalesce((SELECT shipment.external_identifier
      FROM shipment_manifest s CROSS JOIN shipment ON shipment.uuid = s.shipment_uuid
      WHERE s.organization_uuid = b.organization_uuid AND s.manifest_uuid = m.uuid), m.external_identifier),
    'closeDate', m.close_date) ${departures} ORDER BY m.close_date DESC, m.uuid DESC LIMIT 1)`;
const otherNames = sql<{
  item: Json<string>;
}>`SELECT json_quote(name) AS item FROM (SELECT m.external_identifier AS name ${elsewhere}
  LIMIT ${sql.raw(String(NAMED.items + 1))}) ORDER BY name`;

/** A pallet that has left with a load, or that an open manifest expects. */
export interface PlacedPallet {
  wmsId: string;
  /** The load with which it has left. */
  load: Json<LeftLoad> | null;
  /** An open manifest that expects it. */
  manifest: string | null;
}

/**
 * The pallets among these WMS ids that have left with a load, or that an open manifest expects. The manifest with the
 * external id `own` does not count.
 */
export const placedPalletsQuery = (
  { organization }: Scope,
  wmsIds: readonly string[],
  own: string,
): SQL<PlacedPallet> =>
  sql<PlacedPallet>`SELECT * FROM (SELECT wms_id AS "wmsId", ${lastLoad} AS load,
      (SELECT m.external_identifier ${elsewhere} LIMIT 1) AS manifest
    FROM (SELECT ${organization} AS organization_uuid, value AS wms_id, coalesce((SELECT uuid FROM manifest
        WHERE organization_uuid = ${organization} AND external_identifier = ${own} AND deleted_date IS NULL), '')
        AS manifest_uuid
      FROM json_each(${JSON.stringify(wmsIds)})) a)
  WHERE load IS NOT NULL OR manifest IS NOT NULL`;

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
    'leftWith', ${kind(sql`EXISTS (SELECT 1 ${departures})`, sql`, 'load', json(${lastLoad})`)},
    'unseen', manifest.assets_count > ${sql.raw(String(look.assets))}) END`;
};

/** The load with which a pallet has left, and when (epoch milliseconds). */
interface LeftLoad {
  externalIdentifier: string;
  closeDate: number;
}

/** The value of `validationView`; null for a closed manifest. */
export interface ManifestValidation {
  duplicatedTracks: Bounded<{ trackIdentifier: string; manifestExternalIds: Bounded<string> }>;
  nonExistingTracks: Bounded<{ trackIdentifier: string }>;
  deactivatedTracks: Bounded<{ trackIdentifier: string }>;
  leftWith: Bounded<{ trackIdentifier: string; load: LeftLoad }>;
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
    leftWith: itemsOf(found.leftWith).map(({ trackIdentifier, load }) => ({
      trackIdentifier,
      externalIdentifier: load.externalIdentifier,
      closeDate: isoDate(load.closeDate),
    })),
    ...(truncated ? { truncated: true as const } : {}),
  };
}

/** Whether every asset was checked and no problem was found. */
export const isSound = (shown: ReturnType<typeof presentValidation>): boolean =>
  Object.values(shown).every((kind) => Array.isArray(kind) && kind.length === 0);
