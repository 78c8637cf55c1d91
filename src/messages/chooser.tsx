import type { FC } from 'hono/jsx';
import { languageLink } from './chosen.ts';
import { useWords } from './context.ts';
import { LANGUAGES, type Language, nameOf } from './languages.ts';

/** Links to the languages of a page, by their own names. Each chooses a language and returns to this page. */
export const LanguageChooser: FC<{
  path: string;
  label: string;
  /** The languages of the page. The default is all languages. */
  languages?: readonly Language[];
}> = ({ path, label, languages = LANGUAGES }) => {
  const { language: chosen } = useWords();
  return (
    <ul class="languages" aria-label={label}>
      {languages.map((language) => (
        <li>
          <a
            href={languageLink(language, path)}
            lang={language}
            hreflang={language}
            aria-current={language === chosen ? 'true' : undefined}
          >
            {nameOf(language)}
          </a>
        </li>
      ))}
    </ul>
  );
};
