import type { SQL } from 'drizzle-orm';
import type { StoredField } from '../custom-field/rules.ts';
import { entityTag, tagListed } from '../lib/hash.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import type { ManifestState } from '../manifest/store.ts';
import type { Context } from '../writer/command.ts';
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
  members: ManifestState[];
  fields: StoredField[];
  /** Rows of the statements that were to be read beside it. */
  beside: unknown[][];
}

/** Find a shipment with its manifests and fields, and whatever else a command asks for, in one round trip. */
export async function find(
  { database }: Context,
  identifier: string,
  { ifMatch = null, beside = [] }: { ifMatch?: string | null; beside?: SQL[] } = {},
): Promise<FoundShipment | Refusal> {
  const [states, members, fields, views, ...others] = await database.batch<unknown[][]>([
    shipmentStateQuery(database, identifier),
    membersQuery(database, identifier),
    shipmentFieldsQuery(database, identifier),
    shipmentQuery(database, ifMatch === null ? '' : identifier),
    ...beside,
  ]);
  const state = states![0] as ShipmentState | undefined;
  if (!state) return refusal('shipmentNotFound', 'There is no such shipment.');
  if (ifMatch !== null && !tagListed(ifMatch, entityTag((views![0] as { view: string }).view))) {
    return refusal('preconditionFailed', 'The shipment has changed since it was read.');
  }
  return { state, members: members as ManifestState[], fields: fields as StoredField[], beside: others };
}

/** The same for a shipment that is neither completed nor cancelled. */
export async function findOpen(...args: Parameters<typeof find>): ReturnType<typeof find> {
  const found = await find(...args);
  return 'code' in found ? found : (closed(found.state) ?? found);
}

/** Refuse what a closed shipment does not take. */
export const closed = ({ status }: ShipmentState): Refusal | undefined =>
  isOpen(status) ? undefined : refusal('shipmentClosed', `The shipment is ${status}.`);

/** Whether a manifest no longer goes where its shipment goes. */
export const isCancelled = ({ manifestStatus }: ManifestState): boolean => manifestStatus === 'CANCELLED';
