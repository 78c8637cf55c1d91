import { OpenAPIHono } from '@hono/zod-openapi';
import { OPERATOR_LOG, operatorAccess } from '../../access/credential/operator.ts';
import { settingsOf } from '../../core/env.ts';
import { endpoint, OPERATOR_PATH } from '../../core/http/endpoint.ts';
import { readsOf } from '../../core/http/read.ts';
import type { AppEnv } from '../../core/http/types.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { EXPOSITION, expositionOf } from './exposition.ts';
import { gaugesOf } from './gauges.ts';
import { COUNTED_MAXIMUM, readMetrics } from './store.ts';

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'get',
  path: `${OPERATOR_PATH}/metrics`,
  operationId: 'getMetrics',
  tag: 'Operator',
  summary: 'Get metrics for Prometheus',
  description:
    'Returns gauges in the text format, by database. Each database is measured every minute. ' +
    '`database_measurement_age_seconds` is the age of its values. A database that does not respond has ' +
    '`up` 0 and its last values. Waiting work is counted up to ' +
    `${COUNTED_MAXIMUM} for each database or webhook. Figures of the last 24 hours are sums over all ` +
    'organizations of a database.',
  access: operatorAccess('READ'),
  responses: { 200: { description: 'The gauges', type: 'text/plain' } },
  async handler(c) {
    const { sealingKeys, DATABASE_LIMIT_BYTES } = settingsOf(c.env);
    const metrics = await readMetrics(databasesOf(c.env), readsOf(c, OPERATOR_LOG), sealingKeys);
    const gauges = gaugesOf(metrics, DATABASE_LIMIT_BYTES, Date.now());
    return c.body(expositionOf(gauges), 200, { 'Content-Type': EXPOSITION });
  },
});

export const metricsRoutes = app;
