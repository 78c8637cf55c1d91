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

/** What decides the language of an answer. */
export const LANGUAGE_VARY = 'Accept-Language, Cookie';

/** The language of a request: the choice that its browser remembers, else the best of `Accept-Language` (RFC 9110, 12.5.4). */
export function languageOf(c: AppContext): Language {
  const remembered = detectFromCookie(c, OPTIONS);
  if (isLanguage(remembered)) return remembered;
  const preferred = detectFromHeader(c, OPTIONS);
  return isLanguage(preferred) ? preferred : 'en';
}

/** Have the browser remember a choice: of this device, as whoever stands at a gate shares it. */
export const rememberLanguage = (c: AppContext, language: Language): void =>
  remember(c, COOKIE, language, '/');

/** Where a choice leads back to: a page of this host that people see, never another host. */
export const backTo = (path: string | undefined): string =>
  path !== undefined && /^\/(app|public)(\/[\w./-]*)?(\?[\w./?=&%+-]*)?$/.test(path) && !path.includes('//')
    ? path
    : '/app';

/** The address that chooses a language and leads back to a page. */
export const languageLink = (language: Language, path: string): string =>
  `/language?${new URLSearchParams({ to: language, next: path })}`;
