import type { SQL } from 'drizzle-orm';
import type { RowsOf } from '../../core/lib/asks.ts';
import { missing } from '../../core/lib/missing.ts';
import type { Refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import type { Context } from '../../core/writer/command.ts';
import type { AssignedGate } from '../gate/rules.ts';
import { gateQuery } from '../gate/store.ts';
import { belongsToShipment, manifestClosed } from '../load/manifest/find.ts';
import {
  type AnsweredManifest,
  type LocatedManifest,
  manifestAnswer,
  manifestStateQuery,
  manifestUuidOf,
} from '../load/manifest/store.ts';
import { isLoadOpen } from '../load/shared/status-rules.ts';
import { shipmentAnswer } from '../load/shipment/changes.ts';
import { closed } from '../load/shipment/find.ts';
import {
  type ShipmentState,
  type StoredShipment,
  shipmentStateQuery,
  shipmentUuidOf,
} from '../load/shipment/store.ts';
import { type Target, type TargetRecord, targetsQuery } from './target-store.ts';

/** A load: a shipment, or a manifest that is in no shipment. */
export type LoadIdentifier = { shipmentIdentifier: string } | { manifestIdentifier: string };

/** A load as commands find it. */
export interface FoundLoad extends AssignedGate {
  /** The uuid of the shipment or manifest. */
  loadUuid: string;
  /** The shipment that timelines name; null for a manifest without shipment. */
  shipmentExternalId: string | null;
  isOpen: boolean;
  /** The refusal if the records belong to another load; undefined if they can be corrected here. */
  elsewhere: Refusal | undefined;
  /** The refusal if the load was cancelled, so that no record can be marked; otherwise undefined. */
  closed: Refusal | undefined;
  /** The answer: the load after all writes. */
  answer: SQL<AnsweredManifest | StoredShipment>;
}

/** Read the load, the records that the target selects in it, and the gate. */
export const askLoadRecords = (
  scope: Scope,
  load: LoadIdentifier,
  target: Target,
  gateIdentifier: string | null,
) => ({
  manifests: 'manifestIdentifier' in load ? manifestStateQuery(scope, load.manifestIdentifier) : undefined,
  shipments: 'shipmentIdentifier' in load ? shipmentStateQuery(scope, load.shipmentIdentifier) : undefined,
  records: recordsMeant(scope, load, target),
  gates: gateIdentifier === null ? undefined : gateQuery(scope, gateIdentifier),
});

/** The records that the target selects in a load. */
export const recordsMeant = (scope: Scope, load: LoadIdentifier, target: Target): SQL<TargetRecord> =>
  targetsQuery(
    scope,
    target,
    'manifestIdentifier' in load
      ? { manifestUuid: manifestUuidOf(scope, load.manifestIdentifier) }
      : { shipmentUuid: shipmentUuidOf(scope, load.shipmentIdentifier) },
  );

/** The load from these rows, or a refusal if it does not exist. */
export const foundLoad = (
  context: Context,
  load: LoadIdentifier,
  { manifests, shipments }: RowsOf<ReturnType<typeof askLoadRecords>>,
): Refusal | FoundLoad =>
  'manifestIdentifier' in load
    ? asManifest(context, manifests[0], load.manifestIdentifier)
    : asShipment(context, shipments[0], load.shipmentIdentifier);

function asShipment(
  context: Context,
  state: ShipmentState | undefined,
  identifier: string,
): Refusal | FoundLoad {
  if (!state) return missing('shipmentNotFound', identifier);
  return {
    loadUuid: state.uuid,
    gateUuid: state.gateUuid,
    gateExternalId: state.gateExternalId,
    shipmentExternalId: state.externalIdentifier,
    isOpen: isLoadOpen(state.status),
    elsewhere: undefined,
    closed: state.status === 'CANCELLED' ? closed(state) : undefined,
    answer: shipmentAnswer(context, state.uuid),
  };
}

function asManifest(
  { scope }: Context,
  state: LocatedManifest | undefined,
  identifier: string,
): Refusal | FoundLoad {
  if (!state) return missing('manifestNotFound', identifier);
  return {
    loadUuid: state.uuid,
    gateUuid: state.gateUuid,
    gateExternalId: state.gateExternalId,
    shipmentExternalId: null,
    isOpen: isLoadOpen(state.manifestStatus),
    elsewhere: state.shipmentUuid === null ? undefined : belongsToShipment(state),
    closed: state.manifestStatus === 'CANCELLED' ? manifestClosed(state) : undefined,
    answer: manifestAnswer(scope, state.uuid),
  };
}
