import { OpenAPIHono } from '@hono/zod-openapi';
import type { AppContext, AppEnv } from '../http/types.ts';
import { backTo, rememberLanguage } from './chosen.ts';
import { isLanguage } from './languages.ts';

const app = new OpenAPIHono<AppEnv>();

/** From where a browser may be led here: our own pages, or an address that somebody opens. */
const OWN: readonly (string | undefined)[] = [undefined, 'same-origin', 'none'];

// A link, so that choosing needs neither a script nor a form: what it changes is how this browser is spoken to.
app.get('/language', (context) => {
  const c = context as unknown as AppContext;
  const { to, next } = c.req.query();
  if (isLanguage(to) && OWN.includes(c.req.header('Sec-Fetch-Site'))) rememberLanguage(c, to);
  return c.body(null, 303, {
    Location: backTo(next),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  });
});

export const languageRoutes = app;
