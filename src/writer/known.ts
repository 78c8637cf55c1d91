import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../lib/asks.ts';
import type { Scope } from '../lib/scope.ts';
import { EMPTY_HEAD, type Head, headQuery } from './commit.ts';
import { lastEventQuery } from './idempotency.ts';
import { type Names, NO_NAMES } from './log.ts';
import type { Mark } from './mark.ts';
import { type OrganizationSettings, settingsQuery, toSettings } from './settings.ts';

/** What a writer knows without asking, until it learns that somebody else has written. */
export interface Known {
  head: Head;
  names: Names;
  /** Null in the operator's own log. */
  organization: OrganizationSettings | null;
  /** The last marker code that was handed out; null where none was. */
  lastMarkerCode: number | null;
}

/** The next marker code of an organization; null in the operator's own log. */
export const nextMarkerCodeOf = ({ organization, lastMarkerCode }: Known): number | null =>
  organization && (lastMarkerCode === null ? organization.markerCodeStart : lastMarkerCode + 1);

/** That D1 was put back to an earlier state while the organization's object kept its own. */
export interface Rewind {
  /** The last number of the audit log that there is. */
  lastSequenceNumber: number;
  /** The last number that there was, or a later one. */
  lostSequenceNumber: number;
  lastEventSequenceNumber: number;
  lostEventSequenceNumber: number;
  lastMarkerCode: number | null;
  /** The code that is handed out next; null in the operator's own log. */
  nextMarkerCode: number | null;
  /** What the object's mark has to say before this is declared. */
  mark: Mark;
}

/**
 * Numbers that are left out behind a mark: of commits that D1 confirmed, and others may have read, while the mark of
 * them was still on its way to the object's storage.
 */
const UNCONFIRMED_MAXIMUM = 1_000;

/** The last code that was allocated, also what a rewind has lost. */
const lastCodeQuery = ({
  organization,
}: Scope): SQL<{ last: number | null }> => sql`SELECT max(last) AS last FROM (
  SELECT max(last_marker_code) AS last FROM store_rewind WHERE organization_uuid = ${organization}
  UNION ALL SELECT * FROM (SELECT last_marker_code FROM marker_allocation
    WHERE organization_uuid = ${organization} ORDER BY first_marker_code DESC LIMIT 1))`;

interface MarkedRecord {
  sequenceNumber: number;
  hash: string;
  action: string;
}

/**
 * The first record at a mark or behind it; where a rewind was about to be declared, at the number of that or behind it:
 * that D1 has the record of the mark again, or an earlier rewind behind it, does not mean that nothing was lost.
 */
const markedQuery = (scope: Scope, mark: Mark | undefined): SQL<MarkedRecord> => sql`SELECT
  sequence_number AS "sequenceNumber", hash, action FROM audit_log
  WHERE organization_uuid = ${scope.organization}
    AND sequence_number >= ${(mark?.declaring ?? mark)?.sequenceNumber ?? 1}
  ORDER BY sequence_number LIMIT 1`;

/** What the audit log calls a rewind. */
export const STORE_REWOUND = 'STORE_REWOUND';

/** Whether the log still has what the mark says, or has said that it lost it. */
const holds = (mark: Mark | undefined, record: MarkedRecord | undefined): boolean =>
  mark === undefined ||
  mark.sequenceNumber === 0 ||
  (record !== undefined &&
    (record.sequenceNumber === mark.sequenceNumber
      ? record.hash === mark.hash
      : record.action === STORE_REWOUND));

/** Ask for what a writer has to know; `takeKnown` reads the answers. */
export const knownAsks = (scope: Scope, mark: Mark | undefined) => ({
  ends: headQuery(scope),
  events: lastEventQuery(scope),
  settings: settingsQuery(scope.organization),
  markers: lastCodeQuery(scope),
  marked: markedQuery(scope, mark),
});

/** What is known by the answers to `knownAsks`, and the rewind that they show by the object's mark. */
export function takeKnown(
  {
    ends: [end],
    events: [event],
    settings: [settings],
    markers: [marker],
    marked: [marked],
  }: RowsOf<ReturnType<typeof knownAsks>>,
  mark: Mark | undefined,
): { known: Known; rewind: Rewind | undefined } {
  const head: Head = { ...(end ?? EMPTY_HEAD), eventSequenceNumber: event!.eventSequenceNumber };
  const organization = settings ? toSettings(settings) : null;
  // Codes begin at 1 or later: 0 is none.
  const lastMarkerCode = Math.max(marker!.last ?? 0, mark?.lastMarkerCode ?? 0) || null;
  const known = { head, names: NO_NAMES, organization, lastMarkerCode };
  if (!mark || holds(mark, marked)) return { known, rewind: undefined };
  const lost = (number: 'sequenceNumber' | 'eventSequenceNumber') =>
    Math.max(head[number], mark[number], mark.declaring?.[number] ?? 0) + UNCONFIRMED_MAXIMUM;
  const [lostSequenceNumber, lostEventSequenceNumber] = [lost('sequenceNumber'), lost('eventSequenceNumber')];
  const declaring = {
    sequenceNumber: lostSequenceNumber + 1,
    eventSequenceNumber: lostEventSequenceNumber + 1,
  };
  return {
    known,
    rewind: {
      lastSequenceNumber: head.sequenceNumber,
      lostSequenceNumber,
      lastEventSequenceNumber: head.eventSequenceNumber,
      lostEventSequenceNumber,
      lastMarkerCode,
      nextMarkerCode: nextMarkerCodeOf(known),
      mark: { ...mark, declaring },
    },
  };
}

/** Whether a mark says how far an organization has come; none is needed where it has not begun. */
export const isMarked = (mark: Mark | undefined, { head, lastMarkerCode }: Known): boolean =>
  head.sequenceNumber === 0 || (mark?.hash === head.hash && mark.lastMarkerCode === lastMarkerCode);

/** How far an organization has come. */
export const markOf = ({ head, lastMarkerCode }: Known): Mark => ({ ...head, lastMarkerCode });
