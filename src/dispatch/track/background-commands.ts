import { parseJson } from '../../core/lib/json.ts';
import type { Refusal } from '../../core/lib/problem.ts';
import {
  type Change,
  type ChangePart,
  type Context,
  command,
  isRefusal,
  mergeChanges,
} from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import { accept, openOperation, operationProgress } from '../../log/operation/changes.ts';
import { partsOf } from '../../log/operation/rules.ts';
import { itemsQuery, type OperationState, operationStateQuery } from '../../log/operation/store.ts';
import { clientReferenceQuery } from '../client/store.ts';
import { reserveMarkers } from '../marker/commands.ts';
import { askCoupling, type Coupling, type CouplingOf, couple, refuseCoupling } from './coupling-commands.ts';
import { liveTrackQuery } from './live-store.ts';
import { trackEntity } from './store.ts';

/**
 * Accept a coupling of a WMS id to an allocated marker, to be done in the background. It is refused
 * now if `coupleTrack` would refuse it now.
 */
export const acceptCoupling = command('acceptCoupling', {
  ask: ({ scope }, input: CouplingOf & { requestId: string }) => askCoupling(scope, input),
  decide(context, input, rows) {
    const checked = couple(context, input, rows);
    if (isRefusal(checked)) return checked;
    const { operationUuid, ...change } = acceptance(context, 'COUPLE', input, input.requestId);
    return { ...change, jobs: true, answer: { value: { operationUuid } } };
  },
});

/**
 * Allocate the next marker code now, and accept its coupling to a WMS id, to be done in the
 * background. It is refused now if `allocateAndCouple` would refuse it now. The code stays
 * allocated even if the coupling fails.
 */
export const acceptAllocateAndCouple = command('acceptAllocateAndCouple', {
  ask: ({ scope }, { wmsId, clientId }: Coupling & { requestId: string }) => ({
    clients: clientId === null ? undefined : clientReferenceQuery(scope, clientId),
    taken: liveTrackQuery(scope, wmsId),
  }),
  decide(context, input, { clients: [client], taken }) {
    const refused = refuseCoupling(input, client, taken);
    if (refused) return refused;
    const reserved = reserveMarkers(context, 1);
    if (isRefusal(reserved)) return reserved;
    const markerCode = reserved.block.firstMarkerCode;
    const coupling = { ...input, markerCode };
    const { operationUuid, ...change } = acceptance(context, 'GET_AND_COUPLE', coupling, input.requestId);
    return {
      ...mergeChanges({ value: { markerCode, operationUuid } }, [reserved.change, change]),
      jobs: true,
    };
  },
});

/**
 * Carry out an accepted coupling, or record why it is no longer possible. Effect, result and events
 * are one commit. An operation that is already finished changes nothing.
 */
export const carryOutCoupling = command('carryOutCoupling', {
  ask: ({ scope }, { operationUuid }: { operationUuid: string }) => ({
    operations: operationStateQuery(scope, operationUuid),
    items: itemsQuery<CouplingOf>(scope, operationUuid, 0, 1),
  }),
  askMore: ({ scope }, _, { operations, items: [item] }) => ({
    ...(openOperation(operations) && item?.input ? askCoupling(scope, parseJson(item.input)) : NO_COUPLING),
  }),
  decide(context, { operationUuid }, { operations, items: [item], ...rows }) {
    const state = openOperation(operations);
    if (!state || !item?.input) return FINISHED;
    const input = parseJson(item.input);
    const coupled = couple(context, input, rows);
    if (isRefusal(coupled)) return failed(context, state, input, coupled);
    const { uuid, ...change } = coupled;
    const entity = { uuid, externalIdentifier: input.wmsId };
    return mergeChanges({ value: { finished: true } }, [
      change,
      eventsOnly(emit(context, 'COUPLING_SUCCEEDED', trackEntity, [entity], { operationUuid })),
      operationProgress(context, state, [{ index: 0, error: null }]),
    ]);
  },
});

/** The reads of an operation that needs no coupling: none. */
const NO_COUPLING = {
  allocations: undefined,
  ofMarker: undefined,
  archived: undefined,
  ofWmsId: undefined,
  clients: undefined,
};

/** The answer for an operation that is already finished. */
const FINISHED: Change<{ finished: boolean }> = {
  writes: [],
  audit: [],
  answer: { value: { finished: true } },
};

function failed(
  context: Context,
  state: OperationState,
  { wmsId }: Coupling,
  { code, detail }: Refusal,
): Change<{ finished: boolean }> {
  const error = { code, message: detail };
  const operationUuid = state.uuid;
  const entity = { uuid: null, externalIdentifier: wmsId };
  return mergeChanges({ value: { finished: true } }, [
    eventsOnly(emit(context, 'COUPLING_FAILED', trackEntity, [entity], { operationUuid, error })),
    operationProgress(context, state, [{ index: 0, error }]),
  ]);
}

const eventsOnly = (events: ChangePart['events'] & object): ChangePart => ({ writes: [], audit: [], events });

const acceptance = (
  context: Context,
  operationType: 'COUPLE' | 'GET_AND_COUPLE',
  { markerCode, wmsId, customFields, clientId }: CouplingOf,
  requestId: string,
) =>
  accept(context, {
    operationType,
    input: {},
    items: partsOf([{ identifier: wmsId, input: { markerCode, wmsId, customFields, clientId } }]),
    requestId,
  });
