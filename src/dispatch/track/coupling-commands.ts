import { sql } from 'drizzle-orm';
import type { RowsOf } from '../../core/lib/asks.ts';
import { newUuidLike } from '../../core/lib/id.ts';
import { missingIn, named, quoted } from '../../core/lib/missing.ts';
import { type ProblemItem, type Refusal, refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { fold } from '../../core/lib/text.ts';
import { viewOf } from '../../core/lib/view.ts';
import {
  type ChangePart,
  type Context,
  command,
  isRefusal,
  mergeChanges,
} from '../../core/writer/command.ts';
import { type ClientReference, clientReferenceQuery } from '../client/store.ts';
import { type CustomFieldInput, diffFields, filledFields, type StoredField } from '../custom-field/rules.ts';
import { auditFields, insertFieldsOf } from '../custom-field/store.ts';
import { reserveMarkers } from '../marker/commands.ts';
import { unallocated } from '../marker/rules.ts';
import { allocationQuery } from '../marker/store.ts';
import { couplingEntries } from './activity-store.ts';
import { auditedTrack } from './changes.ts';
import { type LiveTrack, liveTrackQuery } from './live-store.ts';
import { palletName } from './rules.ts';
import {
  archivedMarkerQuery,
  LISTED,
  type StoredTrack,
  touchManifestsOf,
  trackOfMarkerQuery,
  trackView,
} from './store.ts';
import { track } from './table.ts';

/** A WMS id to couple, and the fields of its track. */
export interface Coupling {
  wmsId: string;
  customFields: CustomFieldInput[];
  clientId: string | null;
}

/** A coupling and its marker. */
export type CouplingOf = Coupling & { markerCode: number };

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
export const askCoupling = (scope: Scope, { markerCode, wmsId, clientId }: CouplingOf) => ({
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
export function couple(
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
      message: unallocated(markerCode),
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
export function refuseCoupling(
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
  const { tracks, ...change } = couplings(context, [{ wmsId: input.wmsId, markerCode }], {
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
export function couplings(
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
