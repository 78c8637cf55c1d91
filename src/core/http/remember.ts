import { setCookie } from 'hono/cookie';
import type { AppContext } from './types.ts';

const YEAR_S = 31_536_000;

/** Store a choice in a cookie for a year, for pages below a path. */
export function remember(c: AppContext, name: string, value: string, path: string): void {
  setCookie(c, name, value, {
    path,
    httpOnly: true,
    sameSite: 'Lax',
    secure: c.req.url.startsWith('https:'),
    maxAge: YEAR_S,
  });
}
