import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Handler } from 'hono';
import { ProblemError, type ProblemItem } from '../lib/problem.ts';
import { readJson, refuseBody } from './body.ts';
import { type Declared, isOfApi, takesNoBody } from './contract.ts';
import { inZone, isLocalDate } from './dates.ts';
import type { Endpoint, Shape } from './declaration.ts';
import { withSentNumbers } from './exact-numbers.ts';
import { asSent, problemItems, unknownParameters, validationRefusal } from './problem-items.ts';
import { parameterNamesOf, queryOf } from './query.ts';
import { timeZoneOf } from './read.ts';
import { refuseSpeculation } from './speculation.ts';
import type { AppContext, AppEnv } from './types.ts';
import { unstorableIssues } from './unstorable.ts';
import { submissionOf } from './write.ts';

/** Base path of the integration API. */
export const BASE_PATH = '/integration/rest/api/v1';
/** Base path of the operator API. */
export const OPERATOR_PATH = '/operator/rest/api/v1';

/** Base path of the API for devices at gates. */
export const DEVICE_PATH = '/device/rest/api/v1';

/** Path patterns whose GET changes data. */
export const CHANGING_GETS = new Set<string>();

/** The declared routes by their handlers. Their contracts are made when the OpenAPI document is first read. */
export const DECLARED = new Map<unknown, Declared>();

/** Declare a route: its OpenAPI contract, and the checks that enforce it. */
export function endpoint<
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(app: OpenAPIHono<AppEnv>, declared: Endpoint<P, Q, B>): void {
  const pattern = declared.pattern ?? declared.path.replace(/\{(\w+)\}/g, ':$1');
  if (declared.changing) CHANGING_GETS.add(pattern);
  const handler: Handler<AppEnv> = async (context) => {
    const c = context as unknown as AppContext;
    // Hono routes HEAD to the GET handler. But only GET may make the change.
    if (declared.changing && c.req.method === 'HEAD') return c.notFound();
    await declared.access.check(c);
    if (declared.changing) refuseSpeculation(c);
    if (takesNoBody(declared)) await refuseBody(c);
    const { json, text } = declared.body ? await readJson(c, declared) : { json: undefined, text: '' };
    const submission = submissionOf(c, json);
    const asked = queryOf(c);
    const zone = Object.values(asked).some(isLocalDate) ? await timeZoneOf(c) : 'UTC';
    const errors: ProblemItem[] = [];
    const parse = (schema: z.ZodType | undefined, input: unknown, sent = (): unknown => input): unknown => {
      if (!schema) return undefined;
      const result = inZone(zone, () => schema.safeParse(input));
      if (!result.success) errors.push(...problemItems(result.error.issues, sent()));
      return result.data;
    };
    const params = parse(declared.params, parameterNamesOf(c));
    const query = parse(declared.query, asked);
    if (isOfApi(declared)) errors.push(...unknownParameters(asked, Object.keys(declared.query?.shape ?? {})));
    const sent = (): unknown => withSentNumbers(text, json);
    const body = parse(declared.body, json === undefined ? {} : json, sent);
    // The schema may have reported some of these already.
    const unstorable = unstorableIssues(json);
    if (unstorable.length > 0) {
      const named = new Set(errors.map(({ field }) => field));
      errors.push(...problemItems(unstorable, sent()).filter(({ field }) => !named.has(field)));
    }
    if (errors.length > 0) throw new ProblemError(validationRefusal(errors));
    const valid = { params, query, body, submission } as Parameters<typeof declared.handler>[1];
    try {
      return await declared.handler(c, valid);
    } catch (error) {
      throw asSent(error, asked);
    }
  };
  DECLARED.set(handler, declared);
  app.on(declared.method.toUpperCase(), pattern, handler);
}
