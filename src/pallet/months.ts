/** The languages of the office pages. People type months in these. */
const LOCALES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt'];
/** Abbreviations that spreadsheets use and the names do not begin with: März, maart. */
const EXTRA: readonly (readonly [name: string, month: number])[] = [
  ['mrz', 3],
  ['mrt', 3],
];
const LETTERS_MINIMUM = 3;

/** The names of all months without accents, in lower case, with their numbers. */
let names: (readonly [name: string, month: number])[] | undefined;

/** A word without accents and a dot at its end, in lower case. */
const plainWord = (word: string): string =>
  word.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\.$/, '').toLowerCase();

/** The number of a month, from 1, by a name in any of the languages, such as `Nov` or `listopada`. Undefined for other words. */
export function monthOf(word: string): number | undefined {
  const plain = plainWord(word);
  if (plain.length < LETTERS_MINIMUM) return undefined;
  names ??= allNames();
  const found = new Set(names.filter(([name]) => name.startsWith(plain)).map(([, month]) => month));
  const [month] = found;
  return found.size === 1 ? month : undefined;
}

/** Some languages have another form of a month beside a day. */
function allNames(): (readonly [name: string, month: number])[] {
  const formats = LOCALES.flatMap((locale) =>
    [{}, { day: 'numeric' } as const].map(
      (day) => new Intl.DateTimeFormat(locale, { ...day, month: 'long', timeZone: 'UTC' }),
    ),
  );
  const months = Array.from({ length: 12 }, (_, index) => index + 1);
  return [
    ...EXTRA,
    ...formats.flatMap((format) =>
      months.map((month) => {
        const part = format.formatToParts(Date.UTC(2026, month - 1, 15)).find(({ type }) => type === 'month');
        return [plainWord(part!.value), month] as const;
      }),
    ),
  ];
}
