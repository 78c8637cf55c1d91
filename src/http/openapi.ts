import type { OpenAPIHono } from '@hono/zod-openapi';
import { PROBLEMS } from '../lib/problem.ts';
import type { AppEnv } from './types.ts';

/** Serve the contract that the routes declared: OpenAPI 3.1. */
export function openApiDocument(app: OpenAPIHono<AppEnv>): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'apiKey',
    in: 'header',
    name: 'X-AUTH-KEY',
    description: 'API key of an organization: `wdk_<env>_…`',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'accessToken', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-Token',
    description: 'Access token of a device with its scopes: `wdt_<env>_…`',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'operatorKey', {
    type: 'apiKey',
    in: 'header',
    name: 'X-OPERATOR-KEY',
    description: 'Secret of the operator of the service',
  });
  let document: object | undefined;
  app.get('/openapi.json', (c) => {
    document ??= {
      ...app.getOpenAPI31Document({
        openapi: '3.1.0',
        info: {
          title: 'Warehouse Dispatch Integration API',
          version: '1.0.0',
          description:
            'Markers, tracks and manifests of a warehouse, for its WMS. Every write takes an `Idempotency-Key`; every ' +
            'error is `application/problem+json` (RFC 9457).',
          license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
        },
        servers: [{ url: '/' }],
      }),
      'x-problems': Object.fromEntries(
        Object.entries(PROBLEMS).map(([code, [status, title]]) => [code, { status, title }]),
      ),
    };
    return c.json(document);
  });
}
