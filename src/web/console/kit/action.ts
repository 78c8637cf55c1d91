import { z } from '@hono/zod-openapi';
import type { FoundSession } from '../../../access/session/store.ts';
import type { AppContext } from '../../../core/http/types.ts';
import type { Submission } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import type { ItemResult } from '../../../core/writer/decide-items.ts';
import type { Words } from '../../../messages/words.ts';
import type { Confirmation } from './confirmation.tsx';
import { byCount, parsed, SENT_TWICE } from './read-form.ts';
import type { OperatorRight, Right } from './rights.ts';
import type { Secret, Typed } from './view.ts';

/** What a page or an action needs: a right, or nothing for guests, who have no session. */
export type PageRight = Right | OperatorRight | 'guest';

/** What the code of a page knows about its request. */
export interface PageContext {
  c: AppContext;
  /** Who is signed in. A page for guests has nobody, and reading this throws. */
  session: FoundSession;
  /** The user's organization, read from the primary, so that a page shows what its last form did. */
  database: Database;
  /** The messages in the language of the page. */
  words: Words;
  /** Whether the user has a right. */
  may(right: Right | OperatorRight): boolean;
}

/** What an action knows about its request. */
export interface ActionContext extends PageContext {
  /** What its command is sent with. */
  submission: Submission;
}

/** The result of an action: a notice for the next page, or secrets to show on this one. */
export type ActionResult =
  | { done: string; to?: string; data?: object }
  | { done: string; secrets: Secret[] }
  | { done: string; became: ItemResult[] }
  | Response;

/** An action of a page's form; `P` are the parameters that the page's path has to have. */
export interface Action<P = never> {
  right: PageRight;
  form: z.ZodType;
  /** Whether it asks a question before it does anything. */
  needsConfirmation: boolean;
  /**
   * Parse the input of its form.
   * @throws 400 with what is wrong
   */
  parse: (typed: Typed) => FilledIn<P>;
}

/** An action with the parsed input of its form. */
export interface FilledIn<P> {
  form: unknown;
  run: (at: ActionContext, params: P) => Promise<ActionResult>;
  /** The question before an action that cannot be undone. */
  ask: ((at: PageContext, params: P) => Promise<Confirmation> | Confirmation) | undefined;
}

/**
 * An action of a page's form, whose input a schema checks; one action sends one command. An action with `ask` is done
 * once the user has agreed to its question.
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
    parse(typed) {
      const input = parsed(form, typed);
      return {
        form: input,
        run: (at, params) => run(at, params, input),
        ask: ask && ((at, params) => ask(at, params, input)),
      };
    },
  };
}

/**
 * A schema of the API for the texts of a form, which are made into the body that it checks. `lists` names the fields
 * that several inputs may send; any other field that is sent twice is refused.
 */
export function asTyped<S extends z.ZodType, L extends string = never>(
  schema: S,
  toBody: (typed: Record<string, string | undefined>, listed: Record<L, string[]>) => unknown,
  lists: readonly L[] = [],
): z.ZodType<z.output<S>> {
  return z.preprocess((typed, context) => {
    const { once, listed, twice } = byCount(typed as Typed, lists);
    if (twice.length === 0) return toBody(once, listed);
    for (const name of twice) context.addIssue({ code: 'custom', path: [name], message: SENT_TWICE });
    return z.NEVER;
  }, schema);
}

/** The actions of the pages that end a session, to which every page has a form. */
export interface SignOutActions {
  'sign-out': unknown;
}
