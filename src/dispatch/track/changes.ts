import { sql } from 'drizzle-orm';
import type { FieldChange } from '../../core/lib/changes.ts';
import type { AuditAction } from '../../core/writer/audit-actions.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { Change, ChangePart, Context } from '../../core/writer/command.ts';
import type { Entries } from '../../core/writer/log.ts';
import { codeDetails, type DetailCode, trackStatus } from './rules.ts';
import { type DueRetirement, type FoundTrack, touchManifestsOf } from './store.ts';
import { track } from './table.ts';
import { retirementEntries, trackEntry } from './timeline-store.ts';

/** Retire the tracks that `dueRetirementsQuery` returned. */
export function dueRetirementChange({ scope, now }: Context, due: readonly DueRetirement[]): ChangePart {
  if (due.length === 0) return { writes: [], audit: [] };
  const uuids = due.map(({ uuid }) => uuid);
  const set = { retirement: 'RETIRED', retireDate: now, updateDate: now } as const;
  return {
    writes: [scope.update(track, set, { uuids })],
    entries: [retirementEntries(uuids)],
    audit: due.map((found) =>
      auditedTrack('TRACK_RETIRED', found, [
        { field: 'trackStatus', oldValue: 'SCHEDULED_FOR_RETIREMENT', newValue: 'NOT_ACTIVE' },
      ]),
    ),
  };
}

/** An audit entry about a track. */
export const auditedTrack = auditing<{ uuid: string; wmsId: string }>('TRACK', ({ wmsId }) => wmsId);

/** A change of a track's row, with an entry in its timeline. */
export function trackChange(
  { scope, now }: Context,
  found: FoundTrack,
  action: AuditAction,
  set: Parameters<typeof scope.update<typeof track>>[1],
  entry: Entries,
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
      scope.update(track, { ...set, updateDate: now }, sql`uuid = ${found.uuid}`),
      touchManifestsOf(scope, [found.wmsId], now),
    ],
    entries: [entry],
    audit: [auditedTrack(action, found, changes)],
    answer: { value: {} },
  };
}

/**
 * Flag a track as damaged, because of something that shows the damage, which `reason` names. Nothing changes if it is
 * flagged as damaged already.
 */
export function damagedTrackChange(context: Context, found: FoundTrack, reason: DetailCode): ChangePart {
  if (found.flagged === 1 && found.damaged === 1) return { writes: [], audit: [] };
  const entry = trackEntry('FLAGGED', found.uuid, codeDetails(reason));
  return trackChange(context, found, 'TRACK_FLAGGED', { flagged: 1, damaged: 1 }, entry);
}
