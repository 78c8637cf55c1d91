import { type SQL, sql } from 'drizzle-orm';
import { boundFrom } from '../../access/database/store.ts';
import { providerSealedOtherwise } from '../../access/oidc/store.ts';
import { type Database, unscopedAsk } from '../../core/lib/database.ts';
import { type Databases, MAIN } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { livesHere, livesSomewhere } from '../../core/lib/look-up.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { type SealingKeys, sealedBy } from '../../core/lib/seal.ts';
import { isUnavailable } from '../../core/lib/store.ts';
import { DAY_MS } from '../../core/lib/time.ts';
import { isEventAfter, lastEventNumber } from '../../core/writer/numbers.ts';
import { isUnsettled } from '../../delivery/webhook/message-store.ts';
import { sealedOtherwise } from '../../delivery/webhook/store.ts';
import { type Figures, SUMS } from '../../dispatch/report/store.ts';

/** The limit up to which rows are counted: a number this high means as many or more. */
export const COUNTED_MAXIMUM = 10_000;

/** The numbers of a database for the metrics, as a turn of the schedule counts them. */
export interface Counts {
  /** In `DB` including moves, imports and erasures. */
  operations: number;
  undelivered: number;
  /** The date of the oldest event that is not delivered (epoch milliseconds), or null. */
  oldestDate: number | null;
  deadLetters: number;
  /** The number of webhooks and identity providers with values that this key has not sealed. */
  sealedOtherwise: { count: number; key: string };
  /** The sums over the shipments of all organizations that were completed in the last 24 hours. */
  figures: Figures;
}

/** The last measurement of a database, and its last complete turns. Dates are epoch milliseconds, and null for never. */
export interface DatabaseMetrics {
  databaseName: string;
  measureDate: number | null;
  /** Not null if the last attempt to measure the database failed. */
  failureDate: number | null;
  minuteDate: number | null;
  dayDate: number | null;
  sizeBytes: number | null;
  /** `sealedOtherwise` is null if it was counted for another key than the current one. */
  counts: (Omit<Counts, 'sealedOtherwise'> & { sealedOtherwise: number | null }) | null;
}

/** The measurements of all databases. */
export interface ServiceMetrics {
  /** The number of organizations; null if `DB` does not respond. */
  organizations: number | null;
  databases: DatabaseMetrics[];
}

const counted = (rows: SQL): SQL<{ count: number }> =>
  sql`SELECT count(*) AS count FROM (${rows} LIMIT ${sql.raw(String(COUNTED_MAXIMUM))})`;

/** The number of unfinished operations; in `DB` including those on organizations as a whole. */
const operationsQuery = counted(
  sql`SELECT 1 FROM operation INDEXED BY operation_overdue WHERE due_date IS NOT NULL`,
);
const jobsQuery = ({ organization }: Scope): SQL<{ count: number }> => sql`SELECT
  (SELECT count(*) FROM long_job INDEXED BY long_job_open WHERE finish_date IS NULL) AS count
  WHERE ${organization} = ${NO_ORGANIZATION}`;

const deadLettersQuery = counted(sql`SELECT 1 FROM dead_letter INDEXED BY dead_letter_create_date`);

/**
 * The number of deliveries and of events without deliveries, for webhooks that are not paused. The oldest date is the
 * oldest one among the counted deliveries.
 */
const undeliveredQuery = sql<{ undelivered: number; oldestDate: number | null }>`
  SELECT coalesce(sum(pending + unread), 0) AS undelivered, min(oldest) AS "oldestDate" FROM (
    SELECT (SELECT count(*) FROM (SELECT 1 FROM webhook_delivery d INDEXED BY webhook_delivery_pending
          WHERE d.webhook_uuid = w.uuid AND d.due_date IS NOT NULL LIMIT ${sql.raw(String(COUNTED_MAXIMUM))}))
        + (SELECT coalesce(sum(json_array_length(f.value, '$.deliveries')), 0) FROM json_each(w.open_messages) f
          WHERE ${isUnsettled(sql`w`)}) AS pending,
      max(0, ${lastEventNumber({ organization: sql`w.organization_uuid` })} - w.position) AS unread,
      min(coalesce((SELECT min(create_date) FROM (SELECT d.create_date
            FROM webhook_delivery d INDEXED BY webhook_delivery_pending
            WHERE d.webhook_uuid = w.uuid AND d.due_date IS NOT NULL LIMIT ${sql.raw(String(COUNTED_MAXIMUM))})), 9e15),
          coalesce((SELECT min(f.value ->> 'createDate') FROM json_each(w.open_messages) f
            WHERE ${isUnsettled(sql`w`)}), 9e15),
          coalesce((SELECT event_date FROM event
            WHERE ${isEventAfter({ organization: sql`w.organization_uuid` }, sql`w.position`)} ORDER BY id LIMIT 1), 9e15)) AS oldest
    FROM webhook w JOIN organization ON organization.uuid = w.organization_uuid AND ${livesHere}
    WHERE w.active = 1)`;

