import { cs } from './cs/index.ts';
import { de } from './de/index.ts';
import type { floor } from './en/index.ts';
import { es } from './es/index.ts';
import { fr } from './fr/index.ts';
import { it } from './it/index.ts';
import type { DeskLanguage, Language } from './languages.ts';
import type { Key } from './messages.ts';
import { nl } from './nl/index.ts';
import { pl } from './pl/index.ts';
import { pt } from './pt/index.ts';
import { ro } from './ro/index.ts';
import { tr } from './tr/index.ts';
import { uk } from './uk/index.ts';

/** The languages whose messages are static assets. English is part of the script. */
export type Translation = Exclude<Language, 'en'>;

/** The keys of the messages that a language has, by its pages in `languages.ts`. */
type KeyOf<L extends Language> = L extends DeskLanguage ? Key : keyof typeof floor;

/** The messages of these languages. `src/cli/assets.ts` writes them to files, and `load.ts` reads the files. */
export const TRANSLATIONS: { readonly [L in Translation]: Readonly<Record<KeyOf<L>, string>> } = {
  de,
  es,
  fr,
  it,
  nl,
  pl,
  pt,
  cs,
  ro,
  tr,
  uk,
};
