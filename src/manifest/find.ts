import { sql } from 'drizzle-orm';
import type { RowsOf } from '../lib/asks.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import type { Scope } from '../lib/scope.ts';
import { isRefusal } from '../writer/command.ts';
import { staleMatch } from '../writer/if-match.ts';
import { dueWithManifests } from './asset-store.ts';
import { isOpen } from './rules.ts';
import { type ManifestState, manifestQuery, manifestStateQuery, manifestUuidOf } from './store.ts';

/** What a command asks of the manifest that its path names; with `If-Match`, also what was shown of it. */
export const askManifest = (scope: Scope, identifier: string, ifMatch: string | null = null) => ({
  states: manifestStateQuery(scope, identifier),
  views: ifMatch === null ? undefined : manifestQuery(scope, identifier),
});

/** The tracks that are to be retired when a manifest closes or goes. */
export const askDue = (scope: Scope, identifier: string) =>
  dueWithManifests(scope, sql`IN (${manifestUuidOf(scope, identifier)})`);

/** The manifest that was asked for, or why nothing can be done with it. */
export function foundManifest(
  { states: [state], views: [shown] }: RowsOf<ReturnType<typeof askManifest>>,
  ifMatch: string | null = null,
): ManifestState | Refusal {
  if (!state) return refusal('manifestNotFound', 'There is no such manifest.');
  const stale = shown && staleMatch(ifMatch, shown.view, 'manifest');
  if (stale) return stale;
  return state;
}

/** The same for one whose assets and fields may still change. */
export function openManifest(...args: Parameters<typeof foundManifest>): ManifestState | Refusal {
  const found = foundManifest(...args);
  return isRefusal(found) || isOpen(found.manifestStatus) ? found : manifestClosed(found);
}

/** Refuse what a closed manifest does not take. */
export const manifestClosed = ({ manifestStatus }: ManifestState): Refusal =>
  refusal('manifestClosed', `The manifest is ${manifestStatus}.`);

/** Why a manifest is given no gate by itself. */
export const gateRefused = (state: ManifestState): Refusal | undefined => {
  if (state.shipmentUuid !== null) return belongsToShipment();
  return isOpen(state.manifestStatus) ? undefined : manifestClosed(state);
};

/** Refuse what a manifest of a shipment does only with it. */
export const belongsToShipment = (): Refusal =>
  refusal('manifestBelongsToShipment', 'The manifest is attached to a shipment: detach it first.');
