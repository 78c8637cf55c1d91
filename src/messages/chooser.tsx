import type { FC } from 'hono/jsx';
import { languageLink } from './chosen.ts';
import { useWords } from './context.ts';
import { LANGUAGES, NAMES } from './languages.ts';

/** Links to all languages, by their own names. Each chooses a language and returns to this page. */
export const LanguageChooser: FC<{ path: string; label: string }> = ({ path, label }) => {
  const { language: chosen } = useWords();
  return (
    <ul class="languages" aria-label={label}>
      {LANGUAGES.map((language) => (
        <li>
          <a
            href={languageLink(language, path)}
            lang={language}
            hreflang={language}
            aria-current={language === chosen ? 'true' : undefined}
          >
            {NAMES[language]}
          </a>
        </li>
      ))}
    </ul>
  );
};
