import { sql } from 'drizzle-orm';
import { unknownClient } from '../client/rules.ts';
import { type ClientReference, clientReferenceQuery } from '../client/store.ts';
import { type CustomFieldInput, diffFields, filledFields } from '../custom-field/rules.ts';
import { auditFields, insertFields } from '../custom-field/store.ts';
import type { FieldChange } from '../lib/changes.ts';
import type { RowsOf, Scope } from '../lib/database.ts';
import { newUuid } from '../lib/id.ts';
import { type ProblemItem, type Refusal, refusal } from '../lib/problem.ts';
import { fold } from '../lib/text.ts';
import { viewOf } from '../lib/view.ts';
import { reserveMarkers } from '../marker/commands.ts';
import { allocationQuery } from '../marker/store.ts';
import {
  type Change,
  type Context,
  command,
  isRefusal,
  mergeChanges,
  type Part,
  unchanged,
} from '../writer/command.ts';
import { auditedTrack } from './changes.ts';
import { trackStatus } from './rules.ts';
import {
  type FoundTrack,
  LISTED,
  liveTrackNamed,
  liveTrackQuery,
  recordCoupling,
  recordTrackActivity,
  type StoredTrack,
  touchManifestsOf,
  trackOfMarkerQuery,
  trackStateQuery,
  trackView,
} from './store.ts';
import { track, trackComment } from './table.ts';
import type { Attachment } from './timeline-store.ts';

/** A WMS id to be coupled, with what the track is to have. */
export interface Coupling {
  wmsId: string;
  customFields: CustomFieldInput[];
  clientId: string | null;
}

/** The same with the marker. */
export type CouplingOf = Coupling & { markerCode: number };

/**
 * Couple a WMS id to a marker that was allocated before; the same pair again is the track it made, as it is:
 * neither its fields nor its client change.
 */
export const coupleTrack = command('coupleTrack', {
  ask: ({ scope }, input: CouplingOf) => askCoupling(scope, input),
  decide(context, input, rows) {
    const coupled = couple(context, input, rows);
    if (isRefusal(coupled)) return coupled;
    const { uuid, ...change } = coupled;
    return { ...change, answer: answerOf(context.scope, uuid) };
  },
});

/** What has to be known of a marker, a WMS id and a client that are to be coupled. */
export const askCoupling = (scope: Scope, { markerCode, wmsId, clientId }: CouplingOf) => ({
  allocations: allocationQuery(scope, markerCode),
  ofMarker: trackOfMarkerQuery(scope, markerCode),
  ofWmsId: liveTrackQuery(scope, wmsId),
  clients: clientId === null ? undefined : clientReferenceQuery(scope, clientId),
});

/** What coupling a WMS id to an allocated marker writes; nothing for the same pair again. Or why it cannot be. */
export function couple(
  context: Context,
  input: CouplingOf,
  { allocations, ofMarker: [coupled], ofWmsId, clients: [client] }: RowsOf<ReturnType<typeof askCoupling>>,
): Refusal | (Part & { uuid: string }) {
  const { markerCode, wmsId } = input;
  if (input.clientId !== null && !client) return unknownClient('clientId', input.clientId);
  if (coupled?.wmsId === wmsId && coupled.retirement !== 'RETIRED') {
    return { uuid: coupled.uuid, writes: [], audit: [] };
  }
  const errors: ProblemItem[] = [];
  if (allocations.length === 0) {
    errors.push({
      field: 'markerCode',
      code: 'markerNotAllocated',
      message: 'The marker code is not allocated to the organization.',
      rejectedValue: markerCode,
    });
  }
  if (coupled) {
    errors.push({
      field: 'markerCode',
      code: 'markerAlreadyCoupled',
      message: 'The marker belongs to another track.',
      rejectedValue: markerCode,
    });
  }
  if (ofWmsId.length > 0) errors.push(wmsIdCoupled(wmsId));
  if (errors.length > 0) return refusal(errors[0]!.code, errors[0]!.message, { errors });
  return coupling(context, input, markerCode, client);
}

