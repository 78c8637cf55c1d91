import { z } from '@hono/zod-openapi';
import {
  ERRORS_MAXIMUM,
  PROBLEMS,
  ProblemError,
  type Refusal,
  refusal,
  refusalStatus,
} from '../lib/problem.ts';
import { isUnavailable } from '../lib/store.ts';
import { isoDate } from '../lib/time.ts';
import { int32 } from './schema.ts';
import { type AppContext, origin } from './types.ts';

/** The default Retry-After of a 503, in seconds. */
export const RETRY_AFTER_S = '2';

/** An error of the API: RFC 9457 problem details. */
export const problemSchema = z
  .object({
    type: z.string().describe('URL of the explanation of `code`'),
    title: z.string(),
    status: int32,
    detail: z.string(),
    instance: z.string().describe('Path of the request'),
    code: z.enum(Object.keys(PROBLEMS) as [string, ...string[]]),
    requestId: z.string(),
    timestamp: z.iso.datetime(),
    errors: z
      .array(
        z.object({
          field: z.string().describe('Path of the failing item, such as `assets[2]`'),
          code: z.string(),
          message: z.string(),
          rejectedValue: z.unknown(),
          allowedValues: z.array(z.string()).optional(),
        }),
      )
      .max(ERRORS_MAXIMUM)
      .describe(
        `Every failing item. If there are more than ${ERRORS_MAXIMUM}, only the first ${ERRORS_MAXIMUM}; \`detail\` says so`,
      ),
    allowedValues: z.array(z.string()).optional(),
  })
  .openapi('Problem', {
    example: {
      type: 'https://dispatch.example.com/docs/errors#manifestNotFound',
      title: PROBLEMS.manifestNotFound[1],
      status: 404,
      detail: 'Manifest "ORDER-10248" does not exist.',
      instance: '/integration/rest/api/v1/manifest/ORDER-10248',
      code: 'manifestNotFound',
      requestId: 'wms-20261121-0815',
      timestamp: '2026-11-21T08:15:30.123Z',
      errors: [],
    },
  });

/** Answer with a refusal as `application/problem+json`. */
export function problemResponse(
  c: AppContext,
  refused: Refusal,
  headers: Record<string, string> = {},
): Response {
  const status = refusalStatus(refused);
  const body = {
    type: `${origin(c)}/docs/errors#${refused.code}`,
    title: PROBLEMS[refused.code][1],
    status,
    detail: refused.detail,
    instance: new URL(c.req.url).pathname,
    code: refused.code,
    requestId: c.get('requestId'),
    timestamp: isoDate(Date.now()),
    errors: (refused.errors ?? []).map((item) => ({ ...item, rejectedValue: item.rejectedValue ?? null })),
    ...(refused.allowedValues ? { allowedValues: refused.allowedValues } : {}),
  };
  const retry: Record<string, string> = status === 503 ? { 'Retry-After': RETRY_AFTER_S } : {};
  return c.body(JSON.stringify(body), status as 400, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...retry,
    ...headers,
  });
}

/** The answer to any thrown error: a problem unchanged, a failing store as 503, anything else as an opaque 500. */
export function problemOf(c: AppContext, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  // Log only the pattern of the path, because the path of a link contains its token.
  const request = { requestId: c.get('requestId'), method: c.req.method, route: c.get('route') ?? null };
  if (isUnavailable(error)) {
    console.warn(JSON.stringify({ ...request, store: String(error) }));
    return new ProblemError(
      refusal('temporarilyUnavailable', 'The database did not answer. Send the same request again.'),
    );
  }
  console.error(JSON.stringify({ ...request, error: (error as Error).stack }));
  return new ProblemError(
    refusal('internalError', 'An error in the service stopped the request. Report it with the requestId.'),
  );
}

/** The error handler for Hono. */
export function handleError(error: unknown, c: AppContext): Response {
  const problem = problemOf(c, error);
  return problemResponse(c, problem.refusal, problem.headers);
}
