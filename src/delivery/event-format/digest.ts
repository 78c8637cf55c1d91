import { sql } from 'drizzle-orm';
import type { Database } from '../../core/lib/database.ts';
import { type Period, type QuietHours, quietAt } from '../../core/lib/quiet.ts';
import type { StoredEvent } from '../../log/event/present.ts';

/** The maximum number of deliveries of a period that are read. More than the list of a message shows. */
const READ_MAXIMUM = 500;

/** The time zone of an organization, and its quiet hours. Null for none. */
interface Settings {
  from: string | null;
  to: string | null;
  timeZone: string;
}
const hasQuietHours = (settings: Settings): settings is QuietHours =>
  settings.from !== null && settings.to !== null;

/** Events that happened in one quiet period. */
interface Held {
  period: Period;
  events: StoredEvent[];
}

/** The events of each quiet period, and the other ones. Also the zone of the site (IANA). */
export async function byQuietPeriod(
  database: Database,
  events: readonly StoredEvent[],
): Promise<{ held: Held[]; others: StoredEvent[]; zone: string }> {
  const { organization } = database;
  const [settings] = await database.all(sql<Settings>`SELECT quiet_from AS "from", quiet_to AS "to",
      time_zone AS "timeZone" FROM organization WHERE uuid = ${organization}`);
  const quiet = settings && hasQuietHours(settings) ? settings : null;
  const now = Date.now();
  const periods = Map.groupBy(events, ({ eventDate }) => {
    const period = quietAt(quiet, eventDate);
    // An event whose period has not ended is sent only if the quiet hours were changed.
    return period && period.end <= now ? period.begin : null;
  });
  const others = periods.get(null) ?? [];
  periods.delete(null);
  return {
    others,
    zone: settings?.timeZone ?? 'UTC',
    held: [...periods.values()].map((ofPeriod) => ({
      period: quietAt(quiet, ofPeriod[0]!.eventDate)!,
      events: ofPeriod,
    })),
  };
}

/** A delivered event of a quiet period. */
export interface HeldRow {
  sequenceNumber: number;
  eventType: StoredEvent['eventType'];
  data: NonNullable<StoredEvent['data']>;
  /** Whether it is an alert that was resolved since. */
  resolved: 0 | 1;
}

/**
 * All events of a quiet period that a webhook has deliveries of, the latest first. A webhook has a delivery only of events
 * that match its filters.
 */
export const heldRows = (
  { organization }: Database,
  webhook: string,
  { begin, end }: Period,
) => sql<HeldRow>`SELECT d.sequence_number AS "sequenceNumber", e.event_type AS "eventType", e.data,
    coalesce(a.status = 'RESOLVED', 0) AS resolved
  FROM webhook_delivery d CROSS JOIN event e
    ON e.organization_uuid = d.organization_uuid AND e.sequence_number = d.sequence_number
  LEFT JOIN alert a ON e.entity_type = 'ALERT' AND a.uuid = e.entity_uuid
  WHERE d.organization_uuid = ${organization} AND d.webhook_uuid = ${webhook} AND d.create_date >= ${begin}
    AND e.event_date >= ${begin} AND e.event_date < ${end} AND e.data IS NOT NULL
  ORDER BY d.sequence_number DESC LIMIT ${READ_MAXIMUM}`;
