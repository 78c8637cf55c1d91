import { sql } from 'drizzle-orm';
import type { RowsOf } from '../../core/lib/asks.ts';
import { newUuidLike } from '../../core/lib/id.ts';
import { parseJson } from '../../core/lib/json.ts';
import { missingIn, named, quoted } from '../../core/lib/missing.ts';
import { type ProblemItem, type Refusal, refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { fold } from '../../core/lib/text.ts';
import { viewOf } from '../../core/lib/view.ts';
import {
  type Change,
  type ChangePart,
  type Context,
  command,
  isRefusal,
  mergeChanges,
} from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import {
  acceptedOperationChange,
  openOperation,
  operationProgressChange,
} from '../../log/operation/changes.ts';
import { partsOf } from '../../log/operation/rules.ts';
import { itemsQuery, type OperationState, operationStateQuery } from '../../log/operation/store.ts';
import { type ClientReference, clientReferenceQuery } from '../client/store.ts';
import { type CustomFieldInput, diffFields, filledFields, type StoredField } from '../custom-field/rules.ts';
import { auditFields, insertFieldsOf } from '../custom-field/store.ts';
import { reserveMarkers } from '../marker/commands.ts';
import { unallocatedText } from '../marker/rules.ts';
import { allocationQuery } from '../marker/store.ts';
import { auditedTrack } from './changes.ts';
import { palletName } from './rules.ts';
import {
  archivedMarkerQuery,
  LISTED,
  type LiveTrack,
  liveTrackQuery,
  type StoredTrack,
  touchManifestsOf,
  trackEntity,
  trackOfMarkerQuery,
  trackView,
} from './store.ts';
import { track } from './table.ts';
import { couplingEntries } from './timeline-store.ts';

/** A WMS id to couple, and the fields of its track. */
interface Coupling {
  wmsId: string;
  customFields: CustomFieldInput[];
  clientId: string | null;
}

/** A coupling and its marker. */
type CouplingOf = Coupling & { markerCode: number };

/**
 * Couple a WMS id to a marker that is already allocated. Repeating the same pair returns the
 * existing track. Its custom fields and client do not change.
 */
export const coupleTrack = command('coupleTrack', {
  ask: ({ scope }, input: CouplingOf) => askCoupling(scope, input),
  decide(context, input, rows) {
    const coupled = couple(context, input, rows);
    if (isRefusal(coupled)) return coupled;
    const { uuid, ...change } = coupled;
    return {
      ...change,
      answer: answerOf(context.scope, uuid),
      recalled: { forgets: [palletName(input.wmsId)] },
    };
  },
});

/** The reads for the decision on a coupling. */
const askCoupling = (scope: Scope, { markerCode, wmsId, clientId }: CouplingOf) => ({
  allocations: allocationQuery(scope, markerCode),
  ofMarker: trackOfMarkerQuery(scope, markerCode),
  archived: archivedMarkerQuery(scope, markerCode),
  ofWmsId: liveTrackQuery(scope, wmsId),
  clients: clientId === null ? undefined : clientReferenceQuery(scope, clientId),
});

/**
 * The change that couples a WMS id to an allocated marker, or a refusal. The change is empty if
 * they are already coupled.
 */
function couple(
  context: Context,
  input: CouplingOf,
  {
    allocations,
    ofMarker: [coupled],
    archived,
    ofWmsId: [live],
    clients: [client],
  }: RowsOf<ReturnType<typeof askCoupling>>,
): Refusal | (ChangePart & { uuid: string }) {
  const { markerCode, wmsId } = input;
  if (input.clientId !== null && !client) return missingIn('clientId', 'clientNotFound', input.clientId);
  if (coupled?.wmsId === wmsId && coupled.retirement !== 'RETIRED') {
    return { uuid: coupled.uuid, writes: [], audit: [] };
  }
  const errors: ProblemItem[] = [];
  if (allocations.length === 0) {
    errors.push({
      field: 'markerCode',
      code: 'markerNotAllocated',
      message: unallocatedText(markerCode),
      rejectedValue: markerCode,
    });
  }
  if (coupled || archived.length > 0) {
    errors.push({
      field: 'markerCode',
      code: 'markerAlreadyCoupled',
      message: coupled
        ? `${named('Marker', String(markerCode))} is coupled to track ${quoted(coupled.wmsId)}.`
        : `${named('Marker', String(markerCode))} belongs to a track in the archive.`,
      rejectedValue: markerCode,
    });
  }
  if (live) errors.push(wmsIdCoupled(wmsId, live));
  if (errors.length > 0) return refusal(errors[0]!.code, errors[0]!.message, { errors });
  return coupling(context, input, markerCode, client);
}

/**
 * Allocate the next marker code and couple a WMS id to it in one commit. On the first attempt, the
 * unique index finds a WMS id that already has a live track. After such a collision, the command
 * reads that track.
 */
export const allocateAndCouple = command('allocateAndCouple', {
  ask: ({ scope, isRetry }, { wmsId, clientId }: Coupling) => ({
    clients: clientId === null ? undefined : clientReferenceQuery(scope, clientId),
    taken: isRetry ? liveTrackQuery(scope, wmsId) : undefined,
  }),
  decide(context, input, { clients: [client], taken }) {
    const { scope } = context;
    const refused = refuseCoupling(input, client, taken);
    if (refused) return refused;
    const reserved = reserveMarkers(context, 1);
    if (isRefusal(reserved)) return reserved;
    const markerCode = reserved.block.firstMarkerCode;
    const { uuid, ...coupled } = coupling(context, input, markerCode, client, reserved.uuid);
    const answer = sql<{ markerCode: number; track: StoredTrack }>`SELECT
      json_object('markerCode', ${markerCode}, 'track', ${trackView(LISTED)}) FROM track
      WHERE organization_uuid = ${scope.organization} AND uuid = ${uuid}`;
    return {
      ...mergeChanges(answer, [reserved.change, coupled]),
      recalled: { forgets: [palletName(input.wmsId)] },
    };
  },
  conflictKeys: ({ wmsId }) => [`wms id ${wmsId}`],
});

/** The refusal to couple a WMS id to a new marker, if any. */
function refuseCoupling(
  { wmsId, clientId }: Coupling,
  client: ClientReference | undefined,
  [live]: readonly LiveTrack[],
): Refusal | undefined {
  if (clientId !== null && !client) return missingIn('clientId', 'clientNotFound', clientId);
  if (!live) return undefined;
  const error = wmsIdCoupled(wmsId, live);
  return refusal(error.code, error.message, { facts: { name: wmsId }, errors: [error] });
}

/** The change of a new coupling. `allocation`: the uuid of the allocation, if it is in the same commit. */
function coupling(
  context: Context,
  input: Coupling,
  markerCode: number,
  client: ClientReference | undefined,
  allocation?: string,
): ChangePart & { uuid: string } {
  const { tracks, ...change } = couplingsChange(context, [{ wmsId: input.wmsId, markerCode }], {
    client,
    fields: filledFields(input.customFields),
    allocation,
  });
  return { ...change, uuid: tracks[0]!.uuid };
}

/**
 * The change of new couplings. The tracks have the same client and custom fields. `allocation`: the uuid of the allocation
 * of their codes, if it is in the same commit. The log then needs no entry for it.
 */
export function couplingsChange(
  context: Context,
  pairs: readonly { wmsId: string; markerCode: number }[],
  {
    client,
    fields,
    allocation,
  }: { client: ClientReference | undefined; fields: StoredField[]; allocation?: string | undefined },
): ChangePart & { tracks: { uuid: string; wmsId: string; markerCode: number }[] } {
  const { scope, now } = context;
  const tracks = pairs.map((pair, at) => ({
    ...pair,
    uuid: newUuidLike(at === 0 ? allocation : undefined),
  }));
  return {
    tracks,
    writes: [
      ...scope.insert(
        track,
        tracks.map(({ uuid, wmsId, markerCode }) => ({
          uuid,
          wmsId,
          markerCode,
          retirement: 'NONE' as const,
          flagged: 0,
          damaged: 0,
          clientUuid: client?.uuid ?? null,
          coupleDate: now,
          foldedWmsId: fold(wmsId),
          createDate: now,
          updateDate: now,
        })),
      ),
      ...insertFieldsOf(
        scope,
        tracks.flatMap(({ uuid }) => fields.map((field) => ({ ownerUuid: uuid, ...field }))),
      ),
      touchManifestsOf(
        scope,
        tracks.map(({ wmsId }) => wmsId),
        now,
      ),
    ],
    entries: couplingEntries(scope, tracks),
    audit: tracks.map(({ uuid, wmsId, markerCode }) =>
      auditedTrack('TRACK_COUPLED', { uuid, wmsId }, [
        { field: 'markerCode', oldValue: null, newValue: markerCode },
        ...(client ? [{ field: 'client', oldValue: null, newValue: client.externalId }] : []),
        ...auditFields([], diffFields([], fields)),
      ]),
    ),
  };
}

const answerOf = viewOf(trackView(LISTED), track);

/** The fault of a WMS id that has a live track. It names the state of the track and what to do in this state. */
export const wmsIdCoupled = (wmsId: string, live: LiveTrack): ProblemItem => ({
  field: 'wmsId',
  code: 'wmsIdAlreadyCoupled',
  message: `${named('WMS id', wmsId)} ${obstacleOf(live)}`,
  rejectedValue: wmsId,
});

function obstacleOf({ retirement, openManifest }: LiveTrack): string {
  if (openManifest === null) return 'has a track that is not retired. Retire or delete it first.';
  const manifest = named('manifest', openManifest);
  return retirement === 'SCHEDULED'
    ? `has a track that is scheduled for retirement. It is on the open ${manifest}. Retire it now, with force=true.`
    : `has a track on the open ${manifest}. Retire it now, with force=true.`;
}

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
      operationProgressChange(context, state, [{ index: 0, error: null }]),
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
    operationProgressChange(context, state, [{ index: 0, error }]),
  ]);
}

const eventsOnly = (events: ChangePart['events'] & object): ChangePart => ({ writes: [], audit: [], events });

const acceptance = (
  context: Context,
  operationType: 'COUPLE' | 'GET_AND_COUPLE',
  { markerCode, wmsId, customFields, clientId }: CouplingOf,
  requestId: string,
) =>
  acceptedOperationChange(context, {
    operationType,
    input: {},
    items: partsOf([{ identifier: wmsId, input: { markerCode, wmsId, customFields, clientId } }]),
    requestId,
  });
