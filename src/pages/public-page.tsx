import type { Child } from 'hono/jsx';
import { hasCurrent } from '../http/read.ts';
import type { AppContext } from '../http/types.ts';
import { entityTag } from '../lib/hash.ts';

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
export function answerNothing(c: AppContext): Response {
  const page = (
    <PublicPage title="Nothing here">
      <main>
        <h1>There is nothing here</h1>
        <p>
          The link is incomplete or mistyped. Please open it again as you were sent it, or ask for it anew.
        </p>
      </main>
    </PublicPage>
  );
  return c.body(`<!doctype html>${page}`, 404, { ...pageHeaders, 'Cache-Control': 'no-store' });
}
