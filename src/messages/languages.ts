/** The languages of pages and documents, by tag (BCP 47), as in `lang`. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The languages of the desk. Pages at gates, the sign-in, public pages and documents are in all languages. */
export const DESK_LANGUAGES = ['en', 'de'] as const satisfies Language[];

/** Whether a tag is one of these. */
export const isLanguage = (tag: string | undefined): tag is Language =>
  LANGUAGES.some((language) => language === tag);

/** The name of each language in that language. */
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

/** The locale of languages with several formats of numbers and dates: the European one, with the day first. */
const LOCALES: Partial<Record<Language, string>> = { en: 'en-GB', pt: 'pt-PT' };

/** The locale for numbers and dates of a language. */
export const localeOf = (language: Language): string => LOCALES[language] ?? language;
