import type { RowsOf } from '../lib/asks.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import type { Scope } from '../lib/scope.ts';
import type { ManifestState } from '../manifest/store.ts';
import { isRefusal } from '../writer/command.ts';
import { staleMatch } from '../writer/if-match.ts';
import { isOpen } from './rules.ts';
import {
  membersQuery,
  type ShipmentState,
  shipmentFieldsQuery,
  shipmentQuery,
  shipmentStateQuery,
} from './store.ts';

/** What a command finds of a shipment. */
export interface FoundShipment {
  state: ShipmentState;
  members: readonly ManifestState[];
}

/** What a command asks of the shipment that its path names; with `If-Match`, also what was shown of it. */
export const askShipment = (scope: Scope, identifier: string, ifMatch: string | null = null) => ({
  states: shipmentStateQuery(scope, identifier),
  members: membersQuery(scope, identifier),
  views: ifMatch === null ? undefined : shipmentQuery(scope, identifier),
});

/** The same with its custom fields, as `fields`. */
export const askWithFields = (scope: Scope, identifier: string, ifMatch: string | null = null) => ({
  ...askShipment(scope, identifier, ifMatch),
  fields: shipmentFieldsQuery(scope, identifier),
});

/** The shipment that was asked for, or why nothing can be done with it. */
export function foundShipment(
  { states: [state], members, views: [shown] }: RowsOf<ReturnType<typeof askShipment>>,
  ifMatch: string | null = null,
): FoundShipment | Refusal {
  if (!state) return refusal('shipmentNotFound', 'There is no such shipment.');
  const stale = shown && staleMatch(ifMatch, shown.view, 'shipment');
  if (stale) return stale;
  return { state, members };
}

/** The same for one that is neither completed nor cancelled. */
export function openShipment(...args: Parameters<typeof foundShipment>): FoundShipment | Refusal {
  const found = foundShipment(...args);
  return isRefusal(found) ? found : (closed(found.state) ?? found);
}

/** Refuse what a closed shipment does not take. */
export const closed = ({ status }: ShipmentState): Refusal | undefined =>
  isOpen(status) ? undefined : refusal('shipmentClosed', `The shipment is ${status}.`);

/** Whether a manifest no longer goes where its shipment goes. */
export const isCancelled = ({ manifestStatus }: ManifestState): boolean => manifestStatus === 'CANCELLED';
