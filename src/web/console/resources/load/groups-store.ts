import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../../core/lib/database.ts';
import { parseViews, type ViewRow } from '../../../../core/lib/view.ts';
import { palletView, type ShownPallet } from './pallet-store.ts';

/**
 * The maximum number of manifests that the page of a shipment shows with their pallets, and of pallets of each
 * manifest.
 */
const GROUP_LIMITS = { groups: 12, pallets: 8 } as const;

/** The first pallets of a manifest, read for a group. */
interface Group {
  manifestUuid: string;
  pallets: ShownPallet[];
}

/** SQL: the first assets of `manifest` with one of these statuses, in index order. */
const assetsWith = (statuses: SQL): SQL => sql`SELECT * FROM (SELECT * FROM asset_loading
  WHERE asset_loading.organization_uuid = manifest.organization_uuid AND manifest_uuid = manifest.uuid
    AND loading_status IN ${statuses} LIMIT ${GROUP_LIMITS.pallets})`;

/**
 * The manifests of a shipment with their first pallets. Incomplete manifests come first, and in
 * each the pallets still to load. `manifests` is a condition on the manifest uuid.
 */
export const groupsQuery = (
  { organization }: Database,
  manifests: SQL,
): SQL<ViewRow<SQL<Group>>> => sql`SELECT
    json_object('manifestUuid', manifest.uuid, 'pallets', json((SELECT json_group_array(json(view)) FROM
      (SELECT ${palletView} AS view FROM (${assetsWith(sql`('NOT_LOADED', 'UNLOADED')`)}
        UNION ALL ${assetsWith(sql`('LOADED', 'OFFLOADED')`)} LIMIT ${GROUP_LIMITS.pallets}) a)))) AS view
  FROM (SELECT * FROM manifest WHERE uuid ${manifests} AND +organization_uuid = ${organization}
    ORDER BY manifest_status = 'CANCELLED', loaded_count >= assets_count, create_date, uuid
    LIMIT ${GROUP_LIMITS.groups}) manifest`;

/** The pallets that were read, by the uuid of their manifest, in the order of the page. */
export const groupsOf = (rows: readonly ViewRow<SQL<Group>>[]): Map<string, ShownPallet[]> =>
  new Map(parseViews(rows).map(({ manifestUuid, pallets }) => [manifestUuid, pallets]));
