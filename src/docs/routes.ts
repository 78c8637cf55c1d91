import { OpenAPIHono } from '@hono/zod-openapi';
import type { AppContext, AppEnv } from '../http/types.ts';
import { indexPage, referencePage } from './pages.ts';

const app = new OpenAPIHono<AppEnv>();

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

function answerPage(c: AppContext, page: string): Response {
  c.header('Content-Security-Policy', POLICY);
  c.header('Referrer-Policy', 'no-referrer');
  // Revalidated, so that a page is of the deployment that its script and document are of.
  c.header('Cache-Control', 'no-cache');
  return c.html(page);
}

app.get('/docs', (c) => answerPage(c, referencePage));

/** Where somebody lands who opens the host in a browser; to anybody else nothing is there. */
app.get('/', (c) => {
  if (!/\btext\/html\b/i.test(c.req.header('Accept') ?? '')) return c.notFound();
  c.header('Vary', 'Accept');
  return answerPage(c, indexPage);
});

export const docsRoutes = app;
