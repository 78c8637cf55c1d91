import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { checkForm, giveFlash } from '../../../access/session/request.ts';
import type { FoundSession } from '../../../access/session/store.ts';
import { primaryReads } from '../../../core/http/read.ts';
import { pathParams } from '../../../core/http/routing.ts';
import type { AppContext, AppEnv } from '../../../core/http/types.ts';
import { refuse } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import { ProblemError, refusalStatus } from '../../../core/lib/problem.ts';
import type { Became } from '../../../core/writer/each.ts';
import type { Language } from '../../../messages/languages.ts';
import type { Words } from '../../../messages/words.ts';
import { answered, mayDo, ownerOf, refuseRight } from './admission.ts';
import { asksForData, data, formOf, redirect, show } from './answer.tsx';
import { inWords, pageWords } from './language.ts';
import { CONFIRM, needsAsking, type Question, questionView, reasonOf } from './question.tsx';
import {
  byCount,
  madeDateOf,
  parsed,
  queryOf,
  readForm,
  SENT_TWICE,
  unsecret,
  wasKept,
} from './read-form.ts';
import type { OperatorRight, Right } from './rights.ts';
import { type AskedByTablet, WAITS } from './tablet-form.ts';
import type { Secret, Typed, View } from './view.ts';

/** What the code of a page knows about its request. */
export interface At {
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

/** The result of an action: a notice for the next page, or secrets to show on this one. */
export type Done =
  | { done: string; to?: string; data?: object }
  | { done: string; secrets: Secret[] }
  | { done: string; became: Became[] }
  | Response;

/** An action of a page's form. */
export interface Action {
  right: Right | OperatorRight | 'guest';
  form: z.ZodType;
  run(at: At, params: never, form: never): Promise<Done>;
  /** The question before an action that cannot be undone. */
  asks?: (at: At, params: never, form: never) => Promise<Question> | Question;
}

/**
 * An action of a page's form, whose input a schema checks; one action sends one command. An action with `asks` is done
 * once the user has agreed to its question.
 */
export function action<P, F extends z.ZodType>(
  right: Right | OperatorRight | 'guest',
  form: F,
  run: (at: At, params: P, form: z.output<F>) => Promise<Done>,
  asks?: (at: At, params: P, form: z.output<F>) => Promise<Question> | Question,
): Action {
  return { right, form, run, ...(asks ? { asks } : {}) };
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

/** A page with its forms: everything declared here is checked before its code runs. */
export interface Page<P extends z.ZodObject, Q extends z.ZodType> {
  /** Hono path, such as `/app/manifest/:uuid`. */
  path: string;
  /** The right that it needs; `guest` for pages without a session. */
  right: Right | OperatorRight | 'guest';
  feature?: 'SHIPMENT' | 'CLIENT';
  /** The languages in which all of it is written; English only if left out. */
  languages?: readonly Language[];
  /** Whether users who have to change their password first may see it. */
  beforePasswordChange?: boolean;
  /** The largest form in bytes as it is sent, unless it is the usual 1 MiB. */
  formBytesMaximum?: number;
  params?: P;
  query?: Q;
  /**
   * Checks the request of a tablet on the page of its gate, for a form or (`isAsked`) for the question of an action,
   * and attributes it to the gate worker. A page without it does not exist for tablets.
   */
  tablet?(at: At, params: z.output<P>, asked: AskedByTablet): Promise<void>;
  /** Render the page; after a refused form, `query` is that of a page without parameters. */
  view(at: At, params: z.output<P>, query: z.output<Q>): Promise<View | Response> | View | Response;
  /** Its actions by the name in the form's `action`; `default` for a form without one. */
  actions?: Record<string, Action>;
}

/** Length of a form's key in characters. */
const KEY_LENGTH = 40;

/** All declared pages, for tests of what holds for each of them. */
export const PAGES: Pick<AnyPage, 'path' | 'right' | 'feature' | 'languages' | 'actions' | 'tablet'>[] = [];

/** Serve a page: GET shows it, POST takes its forms. Both answer with a page, whatever happens. */
export function page<P extends z.ZodObject, Q extends z.ZodType>(
  app: Hono<AppEnv>,
  declared: Page<P, Q>,
): void {
  PAGES.push(declared as unknown as AnyPage);
  app.get(declared.path, (c) =>
    answered(c, declared, async (session) => {
      const at = atOf(c, session);
      const question = await questionOf(c, declared, at, session);
      return show(c, session, question ?? (await viewOf(declared, at, queryOf(c))), {});
    }),
  );
  if (!declared.actions) return;
  app.post(declared.path, (c) => answered(c, declared, (session) => take(c, declared, session)));
}

type AnyPage = Page<z.ZodObject, z.ZodType>;

/** The question before an action, if the query asks for it. */
async function questionOf(
  c: AppContext,
  declared: Pick<AnyPage, 'params' | 'actions' | 'tablet'>,
  at: At,
  session: FoundSession | null,
): Promise<View | undefined> {
  const { [CONFIRM]: name, ...typed } = queryOf(c);
  const wanted = typeof name === 'string' ? actionOf(declared, at, name) : undefined;
  if (typeof name !== 'string' || !wanted?.asks) return undefined;
  const params = paramsOf(c, declared);
  const form = parsed(wanted.form, typed);
  if (session?.tablet) await declared.tablet!(at, params as never, { name, form, isAsked: true });
  const question = await wanted.asks(at, params as never, form as never);
  return questionView(question, name, typed);
}

/**
 * The action with a name; undefined if the page has none.
 * @throws 403 if the user lacks its right
 */
function actionOf({ actions }: Pick<AnyPage, 'actions'>, at: At, name = ''): Action | undefined {
  const named = actions && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (named && named.right !== 'guest' && !at.may(named.right)) refuseRight(named.right);
  return named;
}

/** Process a form: do its action, or show the page again with the input and why it was refused. */
async function take(
  c: AppContext,
  declared: Omit<AnyPage, 'path' | 'right'>,
  session: FoundSession | null,
): Promise<Response> {
  const { own, typed } = await readForm(c, declared.formBytesMaximum);
  const { token, key: sent, action: name = 'default', owner, madeBy, turn, keptDate } = own;
  const { confirmed, why, whyNote } = own;
  checkForm(c, token, formOf(c, session));
  // A form that waited on a device belongs to the user who made it, whoever is signed in there now.
  if (owner !== undefined && owner !== session?.user.uuid) {
    refuse('formExpired', 'Somebody else has done this, who is not signed in here now.');
  }
  const at = atOf(c, session);
  const wanted = actionOf(declared, at, name);
  if (!wanted) return refuse('validationFailed', 'The page has no such form.');
  // Keys belong to the user, apart from those of other users and of the API. They outlive a session, as forms that wait
  // on a device do; one that somebody has taken over has the key of who made it, who may have sent it already.
  const made = z.uuid().safeParse(madeBy).data;
  const of = (owner !== undefined && made) || ownerOf(c, session);
  c.set('formKey', of && sent ? `${of} ${sent.slice(0, KEY_LENGTH)}` : null);
  c.set('json', unsecret({ action: name, ...typed }));
  const now = Date.now();
  const madeDate = madeDateOf(keptDate, now);
  if (made !== undefined || wasKept(madeDate, now)) c.set('keptDate', madeDate);
  try {
    const params = paramsOf(c, declared);
    const form = parsed(wanted.form, typed);
    if (session?.tablet) {
      await declared.tablet!(at, params as never, { name, form, turn, madeDate, isAsked: false });
    }
    if (wanted.asks) {
      const question = await wanted.asks(at, params as never, form as never);
      if (needsAsking(question, confirmed)) {
        const changed = confirmed !== undefined;
        return show(c, session, questionView(question, name, typed, changed), {}, changed ? 409 : 200);
      }
      c.set('reason', reasonOf(why, whyNote));
    }
    const done = await wanted.run(at, params as never, form as never);
    if (done instanceof Response) return done;
    if ('secrets' in done || 'became' in done) {
      const { done: flash, ...told } = done;
      return show(c, session, await viewOf(declared, at, queryOf(c)), { flash, ...told });
    }
    if (asksForData(c)) return data(c, { done: done.done, ...done.data });
    giveFlash(c, done.done);
    return redirect(c, done.to ?? c.req.path);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const refused = inWords(at.words, error);
    for (const [header, value] of Object.entries(error.headers)) c.header(header, value);
    if (asksForData(c)) {
      return data(c, { refused: refused.detail, ...WAITS[refused.code] }, refusalStatus(refused));
    }
    const again = await viewOf(declared, at, queryOf(c));
    const status = refusalStatus(refused);
    // The form may have been processed although the answer was lost: sent again with its key, it takes effect once.
    const kept = status === 503 ? sent?.slice(0, KEY_LENGTH) : undefined;
    const failed = { action: name, refusal: refused, typed: unsecret(typed), key: kept };
    return show(c, session, again, { failed }, status);
  }
}

function viewOf(
  declared: Pick<AnyPage, 'params' | 'query' | 'view'>,
  at: At,
  query: Typed,
): Promise<View | Response> | View | Response {
  const params = paramsOf(at.c, declared);
  return declared.view(at, params as never, (declared.query ? parsed(declared.query, query) : {}) as never);
}

/**
 * The parameters of the path.
 * @throws 404 if they are invalid
 */
function paramsOf(c: AppContext, { params }: Pick<AnyPage, 'params'>): unknown {
  const result = params?.safeParse(pathParams(c));
  if (result && !result.success) refuse('notFound', 'There is nothing at this address.');
  return result?.data ?? {};
}

function atOf(c: AppContext, session: FoundSession | null): At {
  let database: Database | undefined;
  return {
    c,
    words: pageWords(c),
    get session() {
      if (session === null) throw new Error('a page for guests has no session');
      return session;
    },
    get database() {
      database ??= primaryReads(c);
      return database;
    },
    may: (right) => mayDo(c, session, right),
  };
}
