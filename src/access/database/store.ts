import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../core/lib/database.ts';
import { MAIN } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { livesSomewhere } from '../../core/lib/look-up.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { json, type Viewed, type ViewRow, view } from '../../core/lib/view.ts';

/**
 * JSON of a database, as it was last measured. `DB` counts the organizations now. The count includes organizations that
 * are planned in it or being moved to it.
 */
export const databaseView = view({
  databaseName: sql<string>`bound.database_name`,
  organizationsCount: sql<number>`(SELECT count(*) FROM organization
    WHERE organization.database_name IS nullif(bound.database_name, ${sql.raw(`'${MAIN}'`)})
      AND organization.uuid <> ${sql.raw(`'${NO_ORGANIZATION}'`)} AND ${livesSomewhere})`,
  sizeBytes: sql<number | null>`bound.size_bytes`,
  open: sql<0 | 1>`bound.open`,
  measureDate: sql<number | null>`bound.measure_date`,
  migrations: json<string[] | null>(sql`bound.migrations`),
});
export type StoredDatabase = Viewed<typeof databaseView>;

/** Databases as a table `bound`: their last measurements, and the operator's settings. */
export const boundFrom = (names: readonly string[]): SQL => sql`(SELECT value AS database_name,
    measure_date, size_bytes, migrations, counts, failure_date, minute_date, day_date,
    coalesce(open, 1) AS open, 0 AS create_date, 0 AS update_date
  FROM json_each(${JSON.stringify(names)})
    LEFT JOIN database_setting ON database_setting.database_name = value
    LEFT JOIN database_measurement ON database_measurement.database_name = value) bound`;

/** One database. Rows about databases belong to no organization. */
export const databaseQuery = (
  { organization }: Scope,
  databaseName: string,
): SQL<ViewRow<typeof databaseView>> =>
  sql`SELECT ${databaseView} AS view FROM ${boundFrom([databaseName])} WHERE ${organization} = ${NO_ORGANIZATION}`;

/** A measurement of a database. */
export interface Measurement {
  sizeBytes: number;
  /** The names of the applied migrations; null if the database has no list of them. */
  migrations: string[] | null;
  /** The numbers for the metrics. */
  counts: object;
}

/** The result of a turn of the schedule of each minute. Dates are epoch milliseconds. */
export interface MinuteTurn {
  databaseName: string;
  now: number;
  /** Undefined if the database could not be measured. */
  measurement: Measurement | undefined;
  /** Whether no task failed. */
  isComplete: boolean;
}

/**
 * Store the result of a turn. Turns may overlap, so an older result never replaces a newer one. The first turn counts as
 * complete, so that the ages of complete turns begin with it.
 */
export const storeMinuteTurn = async (
  main: Database,
  { databaseName, now, measurement, isComplete }: MinuteTurn,
): Promise<void> => {
  const measured = measurement && {
    ...measurement,
    migrations: measurement.migrations && JSON.stringify(measurement.migrations),
    counts: JSON.stringify(measurement.counts),
  };
  const minuteDate = isComplete ? now : null;
  await main.send([
    measured
      ? sql`INSERT INTO database_measurement
            (database_name, measure_date, size_bytes, migrations, counts, minute_date, day_date)
          SELECT ${databaseName}, ${now}, ${measured.sizeBytes}, ${measured.migrations}, ${measured.counts}, ${now}, ${now}
            WHERE ${main.organization} = ${NO_ORGANIZATION}
          ON CONFLICT DO UPDATE SET measure_date = excluded.measure_date, size_bytes = excluded.size_bytes,
            migrations = excluded.migrations, counts = excluded.counts, failure_date = NULL,
            minute_date = coalesce(${minuteDate}, minute_date)
          WHERE coalesce(measure_date, 0) <= excluded.measure_date AND coalesce(failure_date, 0) <= excluded.measure_date`
      : sql`INSERT INTO database_measurement (database_name, failure_date, minute_date, day_date)
          SELECT ${databaseName}, ${now}, ${now}, ${now} WHERE ${main.organization} = ${NO_ORGANIZATION}
          ON CONFLICT DO UPDATE SET failure_date = excluded.failure_date
          WHERE coalesce(measure_date, 0) <= excluded.failure_date`,
  ]);
};

/** Store that no task of a daily turn failed. */
export const storeDayTurn = async (main: Database, databaseName: string, now: number): Promise<void> => {
  await main.send([
    sql`INSERT INTO database_measurement (database_name, day_date)
      SELECT ${databaseName}, ${now} WHERE ${main.organization} = ${NO_ORGANIZATION}
      ON CONFLICT DO UPDATE SET day_date = max(coalesce(day_date, 0), excluded.day_date)`,
  ]);
};
