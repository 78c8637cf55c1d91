import { type FormOf, guestFormToken, sessionFormToken, takeFlash } from '../../../access/session/request.ts';
import type { FoundSession } from '../../../access/session/store.ts';
import { PAGE_POLICY, WASM_POLICY } from '../../../core/http/page-policy.ts';
import { problemOf, problemResponse, RETRY_AFTER_S } from '../../../core/http/problem.ts';
import type { AppContext } from '../../../core/http/types.ts';
import { refusalStatus } from '../../../core/lib/problem.ts';
import { LANGUAGE_VARY } from '../../../messages/chosen.ts';
import { inWords, pageWords, titleOf } from '../parts/language.ts';
import type { PageState, View } from '../parts/view.ts';
import { rememberOrganization } from './last-organization.ts';
import { HtmlDocument } from './layout.tsx';
import { isOfOperators } from './operator.ts';
import { OPERATOR_HOME } from './operator-menu.tsx';

/** Headers of every page. */
const HEADERS = {
  'Content-Security-Policy': PAGE_POLICY,
  'Referrer-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
  // Browsers ignore it over http (HTML standard: it needs a secure context).
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  Vary: LANGUAGE_VARY,
};

/**
 * Whether a script sent the form. The script keeps the form on the device until it gets an answer.
 */
export const wantsJson = (c: AppContext): boolean => c.req.header('Accept') === 'application/json';

/** The answer to a script about its form. */
export const data = (c: AppContext, of: object, status = 200): Response =>
  c.body(JSON.stringify(of), status as 200, { ...HEADERS, 'Content-Type': 'application/json' });

/** The kind of user that the forms of a page belong to. */
export const formOf = (c: AppContext, session: FoundSession | null): FormOf =>
  session?.tablet ? 'tablet' : session ? 'session' : c.get('signedIn') ? 'operator' : 'guest';

export function show(
  c: AppContext,
  session: FoundSession | null,
  view: View | Response,
  more: Pick<PageState, 'failed' | 'typed' | 'flash' | 'secrets' | 'became'>,
  status = 200,
): Response {
  if (view instanceof Response) return view;
  const of = formOf(c, session);
  if (of === 'session' && session) rememberOrganization(c, session.organization);
  const shown: PageState = {
    session,
    operator: isOfOperators(c) ? { name: c.get('signedIn')?.actor.displayName } : undefined,
    language: pageWords(c).language,
    formToken: of === 'guest' ? guestFormToken(c) : sessionFormToken(c, of),
    path: new URL(c.req.url).pathname,
    search: new URL(c.req.url).search,
    labels: new Map(),
    ...more,
    flash: more.flash ?? (status === 200 ? takeFlash(c) : undefined),
  };
  const html = `<!doctype html>${(<HtmlDocument shown={shown} view={view} />).toString()}`;
  if (status === 503 && !c.res.headers.has('Retry-After')) c.header('Retry-After', RETRY_AFTER_S);
  const policy = view.wasm ? { 'Content-Security-Policy': WASM_POLICY } : {};
  return c.body(html, status as 200, {
    ...HEADERS,
    ...policy,
    'Content-Type': 'text/html; charset=utf-8',
  });
}

/**
 * The page for a refusal or a defect. Only the log has the details of a defect. A script that sent
 * the form gets problem details instead.
 */
export function failure(c: AppContext, session: FoundSession | null, error: unknown): Response {
  const problem = problemOf(c, error);
  const { headers } = problem;
  const words = pageWords(c);
  const refused = inWords(words, problem);
  if (wantsJson(c)) return problemResponse(c, refused, headers);
  const isRevoked = refused.code === 'tabletRevoked';
  for (const [header, value] of Object.entries(headers)) c.header(header, value);
  const body = (
    <section class="card">
      <p>{refused.detail}</p>
      <p class="hint">{words.t('kit.request', { id: c.get('requestId') })}</p>
      {isRevoked && <p class="strip" id="left" role="status" hidden />}
      <p>
        {isRevoked ? (
          <a class="button quiet" href="/app/login">
            {words.t('signIn.title')}
          </a>
        ) : refused.code === 'shipmentStrategyRequired' ? (
          <a class="button" href="/app/today">
            {words.t('start.planIt')}
          </a>
        ) : (
          <a class="button" href={isOfOperators(c) ? OPERATOR_HOME : '/app'}>
            {isOfOperators(c) ? 'To the overview' : words.t('kit.toStart')}
          </a>
        )}
      </p>
    </section>
  );
  const left: Partial<View> = isRevoked ? { scripts: ['tablet-revoked.js'], words: ['revoked'] } : {};
  const view: View = { title: titleOf(words, refused), body, isErrorPage: true, ...left };
  return show(c, session, view, {}, refusalStatus(refused));
}

/** Redirect a browser with 303. It then sends GET after any method. */
export function redirect(c: AppContext, to: string): Response {
  return c.body(null, 303, { Location: to, 'Cache-Control': 'no-store' });
}

/** Redirect a browser to the sign-in page. After sign-in it continues to the requested page. */
export function toSignIn(c: AppContext): Response {
  const { pathname, search } = new URL(c.req.url);
  const next = c.req.method === 'GET' ? `${pathname}${search}` : pathname;
  return redirect(c, `/app/login?next=${encodeURIComponent(next)}`);
}
