import { getCookie } from 'hono/cookie';
import { remember } from '../../../core/http/remember.ts';
import type { AppContext } from '../../../core/http/types.ts';

const COOKIE = 'organization';

/** An organization as the sign-in page shows it. */
interface Site {
  slug: string;
  name: string;
}

/**
 * The organization that was used last in this browser; undefined without one. It comes from the browser, not from the
 * database, so nobody learns from it which organizations exist.
 */
export function lastOrganization(c: AppContext): Site | undefined {
  const [slug, name] = partsOf(getCookie(c, COOKIE));
  return typeof slug === 'string' && typeof name === 'string' && slug !== '' ? { slug, name } : undefined;
}

function partsOf(cookie: string | undefined): unknown[] {
  try {
    const parts: unknown = JSON.parse(cookie ?? '[]');
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** Let the browser remember an organization and its present name. */
export function rememberOrganization(c: AppContext, { slug, name }: Site): void {
  const value = JSON.stringify([slug, name]);
  if (getCookie(c, COOKIE) !== value) remember(c, COOKIE, value, '/app');
}
