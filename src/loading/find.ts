import type { SQL } from 'drizzle-orm';
import { type Refusal, refusal } from '../lib/problem.ts';
import { isOpen } from '../manifest/rules.ts';
import {
  type ManifestState,
  answerOf as manifestAnswer,
  manifestStateQuery,
  manifestUuidOf,
} from '../manifest/store.ts';
import { answerOf as shipmentAnswer } from '../shipment/changes.ts';
import { isOpen as isShipmentOpen } from '../shipment/rules.ts';
import { type ShipmentState, shipmentStateQuery, shipmentUuidOf } from '../shipment/store.ts';
import type { AssignedGate } from '../site/rules.ts';
import { type FoundGate, gateQuery } from '../site/store.ts';
import type { Context, PureContext } from '../writer/command.ts';
import { type Target, type TargetRecord, targetsQuery } from './target-store.ts';

/** Whose records are meant: a shipment's, or those of a manifest that is dispatched by itself. */
export type Holder = { shipmentIdentifier: string } | { manifestIdentifier: string };

/** A holder as commands need it. */
export interface FoundHolder extends AssignedGate {
  /** For timelines; null for a manifest by itself. */
  shipmentExternalId: string | null;
  isOpen: boolean;
  /** Why its records are to be corrected elsewhere; undefined where it is here. */
  elsewhere: Refusal | undefined;
  /** Why nothing can be marked in it; undefined where it can. */
  closed: Refusal | undefined;
  /** The holder as it is once all is written. */
  answer: SQL;
}

/** Find a holder, the records that a target means in it, and a gate: one round trip. */
export async function find(
  context: Context,
  holder: Holder,
  target: Target,
  gateIdentifier: string | null,
): Promise<Refusal | { state: FoundHolder; records: TargetRecord[]; gate: FoundGate | undefined }> {
  const { database } = context;
  const [states, records, gates] = await database.batch<
    [(ManifestState | ShipmentState)[], TargetRecord[], FoundGate[]]
  >([
    'manifestIdentifier' in holder
      ? manifestStateQuery(database, holder.manifestIdentifier)
      : shipmentStateQuery(database, holder.shipmentIdentifier),
    targetsQuery(
      database,
      target,
      'manifestIdentifier' in holder
        ? { manifestUuid: manifestUuidOf(database, holder.manifestIdentifier) }
        : { shipmentUuid: shipmentUuidOf(database, holder.shipmentIdentifier) },
    ),
    gateQuery(database, gateIdentifier ?? ''),
  ]);
  const state = 'manifestIdentifier' in holder ? asManifest(context, states) : asShipment(context, states);
  return 'code' in state ? state : { state, records, gate: gates[0] };
}

function asShipment(context: PureContext, states: unknown[]): Refusal | FoundHolder {
  const [state] = states as ShipmentState[];
  if (!state) return refusal('shipmentNotFound', 'There is no such shipment.');
  return {
    gateUuid: state.gateUuid,
    gateExternalId: state.gateExternalId,
    shipmentExternalId: state.externalIdentifier,
    isOpen: isShipmentOpen(state.status),
    elsewhere: undefined,
    closed:
      state.status === 'CANCELLED' ? refusal('shipmentClosed', 'The shipment is CANCELLED.') : undefined,
    answer: shipmentAnswer(context, state.uuid),
  };
}

function asManifest({ scope: database }: PureContext, states: unknown[]): Refusal | FoundHolder {
  const [state] = states as ManifestState[];
  if (!state) return refusal('manifestNotFound', 'There is no such manifest.');
  return {
    gateUuid: state.gateUuid,
    gateExternalId: state.gateExternalId,
    shipmentExternalId: null,
    isOpen: isOpen(state.manifestStatus),
    elsewhere:
      state.shipmentUuid === null
        ? undefined
        : refusal('manifestBelongsToShipment', 'The manifest is attached to a shipment: do it there.'),
    closed:
      state.manifestStatus === 'CANCELLED'
        ? refusal('manifestClosed', 'The manifest is CANCELLED.')
        : undefined,
    answer: manifestAnswer(database, state.uuid),
  };
}
