import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Handler } from 'hono';
import { ERRORS_MAXIMUM, ProblemError, type ProblemItem } from '../lib/problem.ts';
import { readJson, refuseBody } from './body.ts';
import { type Declared, isOfApi, takesNoBody } from './contract.ts';
import { inZone, isLocalDate } from './dates.ts';
import type { Endpoint, Shape } from './declaration.ts';
import { inTurn } from './permit.ts';
import { parseInPortions } from './portions.ts';
import { asSent, problemItems, unknownParameters, validationRefusal } from './problem-items.ts';
import { parameterNamesOf, queryOf } from './query.ts';
import { timeZoneOf } from './read.ts';
import { refuseSpeculation } from './speculation.ts';
import type { AppContext, AppEnv } from './types.ts';
import { findUnstorable } from './unstorable.ts';
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
    const { json, sent } = declared.body
      ? await readJson(c, declared)
      : { json: undefined, sent: () => undefined };
    const submission = submissionOf(c, json);
    const asked = queryOf(c);
    const zone = Object.values(asked).some(isLocalDate) ? await timeZoneOf(c) : 'UTC';
    let errors: ProblemItem[] = [];
    const parse = (schema: z.ZodType | undefined, input: unknown, exact = (): unknown => input): unknown => {
      if (!schema) return undefined;
      const result = inZone(zone, () => schema.safeParse(input));
      if (!result.success) errors = errors.concat(problemItems(result.error.issues, input, exact));
      return result.data;
    };
    const bodyOf = async (): Promise<unknown> => {
      const input = json === undefined ? {} : json;
      const turn = <T>(piece: () => T): Promise<T> => inTurn(c, piece);
      if (!declared.bodyList) return turn(() => parse(declared.body, input, sent));
      const safeParse = (portion: unknown) => inZone(zone, () => declared.body!.safeParse(portion));
      const { data, issues } = await parseInPortions(safeParse, input, declared.bodyList, turn);
      errors = errors.concat(problemItems(issues, input, sent));
      return data;
    };
    const params = parse(declared.params, parameterNamesOf(c));
    const query = parse(declared.query, asked);
    if (isOfApi(declared))
      errors = errors.concat(unknownParameters(asked, Object.keys(declared.query?.shape ?? {})));
    const body = await bodyOf();
    // The schema may have reported some of these already.
    const named = new Set(errors.map(({ field }) => field));
    await inTurn(c, () =>
      findUnstorable(json, (issue) => {
        const [item] = problemItems([issue], json, sent);
        if (!named.has(item!.field)) errors.push(item!);
        return errors.length <= ERRORS_MAXIMUM;
      }),
    );
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
