import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../lib/asks.ts';
import type { Scope } from '../lib/scope.ts';
import { EMPTY_HEAD, type Head, headQuery } from './commit.ts';
import { lastEventQuery } from './idempotency.ts';
import { type Names, NO_NAMES } from './log.ts';
import type { Mark } from './mark.ts';
import { type OrganizationSettings, settingsQuery, toSettings } from './settings.ts';

/** What a writer keeps in memory of an organization, as of its last commit. */
export interface Known {
  head: Head;
  names: Names;
  /** Null in the operator's own log. */
  organization: OrganizationSettings | null;
  /** The last marker code that was handed out; null where there is none. */
  lastMarkerCode: number | null;
}

/** The next marker code of an organization; null in the operator's own log. */
export const nextMarkerCodeOf = ({ organization, lastMarkerCode }: Known): number | null =>
  organization && (lastMarkerCode === null ? organization.markerCodeStart : lastMarkerCode + 1);

/** A rewind: D1 was restored to an earlier state, while the organization's object kept its mark. */
export interface Rewind {
  /** The last sequence number that the audit log still has. */
  lastSequenceNumber: number;
  /** The last sequence number that may have been used. Numbers up to it are skipped. */
  lostSequenceNumber: number;
  lastEventSequenceNumber: number;
  lostEventSequenceNumber: number;
  lastMarkerCode: number | null;
  /** The next marker code; null in the operator's own log. */
  nextMarkerCode: number | null;
  /** The mark that has to be durable before the rewind is declared. */
  mark: Mark;
}

/**
 * How many numbers behind a mark are skipped after a rewind. D1 may have confirmed commits, and others may have read
 * them, whose mark was not yet durable.
 */
const UNCONFIRMED_MAXIMUM = 1_000;

/** The last marker code that was allocated, including those that a rewind has lost. */
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
 * The first record at or behind the mark, or at or behind the number of a rewind that was about to be declared. In the
 * latter case finding the mark's own record is not enough: D1 may have it again, or may have an earlier rewind behind
 * it, and still have lost something since.
 */
const markedQuery = (scope: Scope, mark: Mark | undefined): SQL<MarkedRecord> => sql`SELECT
  sequence_number AS "sequenceNumber", hash, action FROM audit_log
  WHERE organization_uuid = ${scope.organization}
    AND sequence_number >= ${(mark?.declaring ?? mark)?.sequenceNumber ?? 1}
  ORDER BY sequence_number LIMIT 1`;

/** The action of an audit record that declares a rewind. */
export const STORE_REWOUND = 'STORE_REWOUND';

/** Whether nothing is lost: the log still has the record of the mark, or a declaration of its loss. */
const holds = (mark: Mark | undefined, record: MarkedRecord | undefined): boolean =>
  mark === undefined ||
  mark.sequenceNumber === 0 ||
  (record !== undefined &&
    (record.sequenceNumber === mark.sequenceNumber
      ? record.hash === mark.hash
      : record.action === STORE_REWOUND));

/** The reads from which `takeKnown` makes what a writer has to know. */
export const knownAsks = (scope: Scope, mark: Mark | undefined) => ({
  ends: headQuery(scope),
  events: lastEventQuery(scope),
  settings: settingsQuery(scope.organization),
  markers: lastCodeQuery(scope),
  marked: markedQuery(scope, mark),
});

/** What a writer knows from the rows of `knownAsks`, and the rewind that shows in comparison with the mark, if any. */
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
  // Codes begin at 1 or later, so 0 means none.
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

/** Whether the mark is up to date. An organization without any record needs none. */
export const isMarked = (mark: Mark | undefined, { head, lastMarkerCode }: Known): boolean =>
  head.sequenceNumber === 0 || (mark?.hash === head.hash && mark.lastMarkerCode === lastMarkerCode);

/** The mark of what a writer knows. */
export const markOf = ({ head, lastMarkerCode }: Known): Mark => ({ ...head, lastMarkerCode });
