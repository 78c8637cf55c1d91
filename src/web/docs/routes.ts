import { OpenAPIHono } from '@hono/zod-openapi';
import { PAGE_POLICY } from '../../core/http/page-policy.ts';
import { type AppContext, type AppEnv, origin } from '../../core/http/types.ts';
import { GUIDES, MOVED_GUIDES } from './guides.ts';
import { guidePage, indexPage, referencePage } from './html.ts';
import { llmsText } from './llms.ts';

const app = new OpenAPIHono<AppEnv>();

function answerPage(c: AppContext, page: string): Response {
  c.header('Content-Security-Policy', PAGE_POLICY);
  c.header('Referrer-Policy', 'no-referrer');
  // Revalidated, so that page, script and document come from the same deployment. Without `private`, Cloudflare would
  // store the page in front of the Worker, and serve it if the Worker fails.
  c.header('Cache-Control', 'private, no-cache');
  return c.html(page);
}

app.get('/docs', (c) => answerPage(c, referencePage));

app.get('/llms.txt', (c) => c.text(llmsText(origin(c as unknown as AppContext))));

for (const guide of GUIDES) {
  app.get(`/docs/${guide.name}`, async (c) => {
    const content = await c.env.ASSETS.fetch(new URL(`/assets/docs/guides/${guide.name}.txt`, c.req.url));
    return answerPage(c, guidePage(guide, await content.text(), origin(c as unknown as AppContext)));
  });
}

for (const [from, to] of Object.entries(MOVED_GUIDES)) {
  app.get(`/docs/${from}`, (c) => c.redirect(`/docs/${to}`, 308));
}

/** The start page `/` for browsers. It is not part of the API: other clients get the answer of `otherwise`. */
export const indexOr =
  (otherwise: (c: AppContext) => Response) =>
  (c: AppContext): Response => {
    const asked = c.req.path === '/' && ['GET', 'HEAD'].includes(c.req.method);
    if (!asked || !/\btext\/html\b/i.test(c.req.header('Accept') ?? '')) return otherwise(c);
    c.header('Vary', 'Accept');
    c.status(200);
    return answerPage(c, indexPage);
  };

export const docsRoutes = app;
