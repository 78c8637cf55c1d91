import { z } from '@hono/zod-openapi';
import type { FoundSession } from '../../../access/session/store.ts';
import type { AppContext } from '../../../core/http/types.ts';
import type { Submission } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import { ERRORS_MAXIMUM } from '../../../core/lib/problem.ts';
import type { ItemResult } from '../../../core/writer/command.ts';
import type { Words } from '../../../messages/words.ts';
import { byCount, parseInput, SENT_TWICE } from '../form/read-form.ts';
import type { OperatorRight, Right } from '../parts/rights.ts';
import type { Secret, Typed } from '../parts/view.ts';
import type { Confirmation } from './confirmation.tsx';

/** The right that a page or an action needs. `guest` needs no session. */
export type PageRight = Right | OperatorRight | 'guest';

/** The context of a request, for the code of a page. */
export interface PageContext {
  c: AppContext;
  /** The signed-in user. A page for guests has no session, and reading this throws. */
  session: FoundSession;
  /**
   * The user's organization, read from the primary. So a page shows the result of its last form.
   */
  database: Database;
  /** The messages in the language of the page. */
  words: Words;
  may(right: Right | OperatorRight): boolean;
}

/** The context of a request, for an action. */
export interface ActionContext extends PageContext {
  /** The idempotency key, payload, reason and date for its command. */
  submission: Submission;
}

/** The result of an action: a notice for the next page, or a notice with secrets or row results for this page. */
export type ActionResult =
  | { done: string; to?: string; data?: object }
  | { done: string; secrets: Secret[] }
  | { done: string; became: ItemResult[] }
  | Response;

/** An action of a page's form. `P` are the parameters that the path of the page must have. */
export interface Action<P = never> {
  right: PageRight;
  form: z.ZodType;
  /** Whether it asks for confirmation first. */
  needsConfirmation: boolean;
  /**
   * Parse the input of its form. `zone` is the time zone of dates without an offset.
   * @throws 400 with the errors
   */
  parse: (typed: Typed, zone: string) => FilledIn<P>;
}

/** An action with the parsed input of its form. */
interface FilledIn<P> {
  form: unknown;
  run: (at: ActionContext, params: P) => Promise<ActionResult>;
  /** The question before an action that cannot be undone. */
  ask: ((at: PageContext, params: P) => Promise<Confirmation> | Confirmation) | undefined;
}

/**
 * An action of a page's form. A schema checks its input, and it sends one command. An action with
 * `ask` runs only after the user has confirmed its question.
 */
export function action<P, F extends z.ZodType>(
  right: PageRight,
  form: F,
  run: (at: ActionContext, params: P, form: z.output<F>) => Promise<ActionResult>,
  ask?: (at: PageContext, params: P, form: z.output<F>) => Promise<Confirmation> | Confirmation,
): Action<P> {
  return {
    right,
    form,
    needsConfirmation: ask !== undefined,
    parse(typed, zone) {
      const input = parseInput(form, typed, zone);
      return {
        form: input,
        run: (at, params) => run(at, params, input),
        ask: ask && ((at, params) => ask(at, params, input)),
      };
    },
  };
}

/**
 * Apply a schema of the API to the texts of a form. `toBody` turns the texts into the body that the
 * schema checks. `lists` names the fields that may be sent several times. Any other field that is
 * sent twice is refused.
 */
export function asTyped<S extends z.ZodType, L extends string = never>(
  schema: S,
  toBody: (typed: Record<string, string | undefined>, listed: Record<L, string[]>) => unknown,
  lists: readonly L[] = [],
): z.ZodType<z.output<S>> {
  return z.preprocess((typed, context) => {
    const { once, listed, twice } = byCount(typed as Typed, lists);
    if (twice.length === 0) return toBody(once, listed);
    for (const name of twice.slice(0, ERRORS_MAXIMUM + 1))
      context.addIssue({ code: 'custom', path: [name], message: SENT_TWICE });
    return z.NEVER;
  }, schema);
}

/** The actions that end a session. Every page has a form for them. */
export interface SignOutActions {
  'sign-out': unknown;
}
