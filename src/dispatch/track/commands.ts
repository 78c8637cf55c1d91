import { newUuid } from '../../core/lib/id.ts';
import { missing, named } from '../../core/lib/missing.ts';
import { refusal } from '../../core/lib/problem.ts';
import { viewOf } from '../../core/lib/view.ts';
import { command, unchanged } from '../../core/writer/command.ts';
import { trackChange } from './changes.ts';
import { wmsIdCoupled } from './coupling-commands.ts';
import { codeDetails, noteDetails } from './rules.ts';
import { LISTED, liveTrackNamed, trackStateQuery, trackView } from './store.ts';
import { track, trackComment } from './table.ts';
import { type Attachment, authorOf, trackEntry } from './timeline-store.ts';

/**
 * Retire a track. A track on an open manifest is retired at once only with `force`. Otherwise it is
 * retired when its last open manifest closes.
 */
export const retireTrack = command('retireTrack', {
  ask: ({ scope }, { identifier }: { identifier: string; force: boolean }) => ({
    tracks: trackStateQuery(scope, identifier),
  }),
  decide(context, { identifier, force }, { tracks: [found] }) {
    const { now } = context;
    if (!found) return missing('trackNotFound', identifier);
    const retirement = found.onOpenManifest && !force ? 'SCHEDULED' : 'RETIRED';
    if (found.retirement === retirement || found.retirement === 'RETIRED') return unchanged({ value: {} });
    const set = { retirement, retireDate: retirement === 'RETIRED' ? now : null } as const;
    const details = retirement === 'SCHEDULED' ? codeDetails('retiresLater') : null;
    return trackChange(context, found, 'TRACK_RETIRED', set, trackEntry('RETIRED', found.uuid, details));
  },
});

/**
 * Make a retired or scheduled track ACTIVE again. It is refused if its WMS id has another live
 * track now.
 */
export const revertRetirement = command('revertRetirement', {
  ask: ({ scope }, { identifier }: { identifier: string }) => ({
    tracks: trackStateQuery(scope, identifier),
    live: liveTrackNamed(scope, identifier),
  }),
  decide(context, { identifier }, { tracks: [found], live: [live] }) {
    if (!found) return missing('trackNotFound', identifier);
    if (found.retirement === 'NONE') return unchanged({ value: {} });
    if (found.retirement === 'RETIRED' && live) {
      const error = wmsIdCoupled(found.wmsId, live);
      return refusal(error.code, error.message, { facts: { name: found.wmsId } });
    }
    const set = { retirement: 'NONE', retireDate: null, flagged: 0 } as const;
    return trackChange(context, found, 'TRACK_REACTIVATED', set, trackEntry('REACTIVATED', found.uuid));
  },
});

/** Delete a track. Its marker and WMS id can be used again. */
export const deleteTrack = command('deleteTrack', {
  ask: ({ scope }, { identifier }: { identifier: string }) => ({
    tracks: trackStateQuery(scope, identifier),
  }),
  decide(context, { identifier }, { tracks: [found] }) {
    const { now } = context;
    if (!found) return missing('trackNotFound', identifier);
    if (found.onOpenManifest)
      return refusal(
        'trackOnOpenManifest',
        `${named('Track', found.wmsId)} is on an open manifest. Remove it from the manifest first.`,
        { facts: { name: found.wmsId } },
      );
    const entry = trackEntry('DELETED', found.uuid);
    return trackChange(context, found, 'TRACK_DELETED', { deletedDate: now }, entry);
  },
});

/** Flag a track, or change the reason of a flagged track. */
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
  decide(context, { identifier, damaged, reason }, { tracks: [found] }) {
    if (!found) return missing('trackNotFound', identifier);
    const seen = damaged ? 1 : 0;
    const set = { flagged: 1, damaged: damaged === null ? found.damaged : seen } as const;
    if (found.flagged === 1 && set.damaged === found.damaged && reason === null) {
      return unchanged(answerOf(context.scope, found.uuid));
    }
    const entry = trackEntry('FLAGGED', found.uuid, noteDetails(reason));
    const change = trackChange(context, found, 'TRACK_FLAGGED', set, entry, [
      { field: 'reason', oldValue: null, newValue: reason },
    ]);
    return { ...change, answer: answerOf(context.scope, found.uuid) };
  },
});

/** Remove flag and damage from a track. */
export const unflagTrack = command('unflagTrack', {
  ask: ({ scope }, { identifier }: { identifier: string }) => ({
    tracks: trackStateQuery(scope, identifier),
  }),
  decide(context, { identifier }, { tracks: [found] }) {
    if (!found) return missing('trackNotFound', identifier);
    const answer = answerOf(context.scope, found.uuid);
    if (found.flagged === 0 && found.damaged === 0) return unchanged(answer);
    const entry = trackEntry('UNFLAGGED', found.uuid);
    return { ...trackChange(context, found, 'TRACK_UNFLAGGED', { flagged: 0, damaged: 0 }, entry), answer };
  },
});

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
  decide(context, { identifier, additionalInfo, attachments }, { tracks: [found] }) {
    const { scope, actor, now } = context;
    if (!found) return missing('trackNotFound', identifier);
    const uuid = newUuid();
    const writes = [
      ...scope.insert(trackComment, [
        {
          uuid,
          trackUuid: found.uuid,
          additionalInfo,
          attachments: JSON.stringify(attachments),
          ...authorOf(actor),
          createDate: now,
          updateDate: now,
        },
      ]),
    ];
    const change = trackChange(context, found, 'TRACK_COMMENTED', {}, trackEntry('COMMENTED', found.uuid), [
      { field: 'comment', oldValue: null, newValue: additionalInfo },
      ...(attachments.length === 0
        ? []
        : [{ field: 'attachments', oldValue: null, newValue: attachments.map(({ link }) => link) }]),
    ]);
    return { ...change, writes: [...writes, ...change.writes] };
  },
});

const answerOf = viewOf(trackView(LISTED), track);
