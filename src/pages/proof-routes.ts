import { OpenAPIHono, z } from '@hono/zod-openapi';
import { endpoint } from '../http/endpoint.ts';
import { hasCurrent } from '../http/read.ts';
import { pathParams } from '../http/routing.ts';
import { type AppContext, type AppEnv, origin } from '../http/types.ts';
import { streamOf } from '../lib/stream.ts';
import { archivedProof } from './archived.ts';
import { digestOf, type ProofData, proofData } from './proof-data.ts';
import { fontsOf } from './proof-fonts.ts';
import { proofPdf } from './proof-pdf.ts';
import type { ProofLinks } from './proof-rows.ts';
import { answerNothing, orLater, PUBLIC_HEADERS } from './public-page.tsx';
import { publishedAccess, readPublished } from './published.ts';
import { readProof } from './reading.ts';
import { pageNumber, proofSchema, tokenParameter } from './schema.ts';

const app = new OpenAPIHono<AppEnv>();

/** Part of the document's tag: raise it when the document is drawn otherwise (a golden hash in the tests tells). */
const DRAWING = 1;

const PATH = '/public/proof-of-shipment';

const common = {
  method: 'get' as const,
  tag: 'Public page',
  access: publishedAccess,
  contractParams: z.object({ token: tokenParameter }),
  query: z.object({ part: pageNumber.describe('Of a document of more than 5,000 pallets') }),
};
const others = {
  304: { description: 'Not modified' },
  404: { description: 'There is no such document: one answer for every reason', type: 'text/html' },
};

endpoint(app, {
  ...common,
  path: `${PATH}/{token}.pdf`,
  pattern: `${PATH}/:file{[^/]+\\.pdf}`,
  operationId: 'getProofOfShipment',
  summary: 'Proof of shipment of a completed shipment or manifest',
  description:
    'A PDF for people: identifier, gate, dates, counts, every pallet with marker code and loading status, and what was ' +
    'corrected since completion as numbered revisions. Its address is `proofOfShipmentUrl`; it does not expire. The same ' +
    'data at the same address are the same bytes. The SHA-256 of the data is printed on every page.',
  responses: {
    200: { description: 'The document', type: 'application/pdf' },
    ...others,
    503: { description: 'The store does not answer', type: 'text/html' },
  },
  handler: (c, { query }) =>
    orLater(c, () =>
      answerProof(c, '.pdf', query.part, async (data, { digest }, links) => ({
        body: streamOf(proofPdf(data, digest, links, await fontsOf(c))),
        type: 'application/pdf',
      })),
    ),
});

endpoint(app, {
  ...common,
  path: `${PATH}/{token}.json`,
  pattern: `${PATH}/:file{[^/]+\\.json}`,
  operationId: 'getProofOfShipmentData',
  summary: 'The data of a proof of shipment',
  description:
    'What the document shows, as canonical JSON (RFC 8785): its SHA-256 is what the document prints, as long as nothing ' +
    'was corrected since.',
  responses: { 200: { description: 'The data', schema: proofSchema }, ...others },
  handler: (c, { query }) =>
    answerProof(c, '.json', query.part, async (_, { canonical }) => ({
      body: canonical,
      type: 'application/json',
    })),
});

/** Answer a part of what a token names, in some form; 304 where If-None-Match names its data. */
async function answerProof(
  c: AppContext,
  extension: '.pdf' | '.json',
  part: number,
  form: (
    data: ProofData,
    digested: ReturnType<typeof digestOf>,
    links: ProofLinks,
  ) => Promise<{ body: ReadableStream<Uint8Array> | string; type: string }>,
): Promise<Response> {
  const token = pathParams(c)['file']!.slice(0, -extension.length);
  const read = await readPublished(c, token, {
    living: (database, published) => readProof(database, published, part),
    archived: (shown, recordsAt) => archivedProof(shown, part, recordsAt),
  });
  if (!read) return answerNothing(c);
  const data = proofData(read.published, read.shown);
  const digested = digestOf(data);
  const headers = {
    ...PUBLIC_HEADERS,
    ETag: `"${digested.digest}${extension === '.pdf' ? `-${DRAWING}` : ''}"`,
  };
  if (hasCurrent(c, headers.ETag)) return c.body(null, 304, headers);
  const links = {
    summary: `${origin(c)}/public/shipment-summary/${token}`,
    document: `${origin(c)}${PATH}/${token}.pdf`,
    data: `${origin(c)}${PATH}/${token}.json`,
  };
  const { body, type } = await form(data, digested, links);
  return c.body(body as ReadableStream, 200, {
    ...headers,
    'Content-Type': type,
    'Content-Disposition': `inline; filename="${fileName(data)}${extension}"`,
  });
}

/** A name for the file, of characters that every system takes. */
function fileName({ externalIdentifier, part, parts }: ProofData): string {
  const name = externalIdentifier.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 100);
  return `proof-of-shipment-${name}${parts > 1 ? `-part-${part}` : ''}`;
}

export const proofRoutes = app;
