import type { MiddlewareHandler } from 'hono';
import { ProblemError } from '../lib/problem.ts';
import { validationRefusal } from './problem-items.ts';
import type { AppEnv } from './types.ts';

const HEADER = 'X-HTTP-Method-Override';
/** The methods that the header may name. */
const METHODS: readonly string[] = ['PUT', 'PATCH', 'DELETE'];

/** Whether a path belongs to an API, and not to a page. */
export const isApiPath = (path: string): boolean => /^\/(integration|device|operator\/rest)\//.test(path);

/** The method that the header of a POST names; undefined without the header. Only APIs have it. */
function wanted(request: Request): string | undefined {
  if (request.method !== 'POST') return undefined;
  const named = request.headers.get(HEADER)?.trim().toUpperCase();
  return named && isApiPath(new URL(request.url).pathname) ? named : undefined;
}

/**
 * The request with the method in its header. Some HTTP clients and proxies do not send PATCH, PUT or DELETE. Pages ignore
 * the header. A form of another site cannot send it to an API either, because browsers ask first (CORS).
 */
export function overridden(request: Request): Request {
  const method = wanted(request);
  return method !== undefined && METHODS.includes(method) ? new Request(request, { method }) : request;
}

/** Refuse any other method in the header. */
export const checkOverride: MiddlewareHandler<AppEnv> = async (c, next) => {
  const method = wanted(c.req.raw);
  if (method !== undefined && method !== 'POST') {
    throw new ProblemError(
      validationRefusal([
        {
          field: HEADER,
          code: 'validationFailed',
          message: 'Send PUT, PATCH or DELETE in this header.',
          rejectedValue: method,
          allowedValues: METHODS,
        },
      ]),
    );
  }
  await next();
};
