import type { MiddlewareHandler } from 'hono';
import { settingsOf } from '../env.ts';
import { NO_ORGANIZATION } from '../lib/id.ts';
import { traceIdOf, traceparentOf } from '../lib/trace.ts';
import type { AppContext, AppEnv } from './types.ts';

/** The D1 cost of a request: its reads at the edge, and its share of the writer's calls. */
export function costOf(c: AppContext) {
  const [reader, writer] = [c.get('database'), c.get('writerCost')];
  return {
    roundTrips: (reader?.roundTrips ?? 0) + (writer?.roundTrips ?? 0),
    rowsRead: (reader?.rowsRead ?? 0) + (writer?.rowsRead ?? 0),
    rowsWritten: (reader?.rowsWritten ?? 0) + (writer?.rowsWritten ?? 0),
  };
}

/** The organization of a request; null without an organization, or before it is known. */
export function organizationOf(c: AppContext): string | null {
  const organization = c.get('principal')?.organization.uuid ?? c.get('database')?.organization;
  return organization === undefined || organization === NO_ORGANIZATION ? null : organization;
}

/**
 * Log one line per request. It contains the pattern of the path, but no value from the caller's path, query, headers or
 * body.
 */
export const requestLog: MiddlewareHandler<AppEnv> = async (c, next) => {
  const begin = Date.now();
  await next();
  if (!settingsOf(c.env).REQUEST_LOG) return;
  const traceparent = traceparentOf(c.req.header('traceparent'));
  const line = {
    log: 'request',
    requestId: c.get('requestId'),
    method: c.req.method,
    route: c.get('route') ?? null,
    status: c.res.status,
    durationMs: Date.now() - begin,
    organization: organizationOf(c),
    ...costOf(c),
    traceId: traceparent && traceIdOf(traceparent),
  };
  console.log(JSON.stringify(line));
};
