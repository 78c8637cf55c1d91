import { type SQL, sql } from 'drizzle-orm';

/** Completed, and yet something stayed: that is another state for whoever looks. */
export const stateOf = (status: string, short: boolean): string =>
  status === 'COMPLETED' && short ? 'COMPLETED_SHORT' : status;

/** Whether a manifest lacks something that did not leave: what was offloaded at its destination did. */
const stayedOf = (manifest: SQL): SQL => sql`${manifest}.loaded_count < ${manifest}.assets_count
  AND EXISTS (SELECT 1 FROM asset_loading
    WHERE asset_loading.organization_uuid = ${manifest}.organization_uuid AND manifest_uuid = ${manifest}.uuid
      AND loading_status IN ('NOT_LOADED', 'UNLOADED'))`;

/** A view of `manifest` with whether it was completed and something stayed. */
export const withShortManifest = <T>(view: SQL<T>): SQL<WithShort<T>> =>
  sql<
    WithShort<T>
  >`json_set(${view}, '$.short', manifest.manifest_status = 'COMPLETED' AND ${stayedOf(sql`manifest`)})`;

type WithShort<T> = T & { short: 0 | 1 };
