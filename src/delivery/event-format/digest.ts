import { sql } from 'drizzle-orm';
import type { Database } from '../../core/lib/database.ts';
import { inList } from '../../core/lib/sql.ts';
import { rowIdOf } from '../../core/writer/numbers.ts';
import type { StoredEvent } from '../../log/event/present.ts';
import { HAS_COUNTERPART } from '../webhook/changes.ts';

/** An event that a message lists. */
export interface ListedRow {
  eventType: StoredEvent['eventType'];
  data: NonNullable<StoredEvent['data']>;
}

/** The events that one message lists, and the numbers of all of them. */
export interface Digest {
  /** The latest events, the latest first. */
  rows: readonly ListedRow[];
  /** The number of all events, without alerts that were resolved. */
  total: number;
  hasAlert: boolean;
  /** When the first one happened, in epoch milliseconds. */
  since: number;
}

/** A delivery of a digest: the first one has the message, and the message lists the others. */
export interface InDigest {
  sequenceNumber: number;
  uuid: string;
  /** Whether this delivery has the message. */
  leads: 0 | 1;
}

/**
 * Read the deliveries of these events that belong to digests, by sequence number. Also read the time zone of the
 * organization (IANA).
 */
export async function readDeliveries(
  database: Database,
  webhook: string,
  events: readonly StoredEvent[],
): Promise<{ zone: string; deliveries: Map<number, InDigest> }> {
  const { organization } = database;
  const rows = await database.all(sql<{ zone: string } & (InDigest | { uuid: null })>`
    SELECT o.time_zone AS zone, d.sequence_number AS "sequenceNumber", d.uuid, d.digest_uuid = d.uuid AS leads
    FROM organization o LEFT JOIN webhook_delivery d ON d.organization_uuid = o.uuid AND d.webhook_uuid = ${webhook}
      AND d.sequence_number ${inList(events.map(({ sequenceNumber }) => sequenceNumber))}
      AND d.digest_uuid IS NOT NULL
    WHERE o.uuid = ${organization}`);
  return {
    zone: rows[0]?.zone ?? 'UTC',
    deliveries: new Map(rows.flatMap((row) => (row.uuid === null ? [] : [[row.sequenceNumber, row]]))),
  };
}

/** Read the events that the message of a delivery lists; undefined if none is left. */
export async function readDigest(
  database: Database,
  webhook: string,
  leader: string,
  maximum: number,
): Promise<Digest | undefined> {
  const { organization } = database;
  const rows = await database.all(sql<
    ListedRow & Omit<Digest, 'rows' | 'hasAlert'> & { hasAlert: 0 | 1 }
  >`SELECT e.event_type AS "eventType", e.data, count(*) OVER () AS total,
      max(e.event_type = 'ALERT_RAISED') OVER () AS "hasAlert", min(e.event_date) OVER () AS since
    FROM (SELECT sequence_number AS number FROM webhook_delivery WHERE digest_uuid = ${leader}
      AND +organization_uuid = ${organization} AND +webhook_uuid = ${webhook}) d
    CROSS JOIN event e ON e.id = ${rowIdOf(database, sql`d.number`)}
    LEFT JOIN alert a ON e.entity_type = 'ALERT' AND a.uuid = e.entity_uuid
    WHERE e.data IS NOT NULL AND ${HAS_COUNTERPART.SLACK} AND coalesce(a.status <> 'RESOLVED', 1)
    ORDER BY d.number DESC LIMIT ${maximum}`);
  const [first] = rows;
  if (!first) return undefined;
  const { total, hasAlert, since } = first;
  return { rows, total, hasAlert: hasAlert === 1, since };
}
