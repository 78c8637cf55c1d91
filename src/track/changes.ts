import type { SQL } from 'drizzle-orm';
import type { FieldChange } from '../lib/changes.ts';
import type { Change, Context, Part } from '../writer/command.ts';
import { dueRetirementsQuery, recordRetirement } from './store.ts';
import { track } from './table.ts';

/**
 * Retire tracks that are scheduled for it and stand on no open manifest any more, once manifests and records that
 * `leaving` holds for (`m` and `a`) are closed or gone; `wmsIds` is what the WMS ids of those records are `IN`.
 */
export async function retireLeft({ database, now }: Context, wmsIds: SQL, leaving: SQL): Promise<Part> {
  const due = await database.all<{ uuid: string; wmsId: string }>(
    dueRetirementsQuery(database, wmsIds, leaving),
  );
  if (due.length === 0) return { writes: [], audit: [] };
  const uuids = due.map(({ uuid }) => uuid);
  const set = { retirement: 'RETIRED', retireDate: now, updateDate: now } as const;
  return {
    writes: [recordRetirement(database, uuids, now), database.update(track, set, { uuids })],
    audit: due.map((found) =>
      auditedTrack('TRACK_RETIRED', found, [
        { field: 'trackStatus', oldValue: 'SCHEDULED_FOR_RETIREMENT', newValue: 'NOT_ACTIVE' },
      ]),
    ),
  };
}

/** An audit entry about a track. */
export const auditedTrack = (
  action: string,
  { uuid, wmsId }: { uuid: string; wmsId: string },
  changes: FieldChange[],
): Change['audit'][number] => ({
  action,
  entityType: 'TRACK',
  entityUuid: uuid,
  entityExternalId: wmsId,
  changes,
});
