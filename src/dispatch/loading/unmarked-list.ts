import { type SQL, sql } from 'drizzle-orm';
import { list, searchFilter } from '../../core/http/list.ts';
import { searchCondition } from '../../core/http/list-statements.ts';
import { IS_ASSET, recordView } from '../load/shared/asset-store.ts';
import { hasTrack, LISTED } from '../track/store.ts';

/** The maximum number of open manifests that are looked at. */
const OPEN_MANIFESTS_MAXIMUM = 5_000;

/** SQL: the uuids of the open manifests of an organization. */
export const openManifests = (organization: string): SQL => sql`SELECT uuid FROM manifest
  WHERE organization_uuid = ${organization} AND manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS')
    AND deleted_date IS NULL LIMIT ${OPEN_MANIFESTS_MAXIMUM}`;

/**
 * SQL condition: record `of` is an asset of an open manifest, and its pallet has no track. Of several manifests of the
 * pallet, the latest counts.
 */
export const isUnmarked = (of: SQL): SQL => sql`${of}.closed = 0 AND ${isLatest(of, sql`o.closed = 0`)}`;

/**
 * SQL condition: record `of` is an asset of a manifest that is open or completed, and its pallet has no track. Of several
 * manifests of the pallet, the latest open one counts, or else the latest one.
 */
export const isUntracked = (of: SQL): SQL =>
  isLatest(
    of,
    sql`(o.closed = 0 OR (o.closed = 1 AND EXISTS (SELECT 1 FROM manifest c WHERE c.uuid = o.manifest_uuid
      AND c.manifest_status = 'COMPLETED' AND c.deleted_date IS NULL)))`,
  );

const isLatest = (of: SQL, counts: SQL): SQL => sql`${of}.${IS_ASSET}
  AND NOT ${hasTrack(sql`${of}.organization_uuid`, sql`${of}.wms_id`)}
  AND ${of}.uuid = (SELECT o.uuid FROM asset_loading o WHERE o.organization_uuid = ${of}.organization_uuid
    AND o.wms_id = ${of}.wms_id AND o.closed IN (0, 1) AND ${counts} AND o.${IS_ASSET}
    ORDER BY o.closed, o.create_date DESC, o.uuid DESC LIMIT 1)`;

/** The pallets that open manifests expect and that have no marker yet. `q` searches the WMS id. */
export const unmarkedList = list({
  table: 'a',
  from: sql`asset_loading a JOIN manifest ON manifest.uuid = a.manifest_uuid`,
  view: recordView(LISTED),
  sorting: {
    columns: { createDate: { expression: sql`a.create_date`, stable: true } },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: { q: searchFilter },
  rows: ({ organization }, { q }) => ({
    conditions: [
      sql`a.organization_uuid = ${organization}`,
      sql`a.manifest_uuid IN (${openManifests(organization)})`,
      isUnmarked(sql`a`),
      searchCondition([sql`lower(a.wms_id)`], q),
    ],
    // Few manifests are open. An organization has many more records.
    narrow: true,
  }),
});
