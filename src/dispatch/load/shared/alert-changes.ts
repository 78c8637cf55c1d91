import { type SQL, sql } from 'drizzle-orm';
import { newUuid } from '../../../core/lib/id.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { type ChangePart, type Context, mergeChanges } from '../../../core/writer/command.ts';
import { coveredPalletsChange, type PalletOrMarker, raisedAlertsChange } from '../../alert/changes.ts';
import { NAMED_MAXIMUM } from '../../alert/rules.ts';
import { type AssignedGate, assignedGateOf } from '../../gate/rules.ts';
import { IS_ASSET } from './asset-store.ts';

/** A load that is no longer in progress, and the gate where it was: a shipment, or a manifest that is in no shipment. */
export interface LeftLoad extends AssignedGate {
  kind: 'Shipment' | 'Manifest';
  uuid: string;
  externalIdentifier: string;
}

/**
 * Raise one alert about the pallets that are still aboard a load. It is resolved when each of them was read again
 * (`readAgainChange`). A pallet that is given several times counts once. Without pallets nothing is raised.
 */
export function palletsAboardChange(
  context: Context,
  load: LeftLoad,
  pallets: readonly PalletOrMarker[],
): ChangePart {
  const aboard = [...new Map(pallets.map((one) => [one.wmsId ?? one.markerCode, one])).values()];
  if (aboard.length === 0) return { writes: [], audit: [] };
  const { kind, externalIdentifier } = load;
  const uuid = newUuid();
  const wmsIds = aboard.flatMap(({ wmsId }) => wmsId ?? []).slice(0, NAMED_MAXIMUM);
  const raised = raisedAlertsChange(context, [
    {
      uuid,
      alertType: 'PALLETS_ABOARD',
      params: { count: aboard.length, wmsIds },
      gate: assignedGateOf(load),
      manifestExternalId: kind === 'Manifest' ? externalIdentifier : null,
      shipmentExternalId: kind === 'Shipment' ? externalIdentifier : null,
      recordUuid: load.uuid,
    },
  ]);
  const pieces = aboard.map((one) => ({ ...one, alertUuid: uuid }));
  return mergeChanges({ value: null }, [raised, coveredPalletsChange(context, pieces)]);
}

/** Pallets that are not on the truck. A pallet that was offloaded at its destination was on it. */
const isMissing = sql`a.loading_status IN ('NOT_LOADED', 'UNLOADED')`;

/** How many pallets of a manifest are missing. */
interface ShortManifest {
  externalIdentifier: string;
  missing: number;
  total: number;
}

/** The manifests that an `IN` condition selects, with their numbers of pallets. */
export const shortManifestsQuery = ({ organization }: Scope, manifests: SQL): SQL<ShortManifest> => sql`SELECT
    m.external_identifier AS "externalIdentifier", count(*) FILTER (WHERE ${isMissing}) AS missing, count(*) AS total
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.organization_uuid = ${organization} AND a.manifest_uuid ${manifests} AND ${IS_ASSET}
  GROUP BY m.uuid ORDER BY m.external_identifier`;

/** A load that is completed: a shipment, or a manifest that is in no shipment. */
interface CompletedLoad extends AssignedGate {
  kind: 'Shipment' | 'Manifest';
  uuid: string;
  externalIdentifier: string;
}

/** Raise an alert if a load is completed without all of its pallets. */
export function completedShortChange(
  context: Context,
  load: CompletedLoad,
  manifests: readonly ShortManifest[],
): ChangePart {
  const { kind, uuid, externalIdentifier } = load;
  const short = manifests.filter(({ missing }) => missing > 0);
  const [missing, total] = [sumOf(short, 'missing'), sumOf(manifests, 'total')];
  if (missing === 0) return { writes: [], audit: [] };
  return raisedAlertsChange(context, [
    {
      alertType: 'COMPLETED_SHORT',
      params: { missing, total },
      gate: assignedGateOf(load),
      manifestExternalId: short.length === 1 ? short[0]!.externalIdentifier : null,
      shipmentExternalId: kind === 'Shipment' ? externalIdentifier : null,
      recordUuid: uuid,
    },
  ]);
}

const sumOf = (manifests: readonly ShortManifest[], field: 'missing' | 'total'): number =>
  manifests.reduce((sum, manifest) => sum + manifest[field], 0);

/**
 * The open alert that a load was completed without pallets, if no pallet is missing any more. Pallets in a back order are
 * not missing. `settled` is an SQL condition on a record `a` or its manifest `m`: this command corrects the record. `load`
 * is the uuid of the load.
 */
export const settledShortQuery = (
  { organization }: Scope,
  load: SQL,
  settled: SQL,
): SQL<{ uuid: string }> => sql`SELECT l.uuid FROM alert l
  WHERE l.organization_uuid = ${organization} AND l.record_uuid = ${load} AND +l.status = 'OPEN'
    AND +l.alert_type = 'COMPLETED_SHORT' AND NOT EXISTS (SELECT 1 FROM manifest m
      CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid
      WHERE m.uuid IN (SELECT l.record_uuid UNION ALL SELECT s.manifest_uuid FROM shipment_manifest s
          WHERE s.organization_uuid = ${organization} AND s.shipment_uuid = l.record_uuid)
        AND +m.manifest_status = 'COMPLETED' AND m.back_order_uuid IS NULL AND ${isMissing} AND NOT (${settled}))`;

/** SQL: the uuid of the load that a manifest belongs to. */
export const loadUuidOf = ({ organization }: Scope, manifestUuid: SQL): SQL => sql`coalesce(
  (SELECT s.shipment_uuid FROM shipment_manifest s WHERE s.organization_uuid = ${organization}
    AND s.manifest_uuid = ${manifestUuid}), ${manifestUuid})`;
