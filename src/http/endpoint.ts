import type { OpenAPIHono, z } from '@hono/zod-openapi';
import { type ProblemCode, ProblemError, type ProblemItem } from '../lib/problem.ts';
import { readJson } from './body.ts';
import { contractOf, isOfApi } from './contract.ts';
import { problemItems, unknownParameters, validationRefusal } from './problem.ts';
import { namesOf, queryOf } from './query.ts';
import { refuseSpeculation } from './speculation.ts';
import type { AppContext, AppEnv } from './types.ts';

/** Where the integration API lives. */
export const BASE_PATH = '/integration/rest/api/v1';
/** Where the operator API lives. */
export const OPERATOR_PATH = '/operator/rest/api/v1';

/** Where devices at the gates report. */
export const DEVICE_PATH = '/device/rest/api/v1';

/** Who may call: a check that throws a refusal, with what it adds to the contract. */
export interface Access {
  /** Security schemes of the OpenAPI document. */
  security: Record<string, string[]>[];
  /** What it refuses with. */
  errors: ProblemCode[];
  check(c: AppContext): Promise<void> | void;
}

type Shape = z.ZodObject;
type Out<T> = T extends z.ZodType ? z.output<T> : undefined;

/** A route with its whole contract: all that is declared here is enforced before the handler runs. */
export interface Endpoint<
  P extends Shape | undefined,
  Q extends Shape | undefined,
  B extends z.ZodType | undefined,
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** OpenAPI path, such as `/manifest/{manifestExternalId}`. */
  path: string;
  /** Pattern for Hono where the path is more than names between slashes. */
  pattern?: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  deprecated?: boolean;
  /** Whether a GET changes something: then there is no HEAD, and requests that are sent ahead are refused. */
  changing?: true;
  access: Access;
  params?: P;
  /** Path parameters of the contract where the handler reads the path itself. */
  contractParams?: Shape;
  query?: Q;
  body?: B;
  /** JSON body of the contract where the handler reads the body itself. */
  contractBody?: z.ZodType;
  /** Whether an empty body stands for `{}`. */
  bodyOptional?: boolean;
  /** The largest body, in bytes, where it is not the usual 1 MiB. */
  bodyBytesMaximum?: number;
  /** Status of success with its schema, or its media type where it is not JSON; 404 and 503 where that is no problem; an example where no good day has one. */
  responses: Partial<
    Record<
      200 | 201 | 202 | 204 | 304 | 404 | 503,
      { description: string; schema?: z.ZodType; type?: string; example?: unknown }
    >
  >;
  /** Problems beyond those of every operation; with a status where it is not the code's usual one. */
  errors?: (ProblemCode | readonly [ProblemCode, number])[];
  /** Whether an answer that is no GET's has an ETag. */
  tagged?: true;
  /** Whether an answer may have Retry-After: not finished yet. */
  waiting?: true;
  /** Further request headers of the contract. */
  requestHeaders?: Record<string, string>;
  handler(
    c: AppContext,
    input: { params: Out<P>; query: Out<Q>; body: Out<B> },
  ): Promise<Response> | Response;
}

/** Patterns of the paths whose GET changes something. */
export const CHANGING_GETS = new Set<string>();

/** Declare a route: its OpenAPI contract, and the checks that make it true. */
export function endpoint<
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(app: OpenAPIHono<AppEnv>, declared: Endpoint<P, Q, B>): void {
  app.openAPIRegistry.registerPath(contractOf(declared));
  const pattern = declared.pattern ?? declared.path.replace(/\{(\w+)\}/g, ':$1');
  if (declared.changing) CHANGING_GETS.add(pattern);
  app.on(declared.method.toUpperCase(), pattern, async (context) => {
    const c = context as unknown as AppContext;
    // Hono takes a HEAD for the GET; it would change what only its GET may.
    if (declared.changing && c.req.method === 'HEAD') return c.notFound();
    await declared.access.check(c);
    if (declared.changing) refuseSpeculation(c);
    const json = declared.body ? await readJson(c, declared) : undefined;
    const errors: ProblemItem[] = [];
    const parse = (schema: z.ZodType | undefined, input: unknown): unknown => {
      if (!schema) return undefined;
      const result = schema.safeParse(input);
      if (!result.success) errors.push(...problemItems(result.error.issues, input));
      return result.data;
    };
    const asked = queryOf(c);
    const params = parse(declared.params, namesOf(c));
    const query = parse(declared.query, asked);
    if (isOfApi(declared)) errors.push(...unknownParameters(asked, Object.keys(declared.query?.shape ?? {})));
    const body = parse(declared.body, json);
    if (errors.length > 0) throw new ProblemError(validationRefusal(errors));
    return declared.handler(c, { params, query, body } as Parameters<typeof declared.handler>[1]);
  });
}
