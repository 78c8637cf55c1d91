/** The languages of pages and documents, each by its tag (BCP 47) as `lang` says it. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The languages of the desk: what is planned and looked up at a computer. What people meet at a gate, when they sign in or on paper is in all. */
export const DESK_LANGUAGES = ['en', 'de'] as const satisfies Language[];

/** Whether a tag is one of these. */
export const isLanguage = (tag: string | undefined): tag is Language =>
  LANGUAGES.some((language) => language === tag);

/** What each language calls itself. */
export const NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
};

/** Where a language writes numbers and dates in several ways: that of Europe, with the day before the month. */
const LOCALES: Partial<Record<Language, string>> = { en: 'en-GB', pt: 'pt-PT' };

/** The locale by which numbers and dates are written in a language. */
export const localeOf = (language: Language): string => LOCALES[language] ?? language;
