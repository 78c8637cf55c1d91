import { OpenAPIHono, z } from '@hono/zod-openapi';
import { fontsOf } from '../../core/http/document-fonts.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { enter, inTurn } from '../../core/http/permit.ts';
import { hasCurrent } from '../../core/http/read.ts';
import { type AppContext, type AppEnv, origin } from '../../core/http/types.ts';
import { bucketOf } from '../../core/lib/bucket.ts';
import { paperOf } from '../../dispatch/label/layout.ts';
import { pictureOf } from '../../dispatch/photo/objects.ts';
import { photoUrl, type StoredPhoto } from '../../dispatch/photo/store.ts';
import { languageOf } from '../../messages/chosen.ts';
import { documentWordsIn } from '../../messages/load.ts';
import { archivedProof } from './archived.ts';
import { cachedOrRendered } from './proof-cache.ts';
import type { PhotoLink, ProofLinks } from './proof-columns.ts';
import { digestOf, type ProofData, proofData } from './proof-data.ts';
import { type PhotoAt, proofPdf } from './proof-pdf.ts';
import { drawablePhotos } from './proof-photos.ts';
import { answerNothing, languageHeaders, orLater, PUBLIC_HEADERS } from './public-page.tsx';
import { publishedAccess, readPublished } from './published.ts';
import type { PublishedLoad } from './published-store.ts';
import { PHOTOS_SHOWN_MAXIMUM, readProof } from './read-load.ts';
import { linkedLanguage, pageNumber, proofSchema, tokenParameter } from './schema.ts';

const app = new OpenAPIHono<AppEnv>();

/**
 * Parts of the document's ETag. Raise both when the rendering changes; a golden hash in the tests fails then. Data that
 * is not in NFC has its own number, because the rendering changed for that data alone.
 */
const DRAWING = 10;
const DRAWING_NORMALIZED = 11;

const drawingOf = (canonical: string): number =>
  canonical === canonical.normalize('NFC') ? DRAWING : DRAWING_NORMALIZED;

/** The proof of so many pallets is made at once if it has no photos. */
const FEW_PALLETS = 200;

/** The memory that making the proof of 5,000 pallets takes, in bytes. */
const PROOF_BYTES = 16 * 1024 * 1024;

const PATH = '/public/proof-of-shipment';

const common = {
  method: 'get' as const,
  tag: 'Public page',
  access: publishedAccess,
  contractParams: z.object({ token: tokenParameter }),
};
const part = pageNumber.describe('Part of a document of more than 5,000 pallets');
const others = {
  304: { description: 'Not modified' },
  404: {
    description: 'The document does not exist; the response is the same for every reason',
    type: 'text/html',
  },
};

endpoint(app, {
  ...common,
  path: `${PATH}/{token}.pdf`,
  pattern: `${PATH}/:file{[^/]+\\.pdf}`,
  operationId: 'getProofOfShipment',
  summary: 'Get the proof of shipment of a completed shipment or manifest',
  description:
    'Returns a PDF for people with identifier, gate, dates and counts. It shows every pallet with ' +
    'marker code and loading status. Corrections since completion are numbered revisions. Its ' +
    'address is `proofOfShipmentUrl`, which does not expire. It is in the language that the ' +
    'reader has chosen, else in `language`, else in the best match for `Accept-Language`. Times are in the time ' +
    'zone of the site, with their offset. Its pages are A4, or Letter if the pallet labels of the ' +
    'organization (`labelSize`) are LETTER or INCH_4X6. The same data at the same address in the same language ' +
    'has the same bytes. The SHA-256 of the data is printed on every page.',
  query: z.object({ part, language: linkedLanguage }),
  responses: {
    200: { description: 'The document', type: 'application/pdf' },
    ...others,
    429: { description: 'Too many requests in a minute', type: 'text/html' },
    503: { description: 'The store does not respond', type: 'text/html' },
  },
  handler: (c, { query }) =>
    orLater(c, async () => {
      const asked = await readAsked(c, '.pdf', query.part);
      if (!asked) return answerNothing(c);
      const { data, canonical, digest, links, published, photos } = asked;
      const language = languageOf(c, query.language);
      const { timeZone } = published;
      const paper = paperOf(published.labelSize);
      const drawing = drawingOf(canonical);
      // A4 was the only paper at first, so its documents keep their tags and their places in the cache.
      const looks = { digest, drawing, links, language, timeZone, ...(paper !== 'A4' && { paper }) };
      return answer(c, asked, {
        type: 'application/pdf',
        tag: [
          ...[digest, drawing, language, timeZone],
          ...(links.morePhotos ? ['more'] : []),
          ...(paper === 'A4' ? [] : [paper]),
        ].join('-'),
        headers: languageHeaders(language),
        body: async () =>
          cachedOrRendered(c, { ...asked, part: query.part, language, looks }, async (incomplete) => {
            const words = await documentWordsIn(c, language);
            const photoAt: PhotoAt = (index) =>
              pictureOf(bucketOf(c.env), published.organizationUuid, photos[index]!).catch((error) => {
                incomplete(error);
                return undefined;
              });
            return proofPdf(data, digest, links, { words, timeZone, paper }, await fontsOf(c), photoAt);
          }),
      });
    }),
});

