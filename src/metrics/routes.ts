import { OpenAPIHono } from '@hono/zod-openapi';
import { OPERATOR_LOG, operatorAccess } from '../credential/operator.ts';
import { settingsOf } from '../env.ts';
import { endpoint, OPERATOR_PATH } from '../http/endpoint.ts';
import { readsOf } from '../http/read.ts';
import type { AppEnv } from '../http/types.ts';
import { databasesOf } from '../lib/databases.ts';
import { SECOND_MS } from '../lib/time.ts';
import { EXPOSITION, expositionOf, type Gauge } from './exposition.ts';
import { COUNTED_MAXIMUM, type DatabaseMetrics, readMetrics } from './store.ts';

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'get',
  path: `${OPERATOR_PATH}/metrics`,
  operationId: 'getMetrics',
  tag: 'Operator',
  summary: 'What Prometheus scrapes',
  description:
    'Gauges in the text format, as of now, by database: one that does not answer is `up` 0, and the others are told all the ' +
    `same. What waits is counted up to ${COUNTED_MAXIMUM} a database, or a webhook.`,
  access: operatorAccess,
  responses: { 200: { description: 'The gauges', type: 'text/plain' } },
  async handler(c) {
    const databases = await readMetrics(databasesOf(c.env), readsOf(c, OPERATOR_LOG));
    const gauges = gaugesOf(databases, settingsOf(c.env).DATABASE_LIMIT_BYTES, Date.now());
    return c.body(expositionOf(gauges), 200, { 'Content-Type': EXPOSITION });
  },
});

function gaugesOf(databases: readonly DatabaseMetrics[], limitBytes: number, now: number): Gauge[] {
  /** A gauge with a value of each database that tells one. */
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
  const ageOf = (date: number | null): number => (date === null ? 0 : Math.max(0, now - date) / SECOND_MS);
  const organizations = databases.flatMap(({ counts }) => counts?.organizations ?? []);
  return [
    {
      name: 'organizations',
      help: 'Organizations of the service.',
      samples: organizations.map((value) => ({ labels: {}, value })),
    },
    each('database_up', 'Whether a database answers.', ({ counts }) => Number(counts !== null)),
    each('database_size_bytes', 'Size of a database.', ({ sizeBytes }) => sizeBytes),
    each('database_limit_bytes', 'How large a database can become.', () => limitBytes),
    each(
      'operations_outstanding',
      'Operations that are not at their end.',
      ({ counts }) => counts?.operations,
    ),
    each(
      'webhook_events_undelivered',
      'Events that webhooks which are not paused are still to be sent.',
      ({ counts }) => counts?.undelivered,
    ),
    each(
      'webhook_oldest_undelivered_event_age_seconds',
      'Age of the oldest of those events.',
      ({ counts }) => counts && ageOf(counts.oldestDate),
    ),
    each('dead_letters', 'Messages that could not be handled.', ({ counts }) => counts?.deadLetters),
  ];
}

export const metricsRoutes = app;
