import { OpenAPIHono, z } from '@hono/zod-openapi';
import { databasesOf, MAIN } from '../lib/databases.ts';
import { retried } from '../lib/store.ts';
import { endpoint } from './endpoint.ts';
import { RETRY_AFTER_S } from './problem.ts';
import type { AppEnv } from './types.ts';

/** An update without rows. A locked or read-only store refuses it like any other write. */
const PROBE = 'UPDATE organization SET uuid = uuid WHERE FALSE';

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  tag: 'Service',
  summary: 'Check whether the service is available',
  description:
    'Checks whether D1 can be read and written, with a statement that changes no row. Needs no ' +
    'credential and counts against no quota.',
  access: { security: [], errors: ['temporarilyUnavailable'], check: () => undefined },
  responses: {
    200: {
      description: 'The service is available',
      schema: z.object({ status: z.literal('UP') }).openapi('Up'),
    },
    503: {
      description: 'The store is not available',
      schema: z.object({ status: z.literal('DOWN') }).openapi('Down'),
      example: { status: 'DOWN' },
    },
  },
  async handler(c) {
    const session = databasesOf(c.env).named(MAIN).withSession();
    c.header('Cache-Control', 'no-store');
    try {
      await retried(() => session.prepare(PROBE).run());
    } catch (error) {
      // Also if the tables do not exist yet, because no requests should be sent here then.
      console.warn(JSON.stringify({ requestId: c.get('requestId'), health: String(error) }));
      c.header('Retry-After', RETRY_AFTER_S);
      return c.json({ status: 'DOWN' }, 503);
    }
    c.set('bookmark', session.getBookmark());
    return c.json({ status: 'UP' });
  },
});

export const healthRoutes = app;
