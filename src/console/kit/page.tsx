import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { primaryReads } from '../../http/read.ts';
import { pathParams } from '../../http/routing.ts';
import type { AppContext, AppEnv } from '../../http/types.ts';
import { refuse } from '../../http/write.ts';
import type { Database } from '../../lib/database.ts';
import { ProblemError, refusalStatus } from '../../lib/problem.ts';
import type { Language } from '../../messages/languages.ts';
import type { Words } from '../../messages/words.ts';
import { checkForm, giveFlash } from '../../session/request.ts';
import type { FoundSession } from '../../session/store.ts';
import type { Became } from '../../writer/each.ts';
import { answered, mayDo, ownerOf, refuseRight } from './admission.ts';
import { asksForData, data, formOf, redirect, show } from './answer.tsx';
import { inWords, pageWords } from './language.ts';
import { CONFIRM, needsAsking, type Question, questionView, reasonOf } from './question.tsx';
import { one, parsed, queryOf, readForm, unsecret } from './read-form.ts';
import type { OperatorRight, Right } from './rights.ts';
import type { Secret, Typed, View } from './view.ts';

/** What the code of a page gets of its request. */
export interface At {
  c: AppContext;
  /** Whose page it is. On a page for guests there is none, and reading it throws. */
  session: FoundSession;
  /** Reads of the user's organization, from the primary: a page shows what its last form did. */
  database: Database;
  /** What the page says things in. */
  words: Words;
  /** Whether the user has a right. */
  may(right: Right | OperatorRight): boolean;
}

/** What came of an action: something to tell on the page that comes next, or secrets to show on this one. */
export type Done =
  | { done: string; to?: string; data?: object }
  | { done: string; secrets: Secret[] }
  | { done: string; became: Became[] }
  | Response;

/** Something that a page's form does. */
export interface Action {
  right: Right | OperatorRight | 'guest';
  form: z.ZodType;
  run(at: At, params: never, form: never): Promise<Done>;
  /** What is asked before it is done, of what cannot be undone. */
  asks?: (at: At, params: never, form: never) => Promise<Question> | Question;
}

/**
 * Something that a page's form does, checked by a schema; one action sends one command. One that `asks` is done once
 * somebody has agreed to what it will do.
 */
export function action<P, F extends z.ZodType>(
  right: Right | OperatorRight | 'guest',
  form: F,
  run: (at: At, params: P, form: z.output<F>) => Promise<Done>,
  asks?: (at: At, params: P, form: z.output<F>) => Promise<Question> | Question,
): Action {
  return { right, form, run, ...(asks ? { asks } : {}) };
}

/** A schema of the API for what a form sends: texts, made into the body that the schema judges. */
export function asTyped<S extends z.ZodType, T = Record<string, string | undefined>>(
  schema: S,
  toBody: (typed: T) => unknown,
): z.ZodType<z.output<S>> {
  return z.preprocess((typed) => toBody(typed as T), schema);
}

/** A page with its forms: all that is declared here is checked before its code runs. */
export interface Page<P extends z.ZodObject, Q extends z.ZodType> {
  /** Hono path, such as `/app/manifest/:uuid`. */
  path: string;
  /** Who may see it; `guest` for pages that need no session. */
  right: Right | OperatorRight | 'guest';
  feature?: 'SHIPMENT' | 'CLIENT';
  /** The languages that all it says is in, which is English alone where it is not said. */
  languages?: readonly Language[];
  /** Whether it is there for users who have to change their password first. */
  beforePasswordChange?: boolean;
  params?: P;
  query?: Q;
  /**
   * Checks what a tablet asks for on the page of its gate, a form or (`isAsked`) what its action would do, and says who it is
   * that works there. Without it the page is none that tablets see.
   */
  tablet?(at: At, params: z.output<P>, asked: AskedByTablet): Promise<void>;
  /** What the page shows; `query` is as of a page that was not asked for anything after a form was refused. */
  view(at: At, params: z.output<P>, query: z.output<Q>): Promise<View | Response> | View | Response;
  /** What its forms do, by the name in their `action`; `default` for a form without. */
  actions?: Record<string, Action>;
}