/**
 * Allocate the next marker code and couple a WMS id to it, in one commit. Whether the WMS id has a live
 * track is left to the unique index at first: a collision asks again, carefully.
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
    const { uuid, ...coupled } = coupling(context, input, markerCode, client);
    const answer = sql<{ markerCode: number; track: StoredTrack }>`SELECT
      json_object('markerCode', ${markerCode}, 'track', ${trackView(LISTED)}) FROM track
      WHERE organization_uuid = ${scope.organization} AND uuid = ${uuid}`;
    return mergeChanges(answer, [reserved.change, coupled]);
  },
});

/** Why a WMS id cannot be coupled to a new marker. */
export function refuseCoupling(
  { wmsId, clientId }: Coupling,
  client: ClientReference | undefined,
  taken: readonly unknown[],
): Refusal | undefined {
  if (clientId !== null && !client) return unknownClient('clientId', clientId);
  if (taken.length === 0) return undefined;
  const error = wmsIdCoupled(wmsId);
  return refusal(error.code, error.message, { errors: [error] });
}

/** What a new coupling writes. */
function coupling(
  context: Context,
  input: Coupling,
  markerCode: number,
  client: ClientReference | undefined,
) {
  const { scope, now } = context;
  const { wmsId } = input;
  const uuid = newUuid();
  const fields = filledFields(input.customFields);
  return {
    uuid,
    writes: [
      ...scope.insert(track, [
        {
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
        },
      ]),
      ...insertFields(scope, uuid, fields),
      recordCoupling(context, uuid, `marker ${markerCode}`),
      touchManifestsOf(scope, wmsId, now),
    ],
    audit: [
      auditedTrack('TRACK_COUPLED', { uuid, wmsId }, [
        { field: 'markerCode', oldValue: null, newValue: markerCode },
        ...(client ? [{ field: 'client', oldValue: null, newValue: client.externalId }] : []),
        ...auditFields([], diffFields([], fields)),
      ]),
    ],
  };
}

/** Retire a track; one on an open manifest only when forced, else when its last such manifest closes. */
export const retireTrack = command('retireTrack', {
  ask: ({ scope }, { identifier }: { identifier: string; force: boolean }) => ({
    tracks: trackStateQuery(scope, identifier),
  }),
  decide(context, { force }, { tracks: [found] }) {
    const { now } = context;
    if (!found) return unknownTrack();
    const retirement = found.onOpenManifest && !force ? 'SCHEDULED' : 'RETIRED';
    if (found.retirement === retirement || found.retirement === 'RETIRED') return unchanged({ value: {} });
    const set = { retirement, retireDate: retirement === 'RETIRED' ? now : null } as const;
    const details = retirement === 'SCHEDULED' ? 'once its open manifests are closed' : null;
    return changed(context, found, 'TRACK_RETIRED', set, [
      recordTrackActivity(context, 'RETIRED', found.uuid, details),
    ]);
  },
});

/** Make a retired or scheduled track ACTIVE again, unless its WMS id has a live track by now. */
export const revertRetirement = command('revertRetirement', {
  ask: ({ scope }, { identifier }: { identifier: string }) => ({
    tracks: trackStateQuery(scope, identifier),
    live: liveTrackNamed(scope, identifier),
  }),
  decide(context, _, { tracks: [found], live }) {
    if (!found) return unknownTrack();
    if (found.retirement === 'NONE') return unchanged({ value: {} });
    if (found.retirement === 'RETIRED' && live.length > 0) {
      const error = wmsIdCoupled(found.wmsId);
      return refusal(error.code, error.message);
    }
    const set = { retirement: 'NONE', retireDate: null, flagged: 0 } as const;
    const entry = recordTrackActivity(context, 'REACTIVATED', found.uuid);
    return changed(context, found, 'TRACK_REACTIVATED', set, [entry]);
  },
});

/** Delete a track; marker and WMS id are free again. */
export const deleteTrack = command('deleteTrack', {
  ask: ({ scope }, { identifier }: { identifier: string }) => ({
    tracks: trackStateQuery(scope, identifier),
  }),
  decide(context, _, { tracks: [found] }) {
    const { now } = context;
    if (!found) return unknownTrack();
    if (found.onOpenManifest)
      return refusal('trackOnOpenManifest', 'Take the track off its open manifests first.');
    const entry = [recordTrackActivity(context, 'DELETED', found.uuid)];
    return changed(context, found, 'TRACK_DELETED', { deletedDate: now }, entry);
  },
});

