import { type DetectorOptions, detectFromCookie, detectFromHeader } from 'hono/language';
import { remember } from '../core/http/remember.ts';
import type { AppContext } from '../core/http/types.ts';
import { isLanguage, LANGUAGES, type Language } from './languages.ts';

const COOKIE = 'language';

const OPTIONS: DetectorOptions = {
  order: ['cookie', 'header'],
  lookupCookie: COOKIE,
  lookupFromHeaderKey: 'Accept-Language',
  lookupFromPathIndex: 0,
  lookupQueryString: '',
  caches: false,
  ignoreCase: true,
  fallbackLanguage: 'en',
  supportedLanguages: [...LANGUAGES],
};

/** The request headers that decide the language of a response. */
export const LANGUAGE_VARY = 'Accept-Language, Cookie';

/**
 * The language of a request: the choice stored in its browser, else the language of the link that was opened, else the
 * best of `Accept-Language` (RFC 9110, 12.5.4).
 */
export function languageOf(c: AppContext, linked?: Language): Language {
  const remembered = detectFromCookie(c, OPTIONS);
  if (isLanguage(remembered)) return remembered;
  if (linked) return linked;
  const preferred = detectFromHeader(c, OPTIONS);
  return isLanguage(preferred) ? preferred : 'en';
}

/** Store a choice in the browser. It belongs to the device, because several people share a tablet at a gate. */
export const rememberLanguage = (c: AppContext, language: Language): void =>
  remember(c, COOKIE, language, '/');

/** The page to return to after a choice: a page of this host, never another host. */
export const backTo = (path: string | undefined): string =>
  path !== undefined && /^\/(app|public)(\/[\w./-]*)?(\?[\w./?=&%+-]*)?$/.test(path) && !path.includes('//')
    ? path
    : '/app';

/** The URL that chooses a language and returns to a page. */
export const languageLink = (language: Language, path: string): string =>
  `/language?${new URLSearchParams({ to: language, next: path })}`;
