import { OpenAPIHono } from '@hono/zod-openapi';
import { Hono } from 'hono';
import { checkOverride } from './core/http/method-override.ts';
import {
  configured,
  costHeader,
  methodsOf,
  requestContext,
  unrouted,
  withoutSlash,
} from './core/http/middleware.ts';
import { openApiDocument } from './core/http/openapi.ts';
import { handleError } from './core/http/problem.ts';
import { requestLog } from './core/http/request-log.ts';
import type { AppEnv } from './core/http/types.ts';
import { pages, routes } from './features.ts';
import { namingArchive } from './storage/archive/hint.ts';
import { consoleRoutes } from './web/console/routes.ts';
import { completeDocument } from './web/docs/document.ts';
import { indexOr } from './web/docs/routes.ts';

/** The routes that all features declare. */
const declared = new OpenAPIHono<AppEnv>();
for (const feature of [...routes, consoleRoutes(pages)]) declared.route('/', feature);
openApiDocument(declared, completeDocument);

const app = new Hono<AppEnv>();
const methodsAt = methodsOf(declared.routes);
app.use(requestContext, configured, requestLog, costHeader, checkOverride, withoutSlash(methodsAt));
app.onError(async (error, c) => handleError(await namingArchive(error, c), c));
for (const { method, path, handler } of declared.routes) {
  app.on(method, path, (c, next) => {
    c.set('route', path);
    return handler(c, next);
  });
}
app.notFound(indexOr(unrouted(methodsAt)));

export { app };
