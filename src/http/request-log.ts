import type { MiddlewareHandler } from 'hono';
import { settingsOf } from '../env.ts';
import { NO_ORGANIZATION } from '../lib/id.ts';
import type { AppContext, AppEnv } from './types.ts';

/** W3C Trace Context, version 00; of a later version the same parts. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:$|-)/;

/** The trace that a caller's request is part of; null where it names none. */
export const traceOf = (traceparent: string | undefined): string | null =>
  TRACEPARENT.exec(traceparent ?? '')?.[1] ?? null;

/** What a request has cost in D1: reads at the edge, and its share of what the organization's writer did. */
export function costOf(c: AppContext) {
  const [reader, writer] = [c.get('database'), c.get('writerCost')];
  return {
    roundTrips: (reader?.roundTrips ?? 0) + (writer?.roundTrips ?? 0),
    rowsRead: (reader?.rowsRead ?? 0) + (writer?.rowsRead ?? 0),
    rowsWritten: (reader?.rowsWritten ?? 0) + (writer?.rowsWritten ?? 0),
  };
}

function organizationOf(c: AppContext): string | null {
  const organization = c.get('principal')?.organization.uuid ?? c.get('database')?.organization;
  return organization === undefined || organization === NO_ORGANIZATION ? null : organization;
}

/**
 * A line of the log for each request. Of what the caller sent it has only what is bounded and says nothing: the pattern of
 * the path, never a value of path, query, header or body.
 */
export const requestLog: MiddlewareHandler<AppEnv> = async (c, next) => {
  const begin = Date.now();
  await next();
  if (!settingsOf(c.env).REQUEST_LOG) return;
  const line = {
    log: 'request',
    requestId: c.get('requestId'),
    method: c.req.method,
    route: c.get('route') ?? null,
    status: c.res.status,
    durationMs: Date.now() - begin,
    organization: organizationOf(c),
    ...costOf(c),
    traceId: traceOf(c.req.header('traceparent')),
  };
  console.log(JSON.stringify(line));
};
