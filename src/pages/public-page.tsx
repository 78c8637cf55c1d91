import type { Child } from 'hono/jsx';
import { problemOf, RETRY_AFTER_S } from '../http/problem.ts';
import { hasCurrent } from '../http/read.ts';
import type { AppContext } from '../http/types.ts';
import { entityTag } from '../lib/hash.ts';
import { refusalStatus } from '../lib/problem.ts';

/** Nothing runs on public pages, and nothing is loaded but the one stylesheet. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * What every public page and document says of itself: its address is a secret between those who have it, so it is
 * neither told to others (RFC 9110 section 10.1.3) nor kept by shared caches nor found by search engines.
 */
export const PUBLIC_HEADERS = {
  'Cache-Control': 'private, no-cache',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** A public page around its content. */
export const PublicPage = ({ title, children }: { title: string; children: Child }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex, nofollow" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="stylesheet" href="/assets/pages/summary.css" />
    </head>
    <body>{children}</body>
  </html>
);

/** What a caller sent, in whatever direction it is written, without a say in the text around it. */
export const Given = ({ children }: { children: Child }) => <bdi>{children}</bdi>;

/** Answer a page; 304 where If-None-Match names it. */
export function answerPage(c: AppContext, page: { toString(): string }): Response {
  const html = `<!doctype html>${page}`;
  const headers = { ...pageHeaders, ETag: entityTag(html) };
  if (hasCurrent(c, headers.ETag)) return c.body(null, 304, headers);
  return c.body(html, 200, headers);
}

const pageHeaders = {
  ...PUBLIC_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
};

/** The one answer to whatever names nothing: no one learns from it whether a token was ever right. */
export const answerNothing = (c: AppContext): Response =>
  answerWords(c, 404, {
    title: 'There is nothing here',
    text: 'The link is incomplete or mistyped. Please open it again as you were sent it, or ask for it anew.',
  });

const LATER = {
  429: {
    title: 'Asked for too often',
    text: 'This page was opened very often within a minute. Please open it again a minute from now.',
  },
  503: {
    title: 'Not available right now',
    text: 'The link is right, and nothing is lost. Please open it again in a moment.',
  },
};

/** What `answer` answers; where the store does not, or it was asked too often, a page that says so. */
export async function orLater(c: AppContext, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const problem = problemOf(c, error);
    const status = refusalStatus(problem.refusal);
    if (status !== 429 && status !== 503) throw problem;
    const headers = { 'Retry-After': RETRY_AFTER_S, ...problem.headers };
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return answerWords(c, status, LATER[status]);
  }
}

/** Answer a few words. */
function answerWords(
  c: AppContext,
  status: 404 | 429 | 503,
  { title, text }: { title: string; text: string },
) {
  const page = (
    <PublicPage title={title}>
      <main>
        <h1>{title}</h1>
        <p>{text}</p>
      </main>
    </PublicPage>
  );
  return c.body(`<!doctype html>${page}`, status, { ...pageHeaders, 'Cache-Control': 'no-store' });
}
