import { type SQL, sql } from 'drizzle-orm';
import type { FieldChange } from '../audit/chain.ts';
import { inList } from '../lib/database.ts';
import type { Change, Context, Part } from '../writer/command.ts';
import { dueRetirementsQuery, recordRetirement } from './store.ts';
import { track } from './table.ts';

/**
 * Retire what is scheduled for it and stands on no open manifest any more, once manifests and records that `leaving`
 * holds for (`m` and `a`) are gone or closed.
 */
export async function retireLeft(context: Context, leaving: SQL): Promise<Part> {
  const { database, now } = context;
  const due = await database.all<{ uuid: string; wmsId: string }>(dueRetirementsQuery(database, leaving));
  if (due.length === 0) return { writes: [], audit: [] };
  const uuids = due.map(({ uuid }) => uuid);
  const set = { retirement: 'RETIRED', retireDate: now, updateDate: now } as const;
  return {
    writes: [recordRetirement(database, uuids, now), database.update(track, set, sql`uuid ${inList(uuids)}`)],
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
