import { sql } from 'drizzle-orm';
import { newUuid } from '../../core/lib/id.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { ofService } from '../../core/writer/client.ts';
import { type Change, eventInsert } from '../../core/writer/command.ts';
import type { Decided } from '../../core/writer/commit.ts';
import { rowIdOf } from '../../core/writer/numbers.ts';
import { storeRewind } from '../../core/writer/table.ts';
import { type Rewind, STORE_REWOUND } from '../../core/writer/writer-state.ts';
import { EVENT_COLUMNS } from './store.ts';

/** The `data` of the event of a rewind. */
interface RewindData {
  /** The last number of the audit log before the gap. */
  lastSequenceNumber: number;
  /** The last number that may have been used before. */
  lostSequenceNumber: number;
  /** The next marker code. */
  nextMarkerCode: number | null;
}

/** The presenter of a rewind. */
export const presentRewind = (_links: string, stored: RewindData): RewindData => stored;

/** The change that declares a rewind: an audit record and, for an organization, an event. */
export function declareRewind(scope: Scope, rewind: Rewind, now: number): Decided {
  const { lastSequenceNumber, lostSequenceNumber, lastMarkerCode, nextMarkerCode } = rewind;
  const change: Change = {
    writes: scope.insert(storeRewind, [
      {
        sequenceNumber: lostSequenceNumber + 1,
        skippedCount: lostSequenceNumber - lastSequenceNumber,
        lastMarkerCode,
      },
    ]),
    audit: [
      {
        action: STORE_REWOUND,
        entityType: 'ORGANIZATION',
        entityUuid: scope.organization,
        entityExternalId: null,
        changes: [
          { field: 'lastSequenceNumber', oldValue: lostSequenceNumber, newValue: lastSequenceNumber },
          { field: 'nextMarkerCode', oldValue: null, newValue: nextMarkerCode },
        ],
      },
    ],
    events: [event(scope, rewind, now)],
    answer: { value: null },
  };
  return { request: ofService('declareRewind', {}, 'Store'), change, now };
}

/** The event's number is explicit, because it is after the gap. Later events follow the last number. */
function event(
  scope: Scope,
  { lastSequenceNumber, lostSequenceNumber, nextMarkerCode, lostEventSequenceNumber }: Rewind,
  now: number,
) {
  const data: RewindData = { lastSequenceNumber, lostSequenceNumber, nextMarkerCode };
  return eventInsert(sql`INSERT INTO event ${EVENT_COLUMNS} VALUES (${rowIdOf(scope, lostEventSequenceNumber + 1)}, ${newUuid()},
    ${STORE_REWOUND}, ${now}, NULL, 'ORGANIZATION', ${scope.organization}, NULL, ${JSON.stringify(data)}, NULL, NULL)`);
}
