import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../../../core/lib/asks.ts';
import { missing, named } from '../../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../../core/lib/problem.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { isRefusal, staleMatch } from '../../../core/writer/command.ts';
import { openAboutDeparture, openAlertsQuery } from '../../alert/store.ts';
import type { ManifestState } from '../manifest/store.ts';
import { comingIds, comingQuery, type PlacedRow, placedQuery, whereQuery } from '../shared/place-store.ts';
import { isLoadOpen } from '../shared/status-rules.ts';
import {
  membersQuery,
  movedWith,
  type ShipmentState,
  shipmentFieldsQuery,
  shipmentQuery,
  shipmentStateQuery,
  shipmentUuidOf,
} from './store.ts';

/** A shipment as commands find it. */
export interface FoundShipment {
  state: ShipmentState;
  members: readonly ManifestState[];
}

/** Read the shipment in the path. With `If-Match`, also read its view. */
export const askShipment = (scope: Scope, identifier: string, ifMatch: string | null = null) => ({
  states: shipmentStateQuery(scope, identifier),
  members: membersQuery(scope, identifier),
  views: ifMatch === null ? undefined : shipmentQuery(scope, identifier),
});

/** Read the shipment and its custom fields, as `fields`. Also read the open alerts about its departure. */
export const askWithFields = (scope: Scope, identifier: string, ifMatch: string | null = null) => ({
  ...askShipment(scope, identifier, ifMatch),
  fields: shipmentFieldsQuery(scope, identifier),
  alerts: departureAlertsQuery(scope, identifier),
});

/** Read the loading records of a shipment that are not NOT_LOADED, for commands that take manifests from it. */
export const askPlaced = (scope: Scope, identifier: string): SQL<PlacedRow> =>
  placedQuery(scope, movedWith(scope, identifier));

/** Read the records of manifests that come to a shipment in progress, and where their pallets are. */
export function askComing(scope: Scope, identifier: string, manifests: SQL) {
  const comes = sql`EXISTS (SELECT 1 FROM shipment WHERE shipment.uuid = ${shipmentUuidOf(scope, identifier)}
    AND shipment.status = 'IN_PROGRESS')`;
  return {
    coming: comingQuery(scope, manifests, comes),
    where: whereQuery(scope, comingIds(scope, manifests, comes)),
  };
}

/** The open alerts about the departure of a shipment. */
export const departureAlertsQuery = (scope: Scope, identifier: string): SQL<{ uuid: string }> =>
  openAlertsQuery(scope, openAboutDeparture(shipmentUuidOf(scope, identifier)));

/** The shipment from these rows, or a refusal. */
export function foundShipment(
  { states: [state], members, views: [shown] }: RowsOf<ReturnType<typeof askShipment>>,
  { identifier, ifMatch = null }: { identifier: string; ifMatch?: string | null },
): FoundShipment | Refusal {
  if (!state) return missing('shipmentNotFound', identifier);
  const stale = shown && staleMatch(ifMatch, shown.view, named('Shipment', state.externalIdentifier));
  if (stale) return stale;
  return { state, members };
}

/** Like `foundShipment`, but a closed shipment is refused. */
export function openShipment(...args: Parameters<typeof foundShipment>): FoundShipment | Refusal {
  const found = foundShipment(...args);
  return isRefusal(found) ? found : (closed(found.state) ?? found);
}

/** The refusal if the shipment is closed. */
export const closed = ({ externalIdentifier, status }: ShipmentState): Refusal | undefined =>
  isLoadOpen(status)
    ? undefined
    : refusal('shipmentClosed', `${named('Shipment', externalIdentifier)} is ${status}.`, {
        facts: { name: externalIdentifier, status },
      });

/** Whether a manifest is cancelled. It then no longer follows its shipment. */
export const isCancelled = ({ manifestStatus }: ManifestState): boolean => manifestStatus === 'CANCELLED';