/** Flag a track, or say more about one that is flagged. */
export const flagTrack = command('flagTrack', {
  ask: (
    { scope },
    {
      identifier,
    }: {
      identifier: string;
      damaged: boolean | null;
      reason: string | null;
    },
  ) => ({ tracks: trackStateQuery(scope, identifier) }),
  decide(context, { damaged, reason }, { tracks: [found] }) {
    if (!found) return unknownTrack();
    const seen = damaged ? 1 : 0;
    const set = { flagged: 1, damaged: damaged === null ? found.damaged : seen } as const;
    if (found.flagged === 1 && set.damaged === found.damaged && reason === null) {
      return unchanged(answerOf(context.scope, found.uuid));
    }
    const entry = [recordTrackActivity(context, 'FLAGGED', found.uuid, reason)];
    const change = changed(context, found, 'TRACK_FLAGGED', set, entry, [
      { field: 'reason', oldValue: null, newValue: reason },
    ]);
    return { ...change, answer: answerOf(context.scope, found.uuid) };
  },
});

/** Take the flag and the damage off a track. */
export const unflagTrack = command('unflagTrack', {
  ask: ({ scope }, { identifier }: { identifier: string }) => ({
    tracks: trackStateQuery(scope, identifier),
  }),
  decide(context, _, { tracks: [found] }) {
    if (!found) return unknownTrack();
    const answer = answerOf(context.scope, found.uuid);
    if (found.flagged === 0 && found.damaged === 0) return unchanged(answer);
    const entry = [recordTrackActivity(context, 'UNFLAGGED', found.uuid)];
    return { ...changed(context, found, 'TRACK_UNFLAGGED', { flagged: 0, damaged: 0 }, entry), answer };
  },
});

/** Add a comment to a track. */
export const commentTrack = command('commentTrack', {
  ask: (
    { scope },
    {
      identifier,
    }: {
      identifier: string;
      additionalInfo: string;
      attachments: Attachment[];
    },
  ) => ({ tracks: trackStateQuery(scope, identifier) }),
  decide(context, { additionalInfo, attachments }, { tracks: [found] }) {
    const { scope, actor, now } = context;
    if (!found) return unknownTrack();
    const uuid = newUuid();
    const writes = [
      ...scope.insert(trackComment, [
        {
          uuid,
          trackUuid: found.uuid,
          additionalInfo,
          attachments: JSON.stringify(attachments),
          author: actor.displayName,
          createDate: now,
          updateDate: now,
        },
      ]),
      recordTrackActivity(context, 'COMMENTED', found.uuid),
    ];
    return changed(context, found, 'TRACK_COMMENTED', {}, writes, [
      { field: 'comment', oldValue: null, newValue: additionalInfo },
      ...(attachments.length === 0
        ? []
        : [{ field: 'attachments', oldValue: null, newValue: attachments.map(({ link }) => link) }]),
    ]);
  },
});

/** A change of a track's row, with what else is written before it and who is told. */
function changed(
  { scope, now }: Context,
  found: FoundTrack,
  action: string,
  set: Parameters<typeof scope.update<typeof track>>[1],
  before: Change['writes'],
  further: FieldChange[] = [],
): Change {
  const next = { ...found, ...set } as FoundTrack;
  const changes: FieldChange[] = [
    ...(trackStatus(next) === trackStatus(found)
      ? []
      : [{ field: 'trackStatus', oldValue: trackStatus(found), newValue: trackStatus(next) }]),
    ...(next.damaged === found.damaged
      ? []
      : [{ field: 'damaged', oldValue: found.damaged === 1, newValue: next.damaged === 1 }]),
    ...('deletedDate' in set ? [{ field: 'deleted', oldValue: false, newValue: true }] : []),
    ...further,
  ];
  return {
    writes: [
      ...before,
      scope.update(track, { ...set, updateDate: now }, sql`uuid = ${found.uuid}`),
      touchManifestsOf(scope, found.wmsId, now),
    ],
    audit: [auditedTrack(action, found, changes)],
    answer: { value: {} },
  };
}

const unknownTrack = (): Refusal => refusal('trackNotFound', 'There is no such track.');

const answerOf = viewOf(trackView(LISTED), track);

const wmsIdCoupled = (wmsId: string): ProblemItem => ({
  field: 'wmsId',
  code: 'wmsIdAlreadyCoupled',
  message: 'The WMS id has a live track.',
  rejectedValue: wmsId,
});