/** An action that a tablet wants. */
export interface AskedByTablet {
  name: string;
  form: unknown;
  /** By which it says who works there; none is whoever does now. */
  turn: string | undefined;
  /** Whether it is only asked what that would do. */
  isAsked: boolean;
}

/** Characters of a form's key. */
const KEY_LENGTH = 40;

/** All pages that were declared, for tests of what holds for each. */
export const PAGES: Pick<AnyPage, 'path' | 'right' | 'feature' | 'languages' | 'actions' | 'tablet'>[] = [];

/** Serve a page: GET shows it, POST takes its forms, and either is answered with a page whatever happens. */
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

/** What is asked before an action, where the page is asked with one in its query. */
async function questionOf(
  c: AppContext,
  declared: Pick<AnyPage, 'params' | 'actions' | 'tablet'>,
  at: At,
  session: FoundSession | null,
): Promise<View | undefined> {
  const { [CONFIRM]: named, ...typed } = queryOf(c);
  const wanted = actionOf(declared, at, one(named));
  if (!wanted?.asks) return undefined;
  const params = paramsOf(c, declared);
  const form = parsed(wanted.form, typed);
  const name = one(named)!;
  if (session?.tablet)
    await declared.tablet!(at, params as never, { name, form, turn: undefined, isAsked: true });
  const question = await wanted.asks(at, params as never, form as never);
  return questionView(question, name, typed);
}

/** The action of a name; undefined where the page has none. @throws 403 for who lacks its right. */
function actionOf({ actions }: Pick<AnyPage, 'actions'>, at: At, name = ''): Action | undefined {
  const named = actions && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (named && named.right !== 'guest' && !at.may(named.right)) refuseRight(named.right);
  return named;
}

/** Take a form: do what it asks for, or show the page again with what was typed and why it was refused. */
async function take(
  c: AppContext,
  declared: Pick<AnyPage, 'params' | 'query' | 'view' | 'actions' | 'tablet'>,
  session: FoundSession | null,
): Promise<Response> {
  const { token, key, action: named, confirmed, why, whyNote, owner, turn, ...typed } = await readForm(c);
  checkForm(c, one(token), formOf(c, session));
  // What waited on a device is of who did it, whoever is signed in there now.
  if (owner !== undefined && one(owner) !== session?.user.uuid) {
    refuse('formExpired', 'Somebody else has done this, who is not signed in here now.');
  }
  const name = one(named) ?? 'default';
  const at = atOf(c, session);
  const wanted = actionOf(declared, at, name);
  if (!wanted) return refuse('validationFailed', 'The page has no such form.');
  const sent = one(key);
  // The user's own: nobody runs into another's or the API's, and it outlives a session, as what waits on a device does.
  const of = ownerOf(c, session);
  c.set('formKey', of && sent ? `${of} ${sent.slice(0, KEY_LENGTH)}` : null);
  c.set('json', unsecret({ action: name, ...typed }));
  try {
    const params = paramsOf(c, declared);
    const form = parsed(wanted.form, typed);
    if (session?.tablet) {
      await declared.tablet!(at, params as never, { name, form, turn: one(turn), isAsked: false });
    }
    if (wanted.asks) {
      const question = await wanted.asks(at, params as never, form as never);
      if (needsAsking(question, one(confirmed))) {
        const changed = confirmed !== undefined;
        return show(c, session, questionView(question, name, typed, changed), {}, changed ? 409 : 200);
      }
      c.set('reason', reasonOf(one(why), one(whyNote)));
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
      // It waits on the tablet until somebody has said who works there.
      const waits = refused.code === 'workerRequired' ? { waits: true } : {};
      return data(c, { refused: refused.detail, ...waits }, refusalStatus(refused));
    }
    const again = await viewOf(declared, at, queryOf(c));
    const status = refusalStatus(refused);
    // It may have been taken all the same: sent again under its key, it is one effect.
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

/** What the path names. @throws 404 where it can name nothing. */
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
