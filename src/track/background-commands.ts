import { tell } from '../event/store.ts';
import type { Refusal } from '../lib/problem.ts';
import { reserveMarkers } from '../marker/commands.ts';
import { accept, findOpen, progress } from '../operation/changes.ts';
import { itemQuery, type OperationState } from '../operation/store.ts';
import { type Change, type Command, type Context, mergeChanges, type Part } from '../writer/command.ts';
import { type Coupling, type CouplingOf, couple, findClient, findTaken } from './commands.ts';

/** Accept to couple a WMS id to an allocated marker in the background: refused where `coupleTrack` would be now. */
export const acceptCoupling: Command<CouplingOf & { requestId: string }> = async (context, input) => {
  const checked = await couple(context, input);
  if ('code' in checked) return checked;
  const { operationUuid, ...change } = acceptance(context, 'COUPLE', input, input.requestId);
  return { ...change, duties: true, answer: { value: { operationUuid } } };
};

/**
 * Allocate the next marker code now, and accept to couple a WMS id to it in the background: refused where
 * `allocateAndCouple` would be now. The code stays allocated also where the coupling fails.
 */
export const acceptAllocateAndCouple: Command<Coupling & { requestId: string }> = async (context, input) => {
  const client = await findClient(context, input);
  if (client && 'code' in client) return client;
  const taken = await findTaken(context, input);
  if (taken) return taken;
  const reserved = reserveMarkers(context, 1);
  if ('code' in reserved) return reserved;
  const markerCode = reserved.block.firstMarkerCode;
  const { operationUuid, ...change } = acceptance(
    context,
    'GET_AND_COUPLE',
    { ...input, markerCode },
    input.requestId,
  );
  return {
    ...mergeChanges({ value: { markerCode, operationUuid } }, [reserved.change, change]),
    duties: true,
  };
};

/**
 * Carry out a coupling that was accepted: couples, or finds that meanwhile it cannot be. Effect, result and events are
 * one commit. Changes nothing where that was done before.
 */
export const carryOutCoupling: Command<{ operationUuid: string }> = async (context, { operationUuid }) => {
  const { database } = context;
  const state = await findOpen(context, operationUuid);
  if (!state) return FINISHED;
  const item = await database.first<{ input: string }>(itemQuery(database, operationUuid, 0));
  const input = JSON.parse(item!.input) as CouplingOf;
  const coupled = await couple(context, input);
  if ('code' in coupled) return failed(context, state, input, coupled);
  const { uuid, ...change } = coupled;
  const entity = { uuid, externalIdentifier: input.wmsId };
  return mergeChanges({ value: { finished: true } }, [
    change,
    told(tell(context, 'COUPLING_SUCCEEDED', 'TRACK', [entity], { operationUuid })),
    progress(context, state, [{ index: 0, error: null }]),
  ]);
};

/** What carrying out an operation answers where it was finished before. */
const FINISHED: Change = { writes: [], audit: [], answer: { value: { finished: true } } };

function failed(
  context: Context,
  state: OperationState,
  { wmsId }: Coupling,
  { code, detail }: Refusal,
): Change {
  const error = { code, message: detail };
  const operationUuid = state.uuid;
  const entity = { uuid: null, externalIdentifier: wmsId };
  return mergeChanges({ value: { finished: true } }, [
    told(tell(context, 'COUPLING_FAILED', 'TRACK', [entity], { operationUuid, error })),
    progress(context, state, [{ index: 0, error }]),
  ]);
}

const told = (events: Part['events'] & object): Part => ({ writes: [], audit: [], events });

const acceptance = (
  context: Context,
  operationType: 'COUPLE' | 'GET_AND_COUPLE',
  { markerCode, wmsId, customFields, clientId }: CouplingOf,
  requestId: string,
) =>
  accept(context, {
    operationType,
    input: {},
    items: [{ identifier: wmsId, input: { markerCode, wmsId, customFields, clientId } }],
    requestId,
  });
