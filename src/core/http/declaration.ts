import type { z } from '@hono/zod-openapi';
import type { ProblemCode } from '../lib/problem.ts';
import type { AppContext } from './types.ts';
import type { Submission } from './write.ts';

/** Access to an endpoint: a check that throws a refusal, and its part of the contract. */
export interface Access {
  /** Security schemes of the OpenAPI document. */
  security: Record<string, string[]>[];
  /** The problems of its refusals. */
  errors: ProblemCode[];
  check(c: AppContext): Promise<void> | void;
}

export type Shape = z.ZodObject;
type Out<T> = T extends z.ZodType ? z.output<T> : undefined;

/** A route with its complete contract. Everything declared here is enforced before the handler runs. */
export interface Endpoint<
  P extends Shape | undefined,
  Q extends Shape | undefined,
  B extends z.ZodType | undefined,
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** OpenAPI path, such as `/manifest/{manifestExternalId}`. */
  path: string;
  /** The pattern for Hono, if the path is more than names between slashes. */
  pattern?: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  deprecated?: boolean;
  /** Whether a GET changes data. It then has no HEAD, and speculative requests are refused. */
  changing?: true;
  access: Access;
  params?: P;
  /** Path parameters of the contract, if the handler reads the path itself. */
  contractParams?: Shape;
  query?: Q;
  body?: B;
  /** JSON body of the contract, if the handler reads the body itself. */
  contractBody?: z.ZodType;
  /** The media types of a body that the handler reads itself; JSON by default. */
  contractBodyType?: string | readonly string[];
  /** Whether an empty body means `{}`. */
  bodyOptional?: boolean;
  /** The maximum size of the body in bytes; 1 MiB by default. */
  bodyBytesMaximum?: number;
  /** The list of a large body, if the schema checks each item without the others. */
  bodyList?: { name: string; maximum: number };
  /**
   * Each success status with its schema, or with its media types if it is not JSON. Also 404, 429 and 503 if they are
   * not problems. An example, if the recorded day does not contain one.
   */
  responses: Partial<
    Record<
      200 | 201 | 202 | 204 | 304 | 404 | 429 | 503,
      { description: string; schema?: z.ZodType; type?: string | readonly string[]; example?: unknown }
    >
  >;
  /**
   * Problems besides the common problems of all operations. An item has a status if it differs from the usual status of
   * its problem code.
   */
  errors?: (ProblemCode | readonly [ProblemCode, number])[];
  /** Whether answers have an ETag, although it is not a GET. */
  tagged?: true;
  /** Whether an answer may have Retry-After because a result is not ready yet. */
  waiting?: true;
  /** Further request headers of the contract. */
  requestHeaders?: Record<string, string>;
  handler(
    c: AppContext,
    input: { params: Out<P>; query: Out<Q>; body: Out<B>; submission: Submission },
  ): Promise<Response> | Response;
}
