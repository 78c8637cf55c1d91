import { type SQL, sql } from 'drizzle-orm';
import { measure } from '../../access/database/store.ts';
import { providerSealedOtherwise } from '../../access/oidc/store.ts';
import { type Database, unscopedAsk } from '../../core/lib/database.ts';
import { type Databases, MAIN } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { livesHere, livesSomewhere } from '../../core/lib/look-up.ts';
import type { Scope } from '../../core/lib/scope.ts';
import type { SealingKeys } from '../../core/lib/seal.ts';
import { DAY_MS } from '../../core/lib/time.ts';
import { isEventAfter, lastEventNumber } from '../../core/writer/numbers.ts';
import { isUnsettled } from '../../delivery/webhook/message-store.ts';
import { sealedOtherwise } from '../../delivery/webhook/store.ts';
import { type Figures, SUMS } from '../../dispatch/report/store.ts';

/** The limit up to which rows are counted: a number this high means as many or more. */
export const COUNTED_MAXIMUM = 10_000;

/** The maximum number of organizations of a database with figures: the oldest ones. */
export const ORGANIZATIONS_MAXIMUM = 100;

/** The figures of an organization's shipments that were completed in the last 24 hours. */
export interface DayFigures {
  slug: string;
  figures: Figures;
}

interface Counts {
  operations: number;
  undelivered: number;
  /** The date of the oldest event that is not delivered (epoch milliseconds), or null. */
  oldestDate: number | null;
  deadLetters: number;
  /** The number of webhooks and identity providers with values that the first key has not sealed. */
  sealedOtherwise: number;
  /** About all databases; only from `DB`. */
  organizations: number | null;
}

/** The measurements of a database; null where it does not respond. */
export interface DatabaseMetrics {
  databaseName: string;
  sizeBytes: number | null;
  counts: Counts | null;
  /** Of organizations that completed a shipment in the last 24 hours. */
  figures: DayFigures[];
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

const figuresQuery = (now: number): SQL<{ slug: string; figures: Json<Figures> }> => sql`SELECT slug,
    (SELECT ${SUMS} FROM shipment_figures f WHERE f.organization_uuid = o.uuid AND f.close_date > ${now - DAY_MS}) AS figures
  FROM (SELECT uuid, slug FROM organization WHERE ${livesHere} ORDER BY create_date, uuid
    LIMIT ${sql.raw(String(ORGANIZATIONS_MAXIMUM))}) o`;

/**
 * Measure every database. A database that does not respond does not delay the others.
 * @param database reads rows that belong to no organization
 */
export const readMetrics = (
  databases: Databases,
  database: Database,
  keys: SealingKeys,
): Promise<DatabaseMetrics[]> =>
  Promise.all(
    databases.names.map(async (databaseName): Promise<DatabaseMetrics> => {
      const { sizeBytes } = await measure(databases, databaseName);
      const down = { databaseName, sizeBytes: null, counts: null, figures: [] };
      if (sizeBytes === null) return down;
      try {
        return { databaseName, sizeBytes, ...(await countsOf(databases, databaseName, database, keys)) };
      } catch (error) {
        console.warn(JSON.stringify({ database: databaseName, error: String(error) }));
        return down;
      }
    }),
  );

async function countsOf(
  databases: Databases,
  databaseName: string,
  database: Database,
  keys: SealingKeys,
): Promise<Pick<DatabaseMetrics, 'counts' | 'figures'>> {
  const { operations, deadLetters, undelivered, sealed, figures } = await unscopedAsk(
    databases.named(databaseName),
    {
      operations: operationsQuery,
      deadLetters: deadLettersQuery,
      undelivered: undeliveredQuery,
      sealed: sealedQuery(keys),
      figures: figuresQuery(Date.now()),
    },
  );
  const ofService =
    databaseName === MAIN
      ? await database.ask({ jobs: jobsQuery(database), organizations: organizationsQuery(database) })
      : undefined;
  const { undelivered: count, oldestDate } = undelivered[0]!;
  const counts = {
    operations: operations[0]!.count + (ofService?.jobs[0]?.count ?? 0),
    undelivered: count,
    oldestDate: count > 0 ? oldestDate : null,
    deadLetters: deadLetters[0]!.count,
    sealedOtherwise: sealed[0]!.count,
    organizations: ofService ? (ofService.organizations[0]?.total ?? 0) : null,
  };
  return {
    counts,
    figures: figures
      .map((row) => ({ slug: row.slug, figures: parseJson(row.figures) }))
      .filter((row) => row.figures.shipmentsCompleted > 0),
  };
}
