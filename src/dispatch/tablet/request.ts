import { getCookie } from 'hono/cookie';
import { cookieNamesOf, sessionOf, writeCookie } from '../../access/session/request.ts';
import { SEEN_STEP_MS } from '../../access/session/rules.ts';
import type { FoundSession } from '../../access/session/store.ts';
import { ownSlug } from '../../core/http/hosts.ts';
import type { AppContext } from '../../core/http/types.ts';
import { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { ProblemError, refusal } from '../../core/lib/problem.ts';
import { SUSPENDED } from '../../core/writer/settings.ts';
import { COOKIE_LIFE_MS } from './rules.ts';
import { findTablet, noteTabletUse } from './store.ts';

/** Set the cookie of a tablet, for as long as browsers keep a cookie. */
export function setTabletCookie(c: AppContext, token: string): void {
  writeCookie(c, cookieNamesOf(c).tablet, token, COOKIE_LIFE_MS / 1_000);
}

/**
 * The tablet whose browser sends the request, as a session of this host's organization.
 * @throws 403 `tabletRevoked`, 403 `organizationSuspended`
 */
export async function tabletOf(c: AppContext): Promise<FoundSession | undefined> {
  const token = getCookie(c, cookieNamesOf(c).tablet);
  if (!token) return undefined;
  const now = Date.now();
  const found = await findTablet(databasesOf(c.env), token, now);
  if (found === 'revoked') {
    const detail = 'This tablet was revoked and has no gate. Ask an administrator to pair it again.';
    throw new ProblemError(refusal('tabletRevoked', detail));
  }
  const slug = ownSlug(c);
  if (!found || (slug !== undefined && slug !== found.organization.slug)) return undefined;
  if (found.organization.suspendedDate !== null) throw new ProblemError(SUSPENDED);
  if (now - found.lastSeenDate >= SEEN_STEP_MS) {
    setTabletCookie(c, token);
    note(c, found, now, false);
  }
  return found;
}

/** Record that a worker used a tablet, so that the turn does not expire. */
export function noteWork(c: AppContext, session: FoundSession): void {
  const now = Date.now();
  if (now - (session.tablet?.turn?.lastUsedDate ?? now) >= SEEN_STEP_MS) note(c, session, now, true);
}

function note(c: AppContext, session: FoundSession, now: number, works: boolean): void {
  const database = new Database(session.organization.uuid, databasesOf(c.env));
  c.executionCtx.waitUntil(
    noteTabletUse(database, session, now, works).catch((error) => console.warn(String(error))),
  );
}

/** The session of a page's request: the session of a signed-in user, or else of the tablet. */
export const callerOf = async (c: AppContext): Promise<FoundSession | undefined> =>
  (await sessionOf(c)) ?? (await tabletOf(c));