const sealedQuery = (keys: SealingKeys) =>
  counted(sql`SELECT 1 FROM webhook w WHERE ${sealedOtherwise(keys)}
    UNION ALL SELECT 1 FROM identity_provider p WHERE ${providerSealedOtherwise(keys)}`);

const organizationsQuery = ({
  organization,
}: Scope): SQL<{ total: number }> => sql`SELECT count(*) AS total FROM organization
  WHERE uuid <> ${organization} AND ${livesSomewhere}`;

/** The index of `shipment_figures` finds the rows of each organization. */
const figuresQuery = (now: number): SQL<{ figures: Json<Figures> }> => sql`SELECT ${SUMS} AS figures
  FROM organization CROSS JOIN shipment_figures ON shipment_figures.organization_uuid = organization.uuid
    AND close_date > ${now - DAY_MS}
  WHERE ${livesHere}`;

/**
 * Count the waiting work of a database.
 * @param main reads rows that belong to no organization, if the database is `DB`
 */
export async function countDatabase(
  db: D1Database,
  main: Database | undefined,
  keys: SealingKeys,
  now: number,
): Promise<Counts> {
  const { operations, deadLetters, undelivered, sealed, figures } = await unscopedAsk(db, {
    operations: operationsQuery,
    deadLetters: deadLettersQuery,
    undelivered: undeliveredQuery,
    sealed: sealedQuery(keys),
    figures: figuresQuery(now),
  });
  const jobs = main && (await main.first(jobsQuery(main)));
  const { undelivered: count, oldestDate } = undelivered[0]!;
  return {
    operations: operations[0]!.count + (jobs?.count ?? 0),
    undelivered: count,
    oldestDate: count > 0 ? oldestDate : null,
    deadLetters: deadLetters[0]!.count,
    sealedOtherwise: { count: sealed[0]!.count, key: sealedBy(keys[0]) },
    figures: parseJson(figures[0]!.figures),
  };
}

type MeasuredRow = Omit<DatabaseMetrics, 'counts'> & { counts: Json<Counts> | null };

const measuredQuery = ({ organization }: Scope, names: readonly string[]): SQL<MeasuredRow> => sql`SELECT
    database_name AS "databaseName", measure_date AS "measureDate", failure_date AS "failureDate",
    minute_date AS "minuteDate", day_date AS "dayDate", size_bytes AS "sizeBytes", counts
  FROM ${boundFrom(names)} WHERE ${organization} = ${NO_ORGANIZATION}`;

/**
 * Read the last measurements of all databases. While `DB` does not respond, only that is known.
 * @param database reads rows that belong to no organization
 */
export async function readMetrics(
  { names }: Databases,
  database: Database,
  keys: SealingKeys,
): Promise<ServiceMetrics> {
  try {
    const { measured, organizations } = await database.ask({
      measured: measuredQuery(database, names),
      organizations: organizationsQuery(database),
    });
    const databases = measured.map((row) => ({
      ...row,
      counts: row.counts && ofKey(parseJson(row.counts), keys),
    }));
    return { organizations: organizations[0]!.total, databases };
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    console.warn(JSON.stringify({ database: MAIN, error: String(error) }));
    return { organizations: null, databases: [{ ...UNKNOWN, databaseName: MAIN, failureDate: Date.now() }] };
  }
}

const UNKNOWN = { measureDate: null, minuteDate: null, dayDate: null, sizeBytes: null, counts: null };

const ofKey = ({ sealedOtherwise: { count, key }, ...counts }: Counts, keys: SealingKeys) => ({
  ...counts,
  sealedOtherwise: key === sealedBy(keys[0]) ? count : null,
});
