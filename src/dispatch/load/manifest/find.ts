import { sql } from 'drizzle-orm';
import type { RowsOf } from '../../../core/lib/asks.ts';
import { missing, named } from '../../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../../core/lib/problem.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { isRefusal, staleMatch } from '../../../core/writer/command.ts';
import { dueWithManifests } from '../shared/asset-store.ts';
import { isLoadOpen } from '../shared/status-rules.ts';
import {
  type LocatedManifest,
  type ManifestState,
  manifestQuery,
  manifestStateQuery,
  manifestUuidOf,
} from './store.ts';

/** Read the manifest in the path. With `If-Match`, also read its view. */
export const askManifest = (scope: Scope, identifier: string, ifMatch: string | null = null) => ({
  states: manifestStateQuery(scope, identifier),
  views: ifMatch === null ? undefined : manifestQuery(scope, identifier),
});

/** The tracks that may have to be retired when this manifest is closed or deleted. */
export const askDue = (scope: Scope, identifier: string) =>
  dueWithManifests(scope, sql`IN (${manifestUuidOf(scope, identifier)})`);

/** The manifest from these rows, or a refusal. */
export function foundManifest(
  { states: [state], views: [shown] }: RowsOf<ReturnType<typeof askManifest>>,
  { identifier, ifMatch = null }: { identifier: string; ifMatch?: string | null },
): LocatedManifest | Refusal {
  if (!state) return missing('manifestNotFound', identifier);
  const stale = shown && staleMatch(ifMatch, shown.view, named('Manifest', state.externalIdentifier));
  if (stale) return stale;
  return state;
}

/** Like `foundManifest`, but a closed manifest is refused. */
export function openManifest(...args: Parameters<typeof foundManifest>): LocatedManifest | Refusal {
  const found = foundManifest(...args);
  return isRefusal(found) || isLoadOpen(found.manifestStatus) ? found : manifestClosed(found);
}

/** The refusal to change a closed manifest. */
export const manifestClosed = ({
  externalIdentifier,
  manifestStatus,
}: Pick<ManifestState, 'externalIdentifier' | 'manifestStatus'>): Refusal =>
  refusal('manifestClosed', `${named('Manifest', externalIdentifier)} is ${manifestStatus}.`, {
    facts: { name: externalIdentifier, status: manifestStatus },
  });

/** The refusal to assign a gate to this manifest, if any. */
export const gateRefused = (state: LocatedManifest): Refusal | undefined => {
  if (state.shipmentUuid !== null) return belongsToShipment(state);
  return isLoadOpen(state.manifestStatus) ? undefined : manifestClosed(state);
};

/** The refusal of a change that a manifest in a shipment does not allow. `advice` is a sentence about what to do. */
export const belongsToShipment = (
  { externalIdentifier, shipmentExternalId }: LocatedManifest,
  advice = 'Make this change in the shipment, or detach the manifest while the shipment is open.',
): Refusal =>
  refusal(
    'manifestBelongsToShipment',
    `${named('Manifest', externalIdentifier)} is attached to ${named('shipment', shipmentExternalId!)}. ${advice}`,
    { facts: { name: externalIdentifier, other: shipmentExternalId! } },
  );
