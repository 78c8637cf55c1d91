import { OpenAPIHono, z } from '@hono/zod-openapi';
import { endpoint } from '../../core/http/endpoint.ts';
import { type AppEnv, target } from '../../core/http/types.ts';
import { archivedSummary } from './archived.ts';
import { answerNothing, answerPublicPage, orLater } from './public-page.tsx';
import { publishedAccess, readPublished } from './published.ts';
import { readSummary } from './read-load.ts';
import { linkedLanguage, pageNumber, tokenParameter } from './schema.ts';
import { SummaryPage } from './summary.tsx';

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'get',
  path: '/public/shipment-summary/{token}',
  operationId: 'getShipmentSummary',
  tag: 'Public page',
  summary: 'Get the summary of a completed shipment or manifest',
  description:
    'Returns a page for people with status, gate, dates and counts, problems first. It shows ' +
    'every pallet with its loading status, and the corrections since completion. Its address is ' +
    '`shipmentSummaryUrl`, which does not expire. Works without JavaScript. It is in the language ' +
    'that the reader has chosen on the page, else in `language`, else in the best match for `Accept-Language`.',
  access: publishedAccess,
  contractParams: z.object({ token: tokenParameter }),
  query: z.object({
    page: pageNumber.describe('Page of the list of pallets, 250 a page'),
    language: linkedLanguage,
  }),
  responses: {
    200: { description: 'The page', type: 'text/html' },
    304: { description: 'Not modified' },
    404: {
      description: 'The page does not exist; the response is the same for every reason',
      type: 'text/html',
    },
    429: { description: 'Too many requests in a minute', type: 'text/html' },
    503: { description: 'The store does not respond', type: 'text/html' },
  },
  handler: (c, { query: { page, language } }) =>
    orLater(c, async () => {
      const token = c.req.param()['token']!;
      const read = await readPublished(c, token, {
        living: (database, published) => readSummary(database, published, page),
        archived: (shown, recordsAt) => archivedSummary(shown, page, recordsAt),
      });
      if (!read) return answerNothing(c);
      const summary = (
        <SummaryPage
          published={read.published}
          summary={read.shown}
          token={token}
          path={target(c)}
          linked={language}
        />
      );
      return answerPublicPage(c, summary, language);
    }),
});

export const summaryRoutes = app;
