/** How a language is declared. */
interface Declared {
  /** The name of the language in that language. */
  name: string;
  /**
   * The pages that the language has. `floor`: gates, tablets, sign-in, drivers, public pages and documents. `desk`: all
   * pages.
   */
  pages: 'floor' | 'desk';
  /** The locale of numbers and dates, if the language has several formats: the European one, with the day first. */
  locale?: string;
  /** The direction of its writing. The default is left to right. */
  direction?: 'rtl';
}

/** The languages of pages and documents, by tag (BCP 47), as in `lang`. */
const DECLARED = {
  en: { name: 'English', pages: 'desk', locale: 'en-GB' },
  de: { name: 'Deutsch', pages: 'desk' },
  es: { name: 'Español', pages: 'desk' },
  fr: { name: 'Français', pages: 'desk' },
  it: { name: 'Italiano', pages: 'desk' },
  nl: { name: 'Nederlands', pages: 'desk' },
  pl: { name: 'Polski', pages: 'desk' },
  pt: { name: 'Português', pages: 'desk', locale: 'pt-PT' },
  cs: { name: 'Čeština', pages: 'floor' },
  ro: { name: 'Română', pages: 'floor' },
  tr: { name: 'Türkçe', pages: 'floor' },
  uk: { name: 'Українська', pages: 'floor' },
} as const satisfies Record<string, Declared>;

export type Language = keyof typeof DECLARED;

/** The languages that have these pages. */
type With<Pages extends Declared['pages']> = {
  [L in Language]: (typeof DECLARED)[L]['pages'] extends Pages ? L : never;
}[Language];
type DeskLanguage = With<'desk'>;

const declared: Readonly<Record<Language, Declared>> = DECLARED;

/** All languages. Each has the pages of the floor. */
export const LANGUAGES = Object.keys(DECLARED) as readonly Language[];

/** The languages that have all pages. */
export const DESK_LANGUAGES = LANGUAGES.filter((tag): tag is DeskLanguage => declared[tag].pages === 'desk');

/** Whether a tag is one of `LANGUAGES`. */
export const isLanguage = (tag: string | undefined): tag is Language =>
  LANGUAGES.some((language) => language === tag);

/** Whether the desk has pages in a language, so that a page can show the menu. */
export const hasDeskPages = (language: Language): boolean => DESK_LANGUAGES.some((tag) => tag === language);

/** The language of a tag of any region: `pt` for `pt-BR`. */
export function languageOfTag(tag: string | undefined): Language | undefined {
  const language = tag?.toLowerCase().split('-')[0];
  return isLanguage(language) ? language : undefined;
}

/** The name of a language in that language. */
export const nameOf = (language: Language): string => declared[language].name;

/** The direction of writing, as in `dir`. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => declared[language].direction ?? 'ltr';

/** The locale for numbers and dates of a language. */
export const localeOf = (language: Language): string => declared[language].locale ?? language;
