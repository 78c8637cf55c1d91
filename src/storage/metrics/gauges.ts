import { MAIN } from '../../core/lib/databases.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import type { Figures } from '../../dispatch/report/store.ts';
import type { Gauge } from './exposition.ts';
import type { DatabaseMetrics, ServiceMetrics } from './store.ts';

/**
 * The gauges of the figures of a database: the figure, the name, the help text, and the factor to the base unit. All are
 * about shipments completed in the last 24 hours.
 */
const FIGURE_GAUGES: readonly [figure: keyof Figures, name: string, help: string, factor?: number][] = [
  ['shipmentsCompleted', 'day_shipments_completed', 'Shipments completed in the last 24 hours.'],
  [
    'shipmentsPlanned',
    'day_shipments_planned',
    'Shipments with a planned departure that were completed in the last 24 hours.',
  ],
  [
    'shipmentsOnTime',
    'day_shipments_on_time',
    'Shipments completed by their planned departure in the last 24 hours.',
  ],
  [
    'minutesLate',
    'day_late_seconds',
    'Total time from planned departure to completion of late shipments.',
    60,
  ],
  ['loadingMinutes', 'day_loading_seconds', 'Total time from the first loaded pallet to completion.', 60],
  ['dwellMinutes', 'day_dwell_seconds', 'Total time from the arrival of the truck to completion.', 60],
  ['gateMinutes', 'day_gate_seconds', 'Total time for which completed shipments used their gates.', 60],
  ['palletsLoaded', 'day_pallets_loaded', 'Loaded pallets of completed shipments.'],
  ['palletsWrong', 'day_pallets_wrong', 'Wrong pallets and unknown markers of completed shipments.'],
  ['shipmentsShort', 'day_shipments_short', 'Completed shipments with missing pallets.'],
];

/** The gauges of measurements of the databases. */
export function gaugesOf(
  { organizations, databases }: ServiceMetrics,
  limitBytes: number,
  now: number,
): Gauge[] {
  /** A gauge with a value for each database that reports one. */
  const each = (
    name: string,
    help: string,
    value: (metrics: DatabaseMetrics) => number | null | undefined,
  ): Gauge => ({
    name,
    help,
    samples: databases.flatMap((metrics) => {
      const known = value(metrics);
      return known == null ? [] : [{ labels: { database: metrics.databaseName }, value: known }];
    }),
  });
  const ageOf = (date: number | null): number | null =>
    date === null ? null : Math.max(0, now - date) / SECOND_MS;
  return [
    {
      name: 'organizations',
      help: 'Organizations of the service.',
      samples: organizations === null ? [] : [{ labels: {}, value: organizations }],
    },
    // `DB` has answered this read. Nothing is known about another database without a measurement.
    each(
      'database_up',
      'Whether a database answered the last turn.',
      ({ databaseName, failureDate, measureDate }) =>
        failureDate === null && measureDate === null && databaseName !== MAIN
          ? null
          : Number(failureDate === null),
    ),
    each('database_measurement_age_seconds', 'Time since a database was measured.', ({ measureDate }) =>
      ageOf(measureDate),
    ),
    each(
      'minute_schedule_age_seconds',
      'Time since a turn of the schedule of each minute completed all of its tasks.',
      ({ minuteDate }) => ageOf(minuteDate),
    ),
    each(
      'daily_schedule_age_seconds',
      'Time since a turn of the daily schedule completed all of its tasks.',
      ({ dayDate }) => ageOf(dayDate),
    ),
    each('database_size_bytes', 'Size of a database.', ({ sizeBytes }) => sizeBytes),
    each('database_limit_bytes', 'How large a database can become.', () => limitBytes),
    each(
      'operations_outstanding',
      'Operations that are not at their end.',
      ({ counts }) => counts?.operations,
    ),
    each(
      'webhook_events_undelivered',
      'Events that still have to be sent to webhooks that are not paused.',
      ({ counts }) => counts?.undelivered,
    ),
    each(
      'webhook_oldest_undelivered_event_age_seconds',
      'Age of the oldest of those events.',
      ({ counts }) => counts && (ageOf(counts.oldestDate) ?? 0),
    ),
    each('dead_letters', 'Messages that could not be handled.', ({ counts }) => counts?.deadLetters),
    each(
      'webhooks_sealed_with_another_key',
      'Webhooks and company accounts with secrets that another key than SEALING_KEY has sealed.',
      ({ counts }) => counts?.sealedOtherwise,
    ),
    ...FIGURE_GAUGES.map(([figure, name, help, factor = 1]) =>
      each(name, help, ({ counts }) => counts && counts.figures[figure] * factor),
    ),
  ];
}
