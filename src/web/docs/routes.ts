import { OpenAPIHono } from '@hono/zod-openapi';
import { PAGE_POLICY } from '../../core/http/page-policy.ts';
import { type AppContext, type AppEnv, origin } from '../../core/http/types.ts';
import { INFO, TAGS } from './guide.ts';
import { GUIDES, MOVED_GUIDES } from './guides.ts';
import { guidePage, indexPage, referencePage } from './html.ts';

/** The text of `/llms.txt`: links to documentation for a language model that writes a client (llmstxt.org). */
const llmsText = (origin: string): string => {
  const link = (title: string, path: string, what: string) => `- [${title}](${origin}${path}): ${what}`;
  return `# ${INFO.title}

> ${INFO.summary}

Every write takes an \`Idempotency-Key\`. After a timeout, 429 or 5xx, send the same request with the same key again.
Errors are \`application/problem+json\`: branch on \`code\`. Bodies and queries are strict. To read a whole list, follow
\`Link: <…>; rel="next"\`. API keys go in \`X-AUTH-KEY\`, access tokens of devices in \`X-Auth-Token\`.
Webhooks follow Standard Webhooks.

## Contract

${link('OpenAPI 3.1', '/openapi.json', 'every operation with its schemas, errors and examples; generate clients from it')}
${link('Reference', '/docs', 'the contract as a page')}

## Guides

${GUIDES.map(({ name, title }) => link(title, `/docs/${name}`, 'guide')).join('\n')}

## Operations by tag

${TAGS.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}
`;
};

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
