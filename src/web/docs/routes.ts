import { OpenAPIHono } from '@hono/zod-openapi';
import { PAGE_POLICY } from '../../core/http/page-policy.ts';
import { problemResponse } from '../../core/http/problem.ts';
import { type AppContext, type AppEnv, origin } from '../../core/http/types.ts';
import { doesNotExist } from '../../core/lib/missing.ts';
import { refusal } from '../../core/lib/problem.ts';
import { GUIDES } from './guides.ts';
import { guidePage, indexPage, referencePage } from './html.ts';
import { llmsText } from './llms.ts';

const app = new OpenAPIHono<AppEnv>();

function answerPage(c: AppContext, page: string): Response {
  c.header('Content-Security-Policy', PAGE_POLICY);
  c.header('Referrer-Policy', 'no-referrer');
  // Revalidated, so that page, script and document come from the same deployment.
  c.header('Cache-Control', 'no-cache');
  return c.html(page);
}

app.get('/docs', (c) => answerPage(c, referencePage));

app.get('/llms.txt', (c) => c.text(llmsText(origin(c as unknown as AppContext))));

for (const guide of GUIDES) {
  app.get(`/docs/${guide.name}`, async (c) => {
    const content = await c.env.ASSETS.fetch(new URL(`/assets/docs/guides/${guide.name}.txt`, c.req.url));
    return answerPage(c, guidePage(guide, await content.text()));
  });
}

/** The static files of pages, served through the Worker so that they get the headers of every answer. */
app.get('/assets/*', async (c) => {
  const file = await c.env.ASSETS.fetch(c.req.raw);
  // The binding's answer is immutable, but the middleware adds headers.
  if (file.status !== 404) return new Response(file.body, file);
  return problemResponse(c as unknown as AppContext, refusal('notFound', doesNotExist('File', c.req.path)));
});

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
