import type { z } from '@hono/zod-openapi';
import type { FoundSession } from '../../../access/session/store.ts';
import { enter, inTurn } from '../../../core/http/permit.ts';
import { primaryReads } from '../../../core/http/read.ts';
import type { AppContext } from '../../../core/http/types.ts';
import { refuse } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import type { Language } from '../../../messages/languages.ts';
import type { Action, PageContext, PageRight } from '../confirm/action.ts';
import { type Files, parseInput, typedQuery } from '../form/read-form.ts';
import type { AskedByTablet } from '../form/tablet-form.ts';
import { pageWords } from '../parts/language.ts';
import type { Typed, View } from '../parts/view.ts';
import { mayDo, refuseRight } from './admission.ts';

/** The schema of a page without parameters, or without a query. */
export type Nothing = z.ZodObject<Record<never, never>>;

/** A page with its forms. Everything declared here is checked before its code runs. */
export interface Page<P extends z.ZodObject = Nothing, Q extends z.ZodType = Nothing> {
  /** Hono path, such as `/app/manifest/:uuid`. */
  path: string;
  /** The right that it needs; `guest` for pages without a session. */
  right: PageRight;
  feature?: 'SHIPMENT' | 'CLIENT';
  /** The languages of the whole page. The default for users is `DESK_LANGUAGES`, for others English. */
  languages?: readonly Language[];
  /** Whether users who must change their password first may see it. */
  beforePasswordChange?: boolean;
  /** The largest form in bytes. The default is 1 MiB. */
  formBytesMaximum?: number;
  params?: P;
  query?: Q;
  /** Its file fields. Each file becomes values of the form. */
  files?: Readonly<Record<string, (at: PageContext, file: Uint8Array) => Promise<Typed>>>;
  /** Completes the input of a form before it is parsed, such as the rows of a filter. `query` is of the form's URL. */
  complete?: (at: PageContext, typed: Typed, query: z.output<Q>) => Promise<Typed>;
  /**
   * Checks the request of a tablet on the page of its gate, and sets the gate worker as its author.
   * The request sends a form, or asks for the question of an action (`isAsked`). Returns when the
   * form was made (epoch milliseconds) if it belongs to an earlier turn. A page without it is not
   * open to tablets.
   */
  tablet?: (at: PageContext, params: z.output<P>, asked: AskedByTablet) => Promise<number | undefined>;
  /**
   * Render the page. After a refused form, `query` comes from the URL of the form, which is mostly without a
   * query.
   */
  view(at: PageContext, params: z.output<P>, query: z.output<Q>): Promise<View | Response> | View | Response;
  /** Its actions by the name in the form's `action`. `default` is for a form without a name. */
  actions?: Readonly<Record<string, Action<z.output<P>>>>;
}

/** A request to a page, with the declared parts of the page. `P` are the parameters of its path. */
export interface PageRequest<P> {
  c: AppContext;
  session: FoundSession | null;
  at: PageContext;
  /** The largest form in bytes; undefined for the default of 1 MiB. */
  formBytesMaximum: number | undefined;
  /**
   * The parameters of the path.
   * @throws 404 if they are invalid
   */
  params(): P;
  view(query: Typed): Promise<View | Response>;
  /**
   * The values that the chosen files become.
   * @throws 400 for a file that the page does not declare
   */
  readFiles(files: Files): Promise<Typed>;
  /** The input of a form, completed by the page. */
  complete(typed: Typed): Promise<Typed>;
  /**
   * The action with a name; undefined if the page has no such action.
   * @throws 403 if the user lacks its right
   */
  action(name: string): Action<P> | undefined;
  /** Check the request of a tablet. Requests of users pass. */
  checkTablet(params: P, asked: AskedByTablet): Promise<number | undefined>;
}

/** The memory that reading a file takes, in bytes. */
const SENT_FILE_BYTES = 16 * 1024 * 1024;

/** The time zone of dates that a user enters. */
export const zoneOf = (session: FoundSession | null): string => session?.organization.timeZone ?? 'UTC';

/** A request to a declared page. */
export function requestOf<P extends z.ZodObject, Q extends z.ZodType>(
  c: AppContext,
  session: FoundSession | null,
  declared: Page<P, Q>,
): PageRequest<z.output<P>> {
  const at = atOf(c, session);
  const queryOf = (asked: Typed): z.output<Q> =>
    (declared.query ? parseInput(declared.query, asked, zoneOf(session)) : {}) as z.output<Q>;
  const params = (): z.output<P> => {
    const result = declared.params?.safeParse(c.req.param());
    if (result && !result.success) refuse('notFound', 'This page does not exist. Check its address.');
    return (result?.data ?? {}) as z.output<P>;
  };
  return {
    c,
    session,
    at,
    formBytesMaximum: declared.formBytesMaximum,
    params,
    async view(asked) {
      const named = params();
      return declared.view(at, named, queryOf(asked));
    },
    complete: async (typed) => declared.complete?.(at, typed, queryOf(typedQuery(c))) ?? typed,
    async readFiles(files) {
      const values: Typed = {};
      for (const [name, file] of Object.entries(files)) {
        const { files: fields = {} } = declared;
        if (!Object.hasOwn(fields, name)) refuse('validationFailed', 'This form does not accept files.');
        await enter(c, SENT_FILE_BYTES);
        Object.assign(values, await inTurn(c, () => fields[name]!(at, file)));
      }
      return values;
    },
    action(name) {
      const { actions } = declared;
      const named = actions && Object.hasOwn(actions, name) ? actions[name] : undefined;
      if (named && named.right !== 'guest' && !at.may(named.right)) refuseRight(named.right);
      return named;
    },
    async checkTablet(named, asked) {
      return session?.tablet ? declared.tablet!(at, named, asked) : undefined;
    },
  };
}

function atOf(c: AppContext, session: FoundSession | null): PageContext {
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
