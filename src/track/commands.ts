import { type SQL, sql } from 'drizzle-orm';
import type { FieldChange } from '../audit/chain.ts';
import { unknownClient } from '../client/rules.ts';
import { type ClientReference, clientReferenceQuery } from '../client/store.ts';
import { diffFields, filledFields } from '../custom-field/rules.ts';
import type { CustomFieldInput } from '../custom-field/schema.ts';
import { auditFields, insertFields } from '../custom-field/store.ts';
import { newUuid } from '../lib/id.ts';
import { type ProblemItem, type Refusal, refusal } from '../lib/problem.ts';
import { fold } from '../lib/text.ts';
import { touchManifestsOf } from '../manifest/store.ts';
import { reserveMarkers } from '../marker/commands.ts';
import { allocationQuery } from '../marker/store.ts';
import type { Change, Command, Context, Part } from '../writer/command.ts';
import { auditedTrack } from './changes.ts';
import { trackStatus } from './rules.ts';
import {
  type FoundTrack,
  LISTED,
  liveTrackQuery,
  recordLinks,
  recordTrackActivity,
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
export const coupleTrack: Command<CouplingOf> = async (context, input) => {
  const coupled = await couple(context, input);
  if ('code' in coupled) return coupled;
  const { uuid, ...change } = coupled;
  return { ...change, answer: answerOf(context, uuid) };
};

/** What coupling a WMS id to an allocated marker writes; nothing for the same pair again. Or why it cannot be. */
export async function couple(
  context: Context,
  input: CouplingOf,
): Promise<Refusal | (Part & { uuid: string })> {
  const { database } = context;
  const { markerCode, wmsId } = input;
  const [allocations, ofMarker, ofWmsId, clients] = await database.batch([
    allocationQuery(database, markerCode),
    trackOfMarkerQuery(database, markerCode),
    liveTrackQuery(database, wmsId),
    ...(input.clientId === null ? [] : [clientReferenceQuery(database, input.clientId)]),
  ]);
  const client = clients?.[0] as ClientReference | undefined;
  if (input.clientId !== null && !client) return unknownClient('clientId', input.clientId);
  const coupled = ofMarker![0] as FoundTrack | undefined;
  if (coupled?.wmsId === wmsId && coupled.retirement !== 'RETIRED') {
    return { uuid: coupled.uuid, writes: [], audit: [] };
  }
  const errors: ProblemItem[] = [];
  if (allocations!.length === 0) {
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
  if (ofWmsId!.length > 0) errors.push(wmsIdCoupled(wmsId));
  if (errors.length > 0) return refusal(errors[0]!.code, errors[0]!.message, { errors });
  return coupling(context, input, markerCode, client);
}

/**
 * Allocate the next marker code and couple a WMS id to it, in one commit. Whether the WMS id has a live
 * track is left to the unique index at first: a collision asks again, carefully.
 */
export const allocateAndCouple: Command<Coupling> = async (context, input) => {
  const { database } = context;
  const client = await findClient(context, input);
  if (client && 'code' in client) return client;
  if (context.careful) {
    const taken = await findTaken(context, input);
    if (taken) return taken;
  }
  const reserved = await reserveMarkers(context, 1);
  if ('code' in reserved) return reserved;
  const markerCode = reserved.block.firstMarkerCode;
  const { uuid, writes, audit } = coupling(context, input, markerCode, client);
  return {
    writes: [...reserved.change.writes, ...writes],
    audit: [...reserved.change.audit, ...audit],
    memo: reserved.change.memo,
    answer: sql`SELECT json_object('markerCode', ${markerCode}, 'track', ${trackView(LISTED)}) FROM track
      WHERE organization_uuid = ${database.organization} AND uuid = ${uuid}`,
  };
};

/** The client that a coupling names, if it names one. */
export async function findClient(
  { database }: Context,
  { clientId }: Coupling,
): Promise<Refusal | ClientReference | undefined> {
  if (clientId === null) return undefined;
  const client = await database.first<ClientReference>(clientReferenceQuery(database, clientId));
  return client ?? unknownClient('clientId', clientId);
}

/** Why a WMS id cannot be coupled to a new marker. */
export async function findTaken({ database }: Context, { wmsId }: Coupling): Promise<Refusal | undefined> {
  if (!(await database.first(liveTrackQuery(database, wmsId)))) return undefined;
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
  const { database, now } = context;
  const { wmsId } = input;
  const uuid = newUuid();
  const fields = filledFields(input.customFields);
  return {
    uuid,
    writes: [
      ...database.insert(track, [
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
      ...insertFields(database, uuid, fields),
      recordTrackActivity(context, 'COUPLED', uuid, `marker ${markerCode}`),
      recordLinks(context, uuid),
      touchManifestsOf(database, wmsId, now),
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
export const retireTrack: Command<{ identifier: string; force: boolean }> = async (
  context,
  { identifier, force },
) => {
  const { now } = context;
  const found = await find(context, identifier);
  if ('code' in found) return found;
  const retirement = found.onOpenManifest && !force ? 'SCHEDULED' : 'RETIRED';
  if (found.retirement === retirement || found.retirement === 'RETIRED') return unchanged;
  const set = { retirement, retireDate: retirement === 'RETIRED' ? now : null } as const;
  const details = retirement === 'SCHEDULED' ? 'once its open manifests are closed' : null;
  return changed(context, found, 'TRACK_RETIRED', set, [
    recordTrackActivity(context, 'RETIRED', found.uuid, details),
  ]);
};

/** Make a retired or scheduled track ACTIVE again, unless its WMS id has a live track by now. */
export const revertRetirement: Command<{ identifier: string }> = async (context, { identifier }) => {
  const { database } = context;
  const found = await find(context, identifier);
  if ('code' in found) return found;
  if (found.retirement === 'NONE') return unchanged;
  if (found.retirement === 'RETIRED' && (await database.first(liveTrackQuery(database, found.wmsId)))) {
    const error = wmsIdCoupled(found.wmsId);
    return refusal(error.code, error.message);
  }
  const set = { retirement: 'NONE', retireDate: null, flagged: 0 } as const;
  const entry = recordTrackActivity(context, 'REACTIVATED', found.uuid);
  return changed(context, found, 'TRACK_REACTIVATED', set, [entry]);
};

/** Delete a track; marker and WMS id are free again. */
export const deleteTrack: Command<{ identifier: string }> = async (context, { identifier }) => {
  const { now } = context;
  const found = await find(context, identifier);
  if ('code' in found) return found;
  if (found.onOpenManifest)
    return refusal('trackOnOpenManifest', 'Take the track off its open manifests first.');
  const entry = [recordTrackActivity(context, 'DELETED', found.uuid)];
  return changed(context, found, 'TRACK_DELETED', { deletedDate: now }, entry);
};

/** Flag a track, or say more about one that is flagged. */
export const flagTrack: Command<{
  identifier: string;
  damaged: boolean | null;
  reason: string | null;
}> = async (context, { identifier, damaged, reason }) => {
  const found = await find(context, identifier);
  if ('code' in found) return found;
  const set = { flagged: 1, damaged: damaged === null ? found.damaged : Number(damaged) };
  if (found.flagged === 1 && set.damaged === found.damaged && reason === null) {
    return { ...unchanged, answer: answerOf(context, found.uuid) };
  }
  const entry = [recordTrackActivity(context, 'FLAGGED', found.uuid, reason)];
  const change = changed(context, found, 'TRACK_FLAGGED', set, entry, [
    { field: 'reason', oldValue: null, newValue: reason },
  ]);
  return { ...change, answer: answerOf(context, found.uuid) };
};

/** Take the flag and the damage off a track. */
export const unflagTrack: Command<{ identifier: string }> = async (context, { identifier }) => {
  const found = await find(context, identifier);
  if ('code' in found) return found;
  const answer = answerOf(context, found.uuid);
  if (found.flagged === 0 && found.damaged === 0) return { ...unchanged, answer };
  const entry = [recordTrackActivity(context, 'UNFLAGGED', found.uuid)];
  return { ...changed(context, found, 'TRACK_UNFLAGGED', { flagged: 0, damaged: 0 }, entry), answer };
};

/** Add a comment to a track. */
export const commentTrack: Command<{
  identifier: string;
  additionalInfo: string;
  attachments: Attachment[];
}> = async (context, { identifier, additionalInfo, attachments }) => {
  const { database, actor, now } = context;
  const found = await find(context, identifier);
  if ('code' in found) return found;
  const uuid = newUuid();
  const writes = [
    ...database.insert(trackComment, [
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
};

const unchanged = { writes: [], audit: [], answer: { value: {} } };

/** A change of a track's row, with what else is written before it and who is told. */
function changed(
  { database, now }: Context,
  found: FoundTrack,
  action: string,
  set: Parameters<typeof database.update<typeof track>>[1],
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
      database.update(track, { ...set, updateDate: now }, sql`uuid = ${found.uuid}`),
      touchManifestsOf(database, found.wmsId, now),
    ],
    audit: [auditedTrack(action, found, changes)],
    answer: { value: {} },
  };
}

async function find({ database }: Context, identifier: string) {
  const found = await database.first<FoundTrack>(trackStateQuery(database, identifier));
  return found ?? refusal('trackNotFound', 'There is no such track.');
}

const answerOf = ({ database }: Context, uuid: string): SQL => sql`SELECT ${trackView(LISTED)} FROM track
  WHERE organization_uuid = ${database.organization} AND uuid = ${uuid}`;

const wmsIdCoupled = (wmsId: string): ProblemItem => ({
  field: 'wmsId',
  code: 'wmsIdAlreadyCoupled',
  message: 'The WMS id has a live track.',
  rejectedValue: wmsId,
});
