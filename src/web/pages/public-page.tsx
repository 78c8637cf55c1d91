import type { Child } from 'hono/jsx';
import { problemOf, RETRY_AFTER_S } from '../../core/http/problem.ts';
import { hasCurrent } from '../../core/http/read.ts';
import type { AppContext } from '../../core/http/types.ts';
import { entityTag } from '../../core/lib/hash.ts';
import { refusalStatus } from '../../core/lib/problem.ts';
import { LOGO_PATH, SIGNS, type Sign } from '../../core/lib/signs.ts';
import { LanguageChooser } from '../../messages/chooser.tsx';
import { LANGUAGE_VARY, languageOf } from '../../messages/chosen.ts';
import { useWords, WordsProvider } from '../../messages/context.ts';
import { directionOf, type Language, nameOf } from '../../messages/languages.ts';
import { pageWordsIn } from '../../messages/load.ts';
import type { Key } from '../../messages/messages.ts';
import type { Words } from '../../messages/words.ts';
import type { Unsignable } from './sign-store.ts';

const policyOf = (form: "'none'" | "'self'", more = '') =>
  `default-src 'none'; style-src 'self'; ${more}base-uri 'none'; form-action ${form}; frame-ancestors 'none'`;

/**
 * The content security policies of public pages. Pages load only their own styles. A summary has photos, runs no scripts
 * and sends no forms. A live page has a form, and a script that talks to this host.
 */
const POLICIES = {
  summary: policyOf("'none'", "img-src 'self'; "),
  form: policyOf("'self'"),
  live: policyOf("'self'", "script-src 'self'; connect-src 'self'; "),
};

/**
 * Headers of every public page and document. Its URL is a secret of the people who have it. So
 * it is not sent to other sites (RFC 9110 section 10.1.3), not stored by shared caches, and not
 * found by search engines.
 */
export const PUBLIC_HEADERS = {
  'Cache-Control': 'private, no-cache',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};

/**
 * Headers for the language of a page or document. `Vary` names the headers that decide the
 * language.
 */
export const languageHeaders = (language: Language) => ({
  'Content-Language': language,
  Vary: LANGUAGE_VARY,
});

/** The frame of a public page. A page with a large button for gloves has the class `driver`. */
export const PublicPage = ({
  title,
  head,
  isDriver = false,
  children,
}: {
  title: string;
  /** Scripts. */
  head?: Child;
  isDriver?: boolean;
  children: Child;
}) => (
  <html lang={useWords().language} dir={directionOf(useWords().language)}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex, nofollow" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="stylesheet" href="/assets/console/base.css" />
      <link rel="stylesheet" href="/assets/pages/public.css" />
      {head}
    </head>
    <body class={isDriver ? 'public driver' : 'public'}>{children}</body>
  </html>
);

/** The header of a public page: the name of the sender, if the page shows it, and the languages. */
export const PublicHeader = ({ name, path }: { name?: string; path: string }) => {
  const { t, labelled, language } = useWords();
  return (
    <header>
      <p class="brand">
        <svg viewBox="0 0 26 26" aria-hidden="true">
          <rect width="26" height="26" rx="3" fill="currentColor" />
          <path d={LOGO_PATH} />
        </svg>
        {name !== undefined && <GivenText>{name}</GivenText>}
      </p>
      <details class="language">
        <summary>
          <span class="hidden">{labelled(t('page.language'))}</span>
          {nameOf(language)}
        </summary>
        <LanguageChooser path={path} label={t('page.language')} />
      </details>
    </header>
  );
};

/** Icons that a page draws many times. Each is defined once. */
export const Signs = ({ of }: { of: readonly Sign[] }) => (
  <svg class="hidden" aria-hidden="true">
    {of.map((name) => (
      <symbol id={`sign-${name}`} viewBox="0 0 24 24">
        <path d={SIGNS[name]} />
      </symbol>
    ))}
  </svg>
);

/** One of the icons that the page defines, next to a word with the same meaning. */
export const PublicIcon = ({ name }: { name: Sign }) => (
  <svg class="icon" aria-hidden="true">
    <use href={`#sign-${name}`} />
  </svg>
);

/**
 * A text from a caller. It is isolated, so that its writing direction does not affect the text
 * around it.
 */
export const GivenText = ({ children }: { children: Child }) => <bdi>{children}</bdi>;

/** Answer a page in the language of the request, or 304 if If-None-Match has its tag. */
export async function answerPublicPage(
  c: AppContext,
  page: Child,
  linked: Language | undefined,
  { policy = 'summary', status = 200 }: { policy?: keyof typeof POLICIES; status?: 200 | 400 } = {},
): Promise<Response> {
  const words = await pageWordsIn(c, languageOf(c, linked));
  const html = htmlOf(words, page);
  // The tag covers the whole page, so it differs by language.
  const headers = {
    ...pageHeaders,
    ...languageHeaders(words.language),
    'Content-Security-Policy': POLICIES[policy],
    ETag: entityTag(html),
  };
  if (status === 200 && hasCurrent(c, headers.ETag)) return c.body(null, 304, headers);
  return c.body(html, status, headers);
}

const htmlOf = (words: Words, page: Child): string =>
  `<!doctype html>${(<WordsProvider value={words}>{page}</WordsProvider>).toString()}`;

const pageHeaders = {
  ...PUBLIC_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICIES.summary,
};

/**
 * The answer for every page that does not exist. It does not reveal whether a token was ever valid.
 */
export const answerNothing = (c: AppContext): Promise<Response> =>
  answerWords(c, 404, { title: 'page.nothing', text: 'page.nothingWhy' });

/** The answer for a signing link of a load that takes no signature. */
export const answerUnsignable = (c: AppContext, text: `unsigned.${Unsignable}`): Promise<Response> =>
  answerWords(c, 404, { title: 'sign.cannot', text });

/** The answer for the page of a driver if the load is closed, and for every wrong token. */
export const answerClosed = (c: AppContext): Promise<Response> =>
  answerWords(c, 404, { title: 'driver.closed', text: 'driver.closedWhy' });

const LATER = {
  429: { title: 'page.often', text: 'page.oftenWhy' },
  503: { title: 'page.later', text: 'page.laterWhy' },
} as const;

/**
 * The response of `answer`. If the store failed or there were too many requests, a page that says
 * so.
 */
export async function orLater(c: AppContext, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const problem = problemOf(c, error);
    const status = refusalStatus(problem.refusal);
    if (status !== 429 && status !== 503) throw problem;
    const headers = { 'Retry-After': RETRY_AFTER_S, ...problem.headers };
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return await answerWords(c, status, LATER[status]);
  }
}

/** Messages without parameters. */
type Said =
  | Extract<Key, `${'page.nothing' | 'page.often' | 'page.later' | 'driver.closed'}${'' | 'Why'}`>
  | 'sign.cannot'
  | `unsigned.${Unsignable}`;

/** Answer a page with a short text. */
async function answerWords(
  c: AppContext,
  status: 404 | 429 | 503,
  { title, text }: Record<'title' | 'text', Said>,
): Promise<Response> {
  const words = await pageWordsIn(c, languageOf(c));
  const page = (
    <PublicPage title={words.t(title)}>
      <main>
        <h1>{words.t(title)}</h1>
        <p>{words.t(text)}</p>
      </main>
    </PublicPage>
  );
  const headers = { ...pageHeaders, ...languageHeaders(words.language), 'Cache-Control': 'no-store' };
  return c.body(htmlOf(words, page), status, headers);
}
