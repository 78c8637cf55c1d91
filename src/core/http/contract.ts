import { createRoute, type RouteConfig, z } from '@hono/zod-openapi';
import { PROBLEMS, type ProblemCode } from '../lib/problem.ts';
import { type Answering, headersOf } from './answer-headers.ts';
import type { Endpoint, Shape } from './declaration.ts';
import { isApiPath } from './method-override.ts';
import { problemSchema } from './problem.ts';

type Response = Exclude<RouteConfig['responses'][string], { $ref: string }>;
/** The declaration of any route. */
export type Declared = Endpoint<Shape | undefined, Shape | undefined, z.ZodType | undefined>;

/** The OpenAPI contract of a declared route: its declaration, and the parts that apply to all routes. */
export function contractOf(declared: Declared): RouteConfig {
  const params = declared.params ?? declared.contractParams;
  const body = declared.body ?? declared.contractBody;
  return createRoute({
    method: declared.method,
    path: declared.path,
    operationId: declared.operationId,
    tags: [declared.tag],
    summary: declared.summary,
    ...(declared.description ? { description: declared.description } : {}),
    ...(declared.deprecated ? { deprecated: true } : {}),
    security: declared.access.security,
    request: {
      headers: requestHeaders(declared),
      ...(params ? { params } : {}),
      ...(declared.query ? { query: declared.query } : {}),
      ...(body
        ? {
            body: {
              required: !declared.bodyOptional,
              content: ofEach(declared.contractBodyType, { schema: body }),
            },
          }
        : {}),
    },
    responses: responsesOf(declared),
  });
}

/** The same content for each media type; JSON if no type is given. */
const ofEach = <T>(types: string | readonly string[] = 'application/json', content: T): Record<string, T> =>
  Object.fromEntries([types].flat().map((type) => [type, content]));

/**
 * Whether the route is part of an API. APIs refuse unknown query parameters. Links that people open may have parameters
 * of other programs.
 */
export const isOfApi = ({ path }: Pick<Declared, 'path'>): boolean => isApiPath(path);
/** Whether it is an operation of an API without a body. */
export const takesNoBody = (declared: Declared): boolean =>
  isOfApi(declared) && !declared.body && !declared.contractBody;
/** Whether it takes an Idempotency-Key. */
const isKeyed = ({ method }: Declared): boolean => method !== 'get';
/** Whether it only reads, and therefore accepts a bookmark. */
const isRead = (declared: Declared): boolean =>
  declared.method === 'get' && !declared.changing && declared.access.security.length > 0;

function requestHeaders(declared: Declared): Shape {
  const described = {
    'X-Request-Id': '1..128 characters of `[A-Za-z0-9._-]`; echoed',
    ...(isKeyed(declared)
      ? {
          'Idempotency-Key':
            '1..255 visible ASCII characters, kept for 30 days; a repeat gets the first response',
        }
      : {}),
    ...(isRead(declared)
      ? { 'x-d1-bookmark': 'From an earlier response. The answer is at least as recent as that response' }
      : {}),
    ...(declared.method === 'get' && 304 in declared.responses
      ? { 'If-None-Match': 'ETag of an earlier response; 304 while it is current' }
      : {}),
    ...declared.requestHeaders,
  };
  return z.object(
    Object.fromEntries(
      Object.entries(described).map(([name, description]) => [
        name,
        z.string().optional().openapi({ description }),
      ]),
    ),
  );
}

/** The responses by status. A status may be both a page and a problem, by media type. */
function responsesOf(declared: Declared): RouteConfig['responses'] {
  const [own, problems] = [successes(declared), failures(declared)];
  const both = Object.keys(own).filter((status) => status in problems);
  return {
    ...own,
    ...problems,
    ...Object.fromEntries(
      both.map((status) => {
        const [page, problem] = [own[status]!, problems[status]!];
        return [
          status,
          {
            ...problem,
            description: `${page.description}.\n${problem.description}`,
            content: { ...page.content, ...problem.content },
          },
        ];
      }),
    ),
  };
}

function successes(declared: Declared): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(declared.responses).map(([status, { description, schema, type, example }]) => [
      status,
      {
        description,
        ...headerRefs(Number(status), declared),
        ...(schema || type
          ? {
              content: ofEach(type, {
                schema: schema ?? z.string().openapi({ format: 'binary' }),
                ...(example === undefined ? {} : { examples: { example: { value: example } } }),
              }),
            }
          : {}),
      },
    ]),
  );
}

function failures(declared: Declared): Record<string, Response> {
  return Object.fromEntries(
    [...problemsOf(declared)].map(([status, codes]) => [
      status,
      {
        description: [...codes].map((code) => `\`${code}\`: ${PROBLEMS[code][1]}.`).join('\n'),
        ...headerRefs(status, declared),
        content: {
          'application/problem+json': { schema: problemSchema },
        },
      },
    ]),
  );
}

/**
 * All problems that an operation may return, by status: declared problems, and problems that follow from the
 * declaration.
 */
function problemsOf(declared: Declared): Map<number, Set<ProblemCode>> {
  const keyed = isKeyed(declared);
  const body = declared.body ?? declared.contractBody;
  const params = declared.params ?? declared.contractParams;
  const codes: (ProblemCode | readonly [ProblemCode, number])[] = [
    ...declared.access.errors,
    ...(declared.params || declared.query || declared.body || keyed || isRead(declared)
      ? (['validationFailed'] as const)
      : []),
    ...(isOfApi(declared) ? (['unknownParameter'] as const) : []),
    ...(takesNoBody(declared) ? (['bodyNotAllowed'] as const) : []),
    ...(body ? (['malformedJson', 'payloadTooLarge', 'unsupportedMediaType'] as const) : []),
    ...(declared.body ? (['unknownField'] as const) : []),
    ...(keyed ? (['idempotencyKeyReused'] as const) : []),
    ...(declared.changing ? (['prefetchRefused'] as const) : []),
    ...(declared.errors ?? []),
    // A parameter that is empty or contains an unescaped slash makes a different path.
    ...(params ? (['notFound'] as const) : []),
    'methodNotAllowed',
    'internalError',
    'temporarilyUnavailable',
  ];
  const byStatus = new Map<number, Set<ProblemCode>>();
  for (const declaredCode of codes) {
    const [code, status] =
      typeof declaredCode === 'string' ? [declaredCode, PROBLEMS[declaredCode][0]] : declaredCode;
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return byStatus;
}

function headerRefs(status: number, declared: Declared): { headers?: Record<string, { $ref: string }> } {
  const answering: Answering = {
    tagged: declared.tagged === true || 304 in declared.responses,
    paged:
      declared.query !== undefined &&
      ['cursor', 'after', 'nextPageToken'].some((name) => name in declared.query!.shape),
    deprecated: declared.deprecated === true,
    waiting: declared.waiting === true,
  };
  const refs = headersOf(status, answering).map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return refs.length === 0 ? {} : { headers: Object.fromEntries(refs) };
}
