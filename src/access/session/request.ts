import { timingSafeEqual } from 'node:crypto';
import { getCookie, setCookie } from 'hono/cookie';
import { ownSlug } from '../../core/http/hosts.ts';
import { type AppContext, callerAddress, origin } from '../../core/http/types.ts';
import { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { randomToken } from '../../core/lib/id.ts';
import { ProblemError, refusal } from '../../core/lib/problem.ts';
import { SUSPENDED } from '../../core/writer/settings.ts';
import { addressOf, cookieNames, isSameOrigin, LIFE_MS, SEEN_STEP_MS } from './rules.ts';
import { type FoundSession, findSession, noteSeen } from './store.ts';

/**
 * Count a request under a key and return whether the quota allows it. Requests without a key are allowed. If the quota
 * cannot be checked, the request is allowed. Each data centre counts its own requests.
 */
export const withinQuota = async (quota: RateLimit, key: string | null): Promise<boolean> =>
  key === null || (await quota.limit({ key }).catch(() => ({ success: true }))).success;

/** The same for the IP address of a request. An IPv6 network counts as one address. */
export function withinAddressQuota(c: AppContext): Promise<boolean> {
  const address = callerAddress(c);
  return withinQuota(c.env.PUBLIC_BY_ADDRESS, address && addressOf(address));
}

/** The names of the cookies of this host. */
export const cookieNamesOf = (c: AppContext) => cookieNames(new URL(c.req.url));

/**
 * Set a cookie that scripts cannot read. Requests from links of other sites carry it, unless it is strict. `maxAge` is
 * in seconds; 0 deletes the cookie.
 */
export function writeCookie(
  c: AppContext,
  name: string,
  value: string,
  maxAge: number,
  sameSite: 'Lax' | 'Strict' = 'Lax',
): void {
  setCookie(c, name, value, {
    path: '/',
    httpOnly: true,
    sameSite,
    secure: cookieNamesOf(c).secure,
    maxAge,
  });
}

/** Set the session cookie. */
export function setSessionCookie(c: AppContext, token: string): void {
  writeCookie(c, cookieNamesOf(c).session, token, LIFE_MS / 1_000);
}

/** Delete the session cookie. */
export function clearSessionCookie(c: AppContext): void {
  writeCookie(c, cookieNamesOf(c).session, '', 0);
}

const FLASH_S = 60;

/** Store a message for the next page. */
export function setFlash(c: AppContext, message: string): void {
  writeCookie(c, cookieNamesOf(c).flash, encodeURIComponent(message), FLASH_S);
}

/** The message for this page. It is shown once. */
export function takeFlash(c: AppContext): string | undefined {
  const { flash } = cookieNamesOf(c);
  const message = getCookie(c, flash);
  if (message === undefined) return undefined;
  writeCookie(c, flash, '', 0);
  try {
    return decodeURIComponent(message);
  } catch {
    return undefined;
  }
}

/** The active session of the request's browser, for this host's organization. @throws 403 `organizationSuspended` */
export async function sessionOf(c: AppContext): Promise<FoundSession | undefined> {
  const token = getCookie(c, cookieNamesOf(c).session);
  if (!token) return undefined;
  const now = Date.now();
  const found = await findSession(databasesOf(c.env), token, now);
  const slug = ownSlug(c);
  if (!found || (slug !== undefined && slug !== found.organization.slug)) return undefined;
  if (found.organization.suspendedDate !== null) throw new ProblemError(SUSPENDED);
  if (now - found.lastSeenDate >= SEEN_STEP_MS) {
    const database = new Database(found.organization.uuid, databasesOf(c.env));
    c.executionCtx.waitUntil(
      noteSeen(database, found.uuid, now).catch((error) => console.warn(String(error))),
    );
  }
  return found;
}

/**
 * The token that a form of this browser must send back. It is derived from the browser's cookie, but does not reveal
 * it.
 */
const formToken = (cookie: string): string => sha256Hex(`form ${cookie}`);

/** The kinds of forms: of a user, a tablet, an operator, or a browser that is not signed in. */
export type FormOf = 'session' | 'tablet' | 'operator' | 'guest';

/** The form token of a signed-in browser: of a user, an operator or a tablet. */
export function sessionFormToken(c: AppContext, of: Exclude<FormOf, 'guest'>): string {
  return formToken(getCookie(c, cookieNamesOf(c)[of]) ?? '');
}

/** The form token of a browser that is not signed in. Sets a cookie for it. */
export function guestFormToken(c: AppContext): string {
  const { guest } = cookieNamesOf(c);
  const cookie = getCookie(c, guest) || randomToken();
  writeCookie(c, guest, cookie, LIFE_MS / 1_000);
  return formToken(cookie);
}

/**
 * Refuse a form that another site made the browser send (CSRF). @throws 403 `crossOriginRefused` because of its
 * headers, or 403 `formExpired` without the token of the browser's cookie
 */
export function checkForm(c: AppContext, token: string | undefined, by: FormOf): void {
  if (!isSameOrigin(origin(c), c.req.raw.headers)) {
    throw new ProblemError(refusal('crossOriginRefused', 'Another site has sent this form.'));
  }
  const cookie = getCookie(c, cookieNamesOf(c)[by]);
  // Not a browser: no user can be tricked, and there is no session to misuse.
  const scripted = ['Origin', 'Sec-Fetch-Site', 'Cookie'].every((name) => c.req.header(name) === undefined);
  if (by === 'guest' && scripted && token === undefined) return;
  const expected = Buffer.from(formToken(cookie ?? ''));
  const sent = Buffer.from(token ?? '');
  if (!cookie || sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
    throw new ProblemError(refusal('formExpired', 'The form is no longer valid. Send it again.'));
  }
}
