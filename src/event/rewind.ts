import { sql } from 'drizzle-orm';
import { newUuid } from '../lib/id.ts';
import type { Scope } from '../lib/scope.ts';
import { ofService } from '../writer/client.ts';
import type { Change } from '../writer/command.ts';
import type { Decided } from '../writer/commit.ts';
import { type Rewind, STORE_REWOUND } from '../writer/known.ts';
import { storeRewind } from '../writer/table.ts';
import { COLUMNS } from './store.ts';

/** What the event of a rewind has as its `data`. */
export interface RewindData {
  /** The last number of the audit log that there is before the gap. */
  lastSequenceNumber: number;
  /** The last number that there was, or a later one. */
  lostSequenceNumber: number;
  /** The code that is handed out next. */
  nextMarkerCode: number | null;
}

/** The event of a rewind shows what it has. */
export const presentRewind = (_links: string, stored: RewindData): RewindData => stored;

/** Tell that the store was put back to an earlier state: an audit record and, to an organization, an event. */
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

/** Numbered behind the gap by itself; all after it follow the last there is. */
function event(
  scope: Scope,
  { lastSequenceNumber, lostSequenceNumber, nextMarkerCode, lostEventSequenceNumber }: Rewind,
  now: number,
) {
  const data: RewindData = { lastSequenceNumber, lostSequenceNumber, nextMarkerCode };
  return sql`INSERT INTO event ${COLUMNS} VALUES (${scope.organization}, ${lostEventSequenceNumber + 1}, ${newUuid()},
    ${STORE_REWOUND}, ${now}, NULL, 'ORGANIZATION', ${scope.organization}, NULL, ${JSON.stringify(data)}, NULL, NULL)`;
}
