import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../lib/asks.ts';
import type { Scope } from '../lib/scope.ts';
import { seeking } from '../lib/sql.ts';
import { reaching } from '../lib/store.ts';
import { rowAt } from './audit-table.ts';
import { EMPTY_HEAD, type Head } from './commit.ts';
import { lastEventQuery } from './idempotency.ts';
import { endQuery, type Names, NO_NAMES } from './log.ts';
import { type OrganizationSettings, settingsQuery, toSettings } from './settings.ts';

/** The writer's memory of an organization, as of its last commit. */
export interface WriterState {
  head: Head;
  names: Names;
  /** Null in the operator's own log. */
  organization: OrganizationSettings | null;
  /** The last allocated marker code, or null. */
  lastMarkerCode: number | null;
}

/** The next marker code of an organization; null in the operator's own log. */
export const nextMarkerCodeOf = ({ organization, lastMarkerCode }: WriterState): number | null =>
  organization && (lastMarkerCode === null ? organization.markerCodeStart : lastMarkerCode + 1);

/** A rewind: D1 was restored to an earlier state, while the organization's object kept its watermark. */
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
  /** The watermark that must be durable before the rewind is declared. */
  watermark: Watermark;
}

/**
 * How many numbers after a watermark are skipped after a rewind. D1 may have confirmed commits whose watermark was not
 * yet durable, and others may have read them.
 */
const UNCONFIRMED_MAXIMUM = 1_000;

/** The last allocated marker code, including codes that a rewind has lost. */
const lastCodeQuery = ({
  organization,
}: Scope): SQL<{ last: number | null }> => sql`SELECT max(last) AS last FROM (
  SELECT max(last_marker_code) AS last FROM store_rewind WHERE organization_uuid = ${organization}
  UNION ALL SELECT * FROM (SELECT last_marker_code FROM marker_allocation
    WHERE organization_uuid = ${organization} ORDER BY first_marker_code DESC LIMIT 1))`;

interface WatermarkRecord {
  sequenceNumber: number;
  hash: string;
  action: string;
}

/**
 * The first record at or after the watermark, or at or after the number of a rewind that was about to be declared. In
 * the latter case the watermark's own record proves nothing. D1 may have it again, and still have lost a later commit.
 * The same holds if an earlier rewind follows that record.
 */
const watermarkQuery = (scope: Scope, watermark: Watermark | undefined): SQL<WatermarkRecord> => {
  const number = sql`${(watermark?.declaring ?? watermark)?.sequenceNumber ?? 1}`;
  return sql`SELECT sequence_number AS "sequenceNumber", hash, action FROM audit_log
  WHERE organization_uuid = ${scope.organization} AND sequence_number >= ${number}
    AND ${seeking(sql`log_id >= coalesce(${rowAt(scope, number)}, 0)`)}
  ORDER BY log_id, sequence_number LIMIT 1`;
};

/** The action of an audit record that declares a rewind. */
export const STORE_REWOUND = 'STORE_REWOUND';

/** Whether nothing is lost: the log still has the watermark's record, or a declaration of its loss. */
const holds = (watermark: Watermark | undefined, record: WatermarkRecord | undefined): boolean =>
  watermark === undefined ||
  watermark.sequenceNumber === 0 ||
  (record !== undefined &&
    (record.sequenceNumber === watermark.sequenceNumber
      ? record.hash === watermark.hash
      : record.action === STORE_REWOUND));

/** The reads from which `takeState` makes the writer's state. */
export const stateAsks = (scope: Scope, watermark: Watermark | undefined) => ({
  ends: endQuery(scope),
  events: lastEventQuery(scope),
  settings: settingsQuery(scope.organization),
  markers: lastCodeQuery(scope),
  marked: watermarkQuery(scope, watermark),
});

/** The writer's state from the rows of `stateAsks`, and the rewind that the watermark reveals, if any. */
export function takeState(
  {
    ends: [end],
    events: [event],
    settings: [settings],
    markers: [marker],
    marked: [atWatermark],
  }: RowsOf<ReturnType<typeof stateAsks>>,
  watermark: Watermark | undefined,
): { state: WriterState; rewind: Rewind | undefined } {
  const head: Head = { ...(end ?? EMPTY_HEAD), eventSequenceNumber: event!.eventSequenceNumber };
  const organization = settings ? toSettings(settings) : null;
  // Marker codes begin at 1 or later, so 0 means that no code exists.
  const lastMarkerCode = Math.max(marker!.last ?? 0, watermark?.lastMarkerCode ?? 0) || null;
  const state = { head, names: NO_NAMES, organization, lastMarkerCode };
  if (!watermark || holds(watermark, atWatermark)) return { state, rewind: undefined };
  const endOf = (number: 'sequenceNumber' | 'eventSequenceNumber') =>
    Math.max(head[number], watermark[number], watermark.declaring?.[number] ?? 0) + UNCONFIRMED_MAXIMUM;
  const [lostSequenceNumber, lostEventSequenceNumber] = [
    endOf('sequenceNumber'),
    endOf('eventSequenceNumber'),
  ];
  const declaring = {
    sequenceNumber: lostSequenceNumber + 1,
    eventSequenceNumber: lostEventSequenceNumber + 1,
  };
  return {
    state,
    rewind: {
      lastSequenceNumber: head.sequenceNumber,
      lostSequenceNumber,
      lastEventSequenceNumber: head.eventSequenceNumber,
      lostEventSequenceNumber,
      lastMarkerCode,
      nextMarkerCode: nextMarkerCodeOf(state),
      watermark: { ...watermark, declaring },
    },
  };
}

/** Whether the watermark is up to date. An organization without any record needs no watermark. */
export const isAtWatermark = (
  watermark: Watermark | undefined,
  { head, lastMarkerCode }: WriterState,
): boolean =>
  head.sequenceNumber === 0 || (watermark?.hash === head.hash && watermark.lastMarkerCode === lastMarkerCode);

export const watermarkOf = ({ head, lastMarkerCode }: WriterState): Watermark => ({
  ...head,
  lastMarkerCode,
});

/**
 * The state of an organization at the last commit that its object knows. It is in the object's own storage, which a
 * restore of D1 does not affect. It is written only after D1 has confirmed a commit. So if D1 is behind the watermark,
 * D1 was restored.
 */
export interface Watermark extends Head {
  /** The last allocated marker code, or null. */
  lastMarkerCode: number | null;
  /**
   * The numbers that the declaration of a rewind was about to use. They are written before anyone can see the
   * declaration in D1. If D1 loses the declaration, the next declaration uses later numbers. Only the latest entry is
   * stored, as it has the highest numbers.
   */
  declaring?: Pick<Head, 'sequenceNumber' | 'eventSequenceNumber'>;
}

export interface WatermarkStore {
  read(): Promise<Watermark | undefined>;
  /** Write a watermark. Resolves when it is durable. Answers to callers wait for that, commits do not. */
  write(watermark: Watermark): Promise<void>;
}

const KEY = 'mark';

/**
 * Watermarks in the storage of a Durable Object. With `allowUnconfirmed` the following calls to D1 do not wait for the
 * write.
 */
export function watermarksIn(storage: DurableObjectStorage): WatermarkStore {
  return {
    read: () => reaching(() => storage.get<Watermark>(KEY)),
    write: (watermark) =>
      reaching(() => {
        void storage.put(KEY, watermark, { allowUnconfirmed: true });
        return storage.sync();
      }),
  };
}
