import { auditing } from '../../core/writer/audited.ts';
import type { ChangePart, Context } from '../../core/writer/command.ts';
import { recordRetirement } from './activity-store.ts';
import type { DueRetirement } from './store.ts';
import { track } from './table.ts';

/** Retire the tracks that `dueRetirementsQuery` returned. */
export function retireDue({ scope, now }: Context, due: readonly DueRetirement[]): ChangePart {
  if (due.length === 0) return { writes: [], audit: [] };
  const uuids = due.map(({ uuid }) => uuid);
  const set = { retirement: 'RETIRED', retireDate: now, updateDate: now } as const;
  return {
    writes: [recordRetirement(scope, uuids, now), scope.update(track, set, { uuids })],
    audit: due.map((found) =>
      auditedTrack('TRACK_RETIRED', found, [
        { field: 'trackStatus', oldValue: 'SCHEDULED_FOR_RETIREMENT', newValue: 'NOT_ACTIVE' },
      ]),
    ),
  };
}

/** An audit entry about a track. */
export const auditedTrack = auditing<{ uuid: string; wmsId: string }>('TRACK', ({ wmsId }) => wmsId);
