import type { MiddlewareHandler } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { settingsOf } from '../env.ts';
import { newUuid } from '../lib/id.ts';
import { doesNotExist, quoted } from '../lib/missing.ts';
import { refusal } from '../lib/problem.ts';
import { withoutEndSlashes } from '../lib/text.ts';
import { CHANGING_GETS } from './endpoint.ts';
import { isApiPath } from './method-override.ts';
import { leave } from './permit.ts';
import { problemResponse } from './problem.ts';
import { costOf } from './request-log.ts';
import type { AppContext, AppEnv } from './types.ts';

/**
 * For a year (RFC 6797), over https only (section 7.2). Without subdomains: every host of the service sends its own
 * header, and the domain may have other hosts that do not belong to the service.
 */
const HTTPS_ONLY = 'max-age=31536000';
/**
 * Cache-Control of answers that every cache may keep for a year. Cloudflare stores them in front of the Worker by path and
 * query alone. So their bytes and headers must be the same for all callers, hosts and schemes (`test/contract/cache`). Only
 * `X-Request-Id` differs, and it is not stored.
 */
export const PUBLIC = 'public, max-age=31536000, immutable';
/** The same for Cloudflare, which removes this header. It stores the answer without the listed header (RFC 9111). */
const EDGE = ['Cloudflare-CDN-Cache-Control', `${PUBLIC}, private="X-Request-Id"`] as const;
/** The ids of requests that the service takes from a caller. */
export const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Whether all callers share the answer. It then has no header of a single request, except `X-Request-Id`. */
const isShared = (c: AppContext): boolean => c.res.headers.get('Cache-Control') === PUBLIC;

/** Give each request an id (the caller's, if it sends one), and each answer the headers of all answers. */
export const requestContext: MiddlewareHandler<AppEnv> = async (c, next) => {
  const sent = c.req.header('X-Request-Id');
  const requestId = sent !== undefined && REQUEST_ID.test(sent) ? sent : newUuid();
  c.set('requestId', requestId);
  await next();
  leave(c);
  c.res.headers.set('X-Content-Type-Options', 'nosniff');
  c.res.headers.set('X-Request-Id', requestId);
  if (isShared(c)) {
    c.res.headers.set(...EDGE);
    return;
  }
  if (c.req.url.startsWith('https:')) c.res.headers.set('Strict-Transport-Security', HTTPS_ONLY);
  // Cloudflare would store the answer in front of the Worker for two hours. RFC 9111 protects only requests with
  // Authorization, which callers do not send here.
  if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'no-store');
  if (c.res.status < 400) {
    const bookmark = c.get('database')?.bookmark ?? c.get('bookmark');
    if (bookmark) c.res.headers.set('x-d1-bookmark', bookmark);
  }
};

/** Answer 503 if the configuration is missing or for development only. The cause is only logged. */
export const configured: MiddlewareHandler<AppEnv> = async (c, next) => {
  try {
    settingsOf(c.env);
  } catch (error) {
    console.error(JSON.stringify({ requestId: c.get('requestId'), error: String(error) }));
    return problemResponse(c, refusal('temporarilyUnavailable', 'The service is not configured.'));
  }
  await next();
};

/** In development, the D1 cost of a request: `Server-Timing: d1;desc="1 round trips, 3 rows read, 0 rows written"`. */
export const costHeader: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (settingsOf(c.env).ENVIRONMENT !== 'development' || isShared(c)) return;
  const { roundTrips, rowsRead, rowsWritten } = costOf(c);
  const cost = `${roundTrips} round trips, ${rowsRead} rows read, ${rowsWritten} rows written`;
  c.res.headers.set('Server-Timing', `d1;desc="${cost}"`);
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The methods that the declared routes have for a path. */
type MethodsAt = (path: string) => (typeof METHODS)[number][];

export function methodsOf(routes: { method: string; path: string }[]): MethodsAt {
  const router = new TrieRouter<true>();
  for (const { method, path } of routes) {
    if ((METHODS as readonly string[]).includes(method)) router.add(method, path, true);
    if (method === 'GET' && !CHANGING_GETS.has(path)) router.add('HEAD', path, true);
  }
  return (path) => METHODS.filter((method) => router.match(method, path)[0].length > 0);
}

/** Redirect the address of a page with slashes at its end to the page. Addresses of the APIs are exact. */
export const withoutSlash =
  (methodsAt: MethodsAt): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { path } = c.req;
    if (!path.endsWith('/') || isApiPath(path)) return next();
    // No page begins with two slashes, which browsers read as the start of a host.
    const page = withoutEndSlashes(path);
    if (methodsAt(page).length === 0) return next();
    const { pathname, search } = new URL(c.req.url);
    return c.redirect(withoutEndSlashes(pathname) + search, 308);
  };

/**
 * The hint for a path that only has too many slashes, as a base URL with a slash at its end makes them. It is not
 * served, because an empty segment may also be an empty identifier, and firewalls compare the beginning of a path.
 */
function slashHint(methodsAt: MethodsAt, path: string): string {
  const plain = path.replace(/\/{2,}/g, '/').replace(/(?!^)\/$/, '');
  if (plain === path || methodsAt(plain).length === 0) return '';
  return ` It has too many slashes. Use ${quoted(plain)}, unless an identifier is empty.`;
}

/** The answer if no route matches: 405 with Allow for a known path, else 404. */
export function unrouted(methodsAt: MethodsAt): (c: AppContext) => Response {
  return (c) => {
    const { path } = c.req;
    const allowed = methodsAt(path);
    if (allowed.length === 0) {
      const hint = slashHint(methodsAt, path);
      return problemResponse(c, refusal('notFound', `${doesNotExist('Path', path)}${hint}`));
    }
    const names = allowed.join(', ');
    return problemResponse(c, refusal('methodNotAllowed', `Use ${allowed.join(' or ')} for this path.`), {
      Allow: names,
    });
  };
}
