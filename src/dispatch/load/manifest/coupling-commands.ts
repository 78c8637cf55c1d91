import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../../core/lib/scope.ts';
import { inList } from '../../../core/lib/sql.ts';
import { command, isRefusal, mergeChanges, unchanged } from '../../../core/writer/command.ts';
import type { OrganizationSettings } from '../../../core/writer/settings.ts';
import { reserveMarkers } from '../../marker/commands.ts';
import type { Block } from '../../marker/rules.ts';
import { couplingsChange } from '../../track/coupling-commands.ts';
import { hasTrack } from '../../track/store.ts';
import { IS_ASSET } from '../shared/asset-store.ts';

/** The maximum number of markers that are given at once. As many labels can be printed at once. */
const GIVEN_MAXIMUM = 1_000;

export const givenAtOnce = ({
  markerAllocationMaximum,
}: Pick<OrganizationSettings, 'markerAllocationMaximum'>): number =>
  Math.min(GIVEN_MAXIMUM, markerAllocationMaximum);

/** The pallets of open manifests, by the uuid of the manifest, of the shipment or of a loading record. */
export interface PalletsOf {
  of: 'manifest' | 'shipment' | 'record';
  uuids: readonly string[];
}

/** SQL: the `IN` condition on the uuids of the manifests. */
const manifestsOf = ({ organization }: Scope, { of, uuids }: PalletsOf): SQL => {
  if (of === 'manifest') return inList(uuids);
  if (of === 'record')
    return sql`IN (SELECT r.manifest_uuid FROM asset_loading r WHERE r.uuid ${inList(uuids)})`;
  return sql`IN (SELECT s.manifest_uuid FROM shipment_manifest s
    WHERE s.organization_uuid = ${organization} AND s.shipment_uuid ${inList(uuids)})`;
};

/** SQL: the assets `a` of open manifests that have never had a track. */
const uncoupled = (scope: Scope, pallets: PalletsOf): SQL => sql`FROM manifest m
  CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid AND a.${IS_ASSET}
  WHERE +m.organization_uuid = ${scope.organization} AND m.deleted_date IS NULL
    AND m.manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS') AND m.uuid ${manifestsOf(scope, pallets)}
    AND ${pallets.of === 'record' ? sql`a.uuid ${inList(pallets.uuids)}` : sql`TRUE`}
    AND NOT ${hasTrack(sql`${scope.organization}`, sql`a.wms_id`)}`;

/** Counts the pallets that have no marker yet. */
export const uncoupledCountQuery = (scope: Scope, of: PalletsOf): SQL<{ count: number }> =>
  sql`SELECT count(DISTINCT a.wms_id) AS count ${uncoupled(scope, of)}`;

/** The markers that were given. */
export interface Given {
  /** The codes; null if no pallet needed one. */
  block: Block | null;
  count: number;
  /** Whether other pallets still have no marker, because they were too many. */
  more: boolean;
}

/**
 * Allocate markers for the pallets of open manifests that have none, and couple them, in one commit. Pallets that have a
 * marker already are left as they are.
 */
export const coupleAssets = command('coupleAssets', {
  exclusive: true,
  ask: ({ scope }, input: PalletsOf) => ({
    pallets: sql<{ wmsId: string }>`SELECT a.wms_id AS "wmsId" ${uncoupled(scope, input)}
      GROUP BY a.wms_id ORDER BY min(a.create_date), min(a.uuid) LIMIT ${GIVEN_MAXIMUM + 1}`,
  }),
  decide(context, _, { pallets }) {
    const most = givenAtOnce(context.organization!);
    const wmsIds = pallets.slice(0, most).map(({ wmsId }) => wmsId);
    if (wmsIds.length === 0) return unchanged<Given>({ value: { block: null, count: 0, more: false } });
    const reserved = reserveMarkers(context, wmsIds.length);
    if (isRefusal(reserved)) return reserved;
    const { block, uuid: allocation, change } = reserved;
    const { tracks, ...coupled } = couplingsChange(
      context,
      wmsIds.map((wmsId, at) => ({ wmsId, markerCode: block.firstMarkerCode + at })),
      { client: undefined, fields: [], allocation },
    );
    const given: Given = { block, count: tracks.length, more: pallets.length > most };
    return mergeChanges({ value: given }, [change, coupled]);
  },
});
