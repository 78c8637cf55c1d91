import { OpenAPIHono } from '@hono/zod-openapi';
import { isOwnLink } from '../core/http/hosts.ts';
import type { AppContext, AppEnv } from '../core/http/types.ts';
import { backTo, rememberLanguage } from './chosen.ts';
import { languageOfTag } from './languages.ts';

const app = new OpenAPIHono<AppEnv>();

// A link, so that a choice needs no script and no form. It changes only the language in this browser.
app.get('/language', (context) => {
  const c = context as unknown as AppContext;
  const { to, next } = c.req.query();
  const language = languageOfTag(to);
  if (language && isOwnLink(c)) rememberLanguage(c, language);
  return c.body(null, 303, {
    Location: backTo(next),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  });
});

export const languageRoutes = app;
