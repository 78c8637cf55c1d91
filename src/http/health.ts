import { OpenAPIHono, z } from '@hono/zod-openapi';
import { endpoint } from './endpoint.ts';
import type { AppEnv } from './types.ts';

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  tag: 'Service',
  summary: 'Whether the service answers',
  description: 'Asks D1 for nothing but an answer. Needs no credential and counts against no quota.',
  access: { security: [], errors: ['temporarilyUnavailable'], check: () => undefined },
  responses: { 200: { description: 'It does', schema: z.object({ status: z.literal('UP') }) } },
  async handler(c) {
    const session = c.env.DB.withSession();
    await session.prepare('SELECT 1').run();
    c.set('bookmark', session.getBookmark());
    c.header('Cache-Control', 'no-store');
    return c.json({ status: 'UP' });
  },
});

export const healthRoutes = app;
