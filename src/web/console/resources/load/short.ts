import { type SQL, sql } from 'drizzle-orm';

/**
 * The status on pages. A load that was completed without some of its pallets has a status of its
 * own.
 */
export const shownStatus = (status: string, short: boolean): string =>
  status === 'COMPLETED' && short ? 'COMPLETED_SHORT' : status;

/**
 * SQL condition: a pallet of the manifest did not leave. A pallet that was offloaded at the
 * destination has left.
 */
const stayedOf = (manifest: SQL): SQL => sql`${manifest}.loaded_count < ${manifest}.assets_count
  AND EXISTS (SELECT 1 FROM asset_loading
    WHERE asset_loading.organization_uuid = ${manifest}.organization_uuid AND manifest_uuid = ${manifest}.uuid
      AND loading_status IN ('NOT_LOADED', 'UNLOADED'))`;

/**
 * SQL: a view of `manifest`, with a field that says whether it was completed without some pallets.
 */
export const withShortManifest = <T>(view: SQL<T>): SQL<WithShort<T>> =>
  sql<
    WithShort<T>
  >`json_set(${view}, '$.short', manifest.manifest_status = 'COMPLETED' AND ${stayedOf(sql`manifest`)})`;

type WithShort<T> = T & { short: 0 | 1 };