endpoint(app, {
  ...common,
  path: `${PATH}/{token}.json`,
  pattern: `${PATH}/:file{[^/]+\\.json}`,
  operationId: 'getProofOfShipmentData',
  summary: 'Get the data of a proof of shipment',
  description:
    'Returns the content of the document as canonical JSON (RFC 8785). Its SHA-256 is printed in ' +
    'the document, as long as nothing was corrected since.',
  query: z.object({ part }),
  responses: { 200: { description: 'The data', schema: proofSchema }, ...others },
  async handler(c, { query }) {
    const asked = await readAsked(c, '.json', query.part);
    if (!asked) return answerNothing(c);
    const { digest: tag, canonical } = asked;
    return answer(c, asked, { type: 'application/json', tag, headers: {}, body: async () => canonical });
  },
});

/** A requested part of a load's proof. */
interface Asked {
  extension: '.pdf' | '.json';
  token: string;
  published: PublishedLoad;
  data: ProofData;
  photos: readonly StoredPhoto[];
  canonical: string;
  digest: string;
  links: ProofLinks;
}

/** Read the requested part for the token in the path; undefined if it does not exist. */
async function readAsked(
  c: AppContext,
  extension: Asked['extension'],
  part: number,
): Promise<Asked | undefined> {
  const token = c.req.param()['file']!.slice(0, -extension.length);
  const read = await readPublished(c, token, {
    living: (database, published) => readProof(database, published, part),
    archived: (shown, recordsAt) => archivedProof(shown, part, recordsAt),
  });
  if (!read) return undefined;
  const { published } = read;
  const all = read.shown.photos ?? [];
  if (read.shown.records.length > FEW_PALLETS || all.length > 0) await enter(c, PROOF_BYTES);
  const { data, ...digested } = await inTurn(c, () => {
    const data = proofData(published, read.shown);
    return { data, ...digestOf(data) };
  });
  const photos = all.slice(0, PHOTOS_SHOWN_MAXIMUM);
  const links = {
    summary: `${origin(c)}/public/shipment-summary/${token}`,
    document: `${origin(c)}${PATH}/${token}.pdf`,
    data: `${origin(c)}${PATH}/${token}.json`,
    ...(photos.length === 0 ? {} : { photos: photoLinks(origin(c), photos) }),
    ...(all.length > photos.length && { morePhotos: true as const }),
  };
  return { extension, token, published, data, photos, links, ...digested };
}

function photoLinks(links: string, photos: readonly StoredPhoto[]): PhotoLink[] {
  const drawn = drawablePhotos(photos);
  return photos.map(({ publicToken }, index) => ({
    url: photoUrl(links, publicToken),
    isDrawn: drawn[index]!,
  }));
}

/** The form of an answer. `tag` identifies everything that decides the content. */
interface Form {
  type: string;
  tag: string;
  headers: Record<string, string>;
  body(): Promise<ReadableStream<Uint8Array> | string>;
}

/** Answer the request, or 304 if If-None-Match has its tag. */
async function answer(
  c: AppContext,
  { data, extension }: Asked,
  { type, tag, headers: more, body }: Form,
): Promise<Response> {
  const headers = { ...PUBLIC_HEADERS, ...more, ETag: `"${tag}"` };
  if (hasCurrent(c, headers.ETag)) return c.body(null, 304, headers);
  return c.body((await body()) as ReadableStream, 200, {
    ...headers,
    'Content-Type': type,
    'Content-Disposition': `inline; filename="${fileName(data)}${extension}"`,
  });
}

/** A file name with characters that all systems allow. */
function fileName({ externalIdentifier, part, parts }: ProofData): string {
  const name = externalIdentifier.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 100);
  return `proof-of-shipment-${name}${parts > 1 ? `-part-${part}` : ''}`;
}

export const proofRoutes = app;
