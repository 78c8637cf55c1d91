/** A response header of the contract: an OpenAPI header object. */
interface AnswerHeader {
  description: string;
  schema: { type: 'string' | 'integer'; format?: string; examples: (string | number)[] };
}

const text = (description: string, example: string): AnswerHeader => ({
  description,
  schema: { type: 'string', examples: [example] },
});

/** Headers of nearly every answer. The OpenAPI document describes them once (`x-answer-headers`), not per answer. */
export const COMMON_HEADERS = {
  'X-Request-Id': text(
    'On every response: the id of the request. It is the id that the caller sent, or else a new one. ' +
      'Errors, logs and the audit log contain it. A marker image from the cache of Cloudflare has no such header.',
    'wms-20261121-0815',
  ),
  'x-d1-bookmark': text(
    'On successful responses that used the store: the position in its log that the response ' +
      'reflects. Send it with a read, and the nearest replica that has this position may answer. ' +
      'Photos and the page of a driver have no bookmark.',
    '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683',
  ),
  'RateLimit-Policy': text(
    'On responses that count against the quota of the organization: `q` requests in `w` seconds ' +
      '(draft-ietf-httpapi-ratelimit-headers).',
    '"org";q=6000;w=60',
  ),
  RateLimit: text(
    'On the same responses, the remaining quota: `r` requests for the next `t` seconds ' +
      '(draft-ietf-httpapi-ratelimit-headers).',
    '"org";r=5874;t=42',
  ),
  'Idempotent-Replayed': text(
    'On responses to a request with an Idempotency-Key: `true` if this is the stored response to ' +
      'an earlier request with the same key.',
    'true',
  ),
} as const satisfies Record<string, AnswerHeader>;

/** All other headers of answers, with their meaning for callers. Headers of HTTP itself are not included. */
export const ANSWER_HEADERS = {
  'Retry-After': {
    description: 'Seconds to wait before you send the request again (RFC 9110 section 10.2.3).',
    schema: { type: 'integer', format: 'int32', examples: [2] },
  },
  ETag: text(
    'Entity tag of the resource in the response (RFC 9110 section 8.8.3), for If-Match and ' +
      'If-None-Match. A compressed response has it with `W/`; both forms are accepted.',
    '"5f0c1d5e3c2f4b16a9d2f4f0a1b2c3d4"',
  ),
  Location: {
    description: 'Path of the created resource or of the accepted operation (RFC 9110 section 10.2.2).',
    schema: {
      type: 'string',
      format: 'uri-reference',
      examples: ['/integration/rest/api/v1/manifest/01936c9d-2c80-7000-8000-000000000017'],
    },
  },
  Link: text(
    '`rel="next"`: the next page of a list, with its cursor; absent on the last page. ' +
      '`rel="successor-version"`: the replacement for a deprecated operation (RFC 8288).',
    '<https://dispatch.example.com/integration/rest/api/v1/manifest?cursor=WyJj>; rel="next"',
  ),
  Deprecation: text('Date since which the operation is deprecated (RFC 9745).', '@1795219200'),
  Sunset: text('Date from which the operation may be removed (RFC 8594).', 'Sat, 01 Jan 2028 00:00:00 GMT'),
  Allow: text('Methods that this path takes (RFC 9110 section 10.2.1).', 'GET, HEAD, POST'),
  'WWW-Authenticate': text('How to authenticate (RFC 9110 section 11.6.1).', 'ApiKey realm="integration"'),
} as const satisfies Record<string, AnswerHeader>;

export type AnswerHeaderName = keyof typeof ANSWER_HEADERS;

/** The properties of an operation that decide which headers its answers have. */
export interface Answering {
  /** Whether its answers have an ETag. */
  tagged: boolean;
  /** Whether it is a list with a cursor. */
  paged: boolean;
  deprecated: boolean;
  /** Whether its answers may have Retry-After. */
  waiting: boolean;
}

/** The headers of an operation's answers with this status. */
export function headersOf(status: number, of: Answering): AnswerHeaderName[] {
  const success = status < 400;
  // These answers come before the quota is spent, or belong to another method.
  const early = status === 401 || status === 405;
  const has: Record<AnswerHeaderName, boolean> = {
    'Retry-After': status === 429 || status === 503 || (of.waiting && status === 200),
    ETag: of.tagged && success,
    Location: status === 201 || status === 202,
    Link: (of.paged && status === 200) || (of.deprecated && !early),
    Deprecation: of.deprecated && !early,
    Sunset: of.deprecated && !early,
    Allow: status === 405,
    'WWW-Authenticate': status === 401,
  };
  return (Object.keys(has) as AnswerHeaderName[]).filter((name) => has[name]);
}
