import { getCookie } from 'hono/cookie';
import { remember } from '../../../core/http/remember.ts';
import type { AppContext } from '../../../core/http/types.ts';

/**
 * Whether the browser hides the list of setup steps. A choice in the URL is remembered in a cookie, because it is
 * about this browser and changes nothing in the organization.
 */
export function isHidden(c: AppContext, organization: string, asked: 'hide' | 'show' | undefined): boolean {
  const name = `start-${organization.slice(-8)}`;
  if (asked !== undefined) remember(c, name, asked, '/app');
  return (asked ?? getCookie(c, name)) === 'hide';
}
