import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { refusal } from '../../../core/lib/problem.ts';
import { ASSETS_MAXIMUM } from '../../../dispatch/manifest/rules.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import type { PageContext } from '../kit/action.ts';
import type { Confirmation } from '../kit/confirmation.tsx';
import { Select, useTyped } from '../kit/form.tsx';
import { TranslatedError } from '../kit/language.ts';
import { type BadLine, columnsIn, LINES_MAXIMUM, type PalletList, readPallets, WHOLE_LINE } from './read.ts';
import { livePallets } from './store.ts';

/** The maximum number of pallets that are named before a manifest is created, and of bad lines. */
const PALLETS_NAMED = 20;
const LINES_NAMED = 100;
/** The maximum number of characters of a text of the list that are repeated. */
const REPEATED_MAXIMUM = 40;
/** The maximum number of columns to choose from. */
const COLUMNS_OFFERED = 50;

/** The fields of a form with a list of pallets. */
export const listFields = {
  pallets: z.string().default(''),
  column: z.string().max(10).default(''),
  sheet: z.string().default(''),
  sheets: z.string().default(''),
};

interface Made {
  externalIdentifier: string;
  pallets: string;
  column: string;
  sheet: string;
  sheets: string;
}

/**
 * Read the list of a form.
 * @throws 400 for a list without pallets or with too many
 */
export async function palletsOf({ database, words }: PageContext, made: Made): Promise<PalletList> {
  const { t } = words;
  const read = await readPallets(made, words, (texts, folded) => livePallets(database, texts, folded));
  if (read === undefined) throw refused(t('make.tooLong', { most: String(LINES_MAXIMUM) }));
  const { pallets, bad } = read;
  if (pallets.length > ASSETS_MAXIMUM) {
    const [count, most] = [String(pallets.length), String(ASSETS_MAXIMUM)];
    throw refused(t('make.tooMany', { count, most }), words, bad);
  }
  if (pallets.length === 0 && bad.length > 0) throw refused(t('make.noLine'), words, bad);
  return read;
}

const refused = (detail: string, words?: Words, bad: readonly BadLine[] = []): TranslatedError =>
  new TranslatedError(
    refusal('validationFailed', detail, {
      errors: bad.slice(0, LINES_NAMED).map((line) => ({
        field: words!.t('make.line', { line: String(line.line) }),
        code: 'validationFailed',
        message: line.reason(),
        rejectedValue: null,
      })),
    }),
  );

/** The question before a manifest is created. If the user confirms, bad lines are left out. */
export async function preview(at: PageContext, made: Made): Promise<Confirmation> {
  const { words } = at;
  const { t } = words;
  const list = await palletsOf(at, made);
  const { pallets, bad } = list;
  const [count, name] = [pallets.length, made.externalIdentifier];
  return {
    title: t('make.question', { name, count, pallets: String(count) }),
    tally: [
      { count, word: t('page.pallets'), icon: 'check', tone: 'ok' },
      { count: bad.length, word: t('make.badLines'), icon: 'warn', tone: 'warn' },
    ],
    named: [
      named(t('make.badLines'), bad, LINES_NAMED, (line) => lineOf(words, line)),
      named(t('page.pallets'), pallets, PALLETS_NAMED, (pallet) => pallet),
    ].filter(({ names }) => names.length > 0),
    choice: {
      name: 'column',
      label: t('make.column'),
      value: list.taken,
      options: optionsOf(words, list),
      look: t('make.lookAgain'),
    },
    multipart: true,
    text: <Told words={words} list={list} made={made} />,
    yes: bad.length === 0 ? t('make.create') : t('make.createWithout', { count: bad.length }),
    no: t('make.cancel'),
    note: false,
  };
}

/** The column, heading and sheet that were read, and the effect of the action. */
const Told: FC<{ words: Words; list: PalletList; made: Made }> = ({ words: { t }, list, made }) => {
  const { columns, taken, heading, bad } = list;
  const column = columns.find(({ number }) => String(number) === taken);
  const others = Number(made.sheets) - 1;
  return (
    <>
      <p>
        {taken === WHOLE_LINE || (columns.length === 1 && !column?.heading)
          ? t('make.takenLine')
          : column?.heading
            ? t('make.taken', { number: taken, name: short(column.heading) })
            : t('make.takenNumber', { number: taken })}
      </p>
      {heading && <p>{t('make.headingLine', { line: String(heading.line), text: short(heading.text) })}</p>}
      {others > 0 && <p>{t('make.sheet', { sheet: made.sheet, count: others })}</p>}
      <p>{t(bad.length === 0 ? 'make.nothingLoaded' : 'make.leftOut')}</p>
    </>
  );
};

/** The columns to choose from: each with its heading, or else with its first text. */
const optionsOf = ({ t }: Words, { columns, taken }: Pick<PalletList, 'columns' | 'taken'>) => [
  ...columns
    .filter(({ number }) => number <= COLUMNS_OFFERED || String(number) === taken)
    .map(({ number, heading, sample }) => {
      const name = [heading, sample].filter(Boolean).map(short).join(' · ');
      const value = String(number);
      return {
        value,
        label: name ? t('make.columnNamed', { number: value, name }) : t('make.columnAt', { number: value }),
      };
    }),
  { value: WHOLE_LINE, label: t('make.wholeLine') },
];

/** The choice of a column in the form, after its list was refused. */
export const ColumnField: FC = () => {
  const words = useWords();
  const { t } = words;
  const typed = String(useTyped('pallets') ?? '');
  const columns = typed === '' ? [] : columnsIn(typed);
  if (columns.length < 2) return null;
  return (
    <Select
      name="column"
      label={t('make.column')}
      options={[{ value: '', label: t('make.columnFound') }, ...optionsOf(words, { columns, taken: '' })]}
    />
  );
};

const named = <T,>(heading: string, things: readonly T[], most: number, nameOf: (thing: T) => string) => ({
  heading,
  names: things.slice(0, most).map(nameOf),
  more: things.length > most,
});

const lineOf = ({ t }: Words, { line, text, reason }: BadLine): string =>
  `${t('make.lineOf', { line: String(line), reason: reason() })}${text === '' ? '' : ` (${short(text)})`}`;

function short(text: string): string {
  const characters = [...text.slice(0, 2 * REPEATED_MAXIMUM)];
  return characters.length > REPEATED_MAXIMUM
    ? `${characters.slice(0, REPEATED_MAXIMUM).join('')}…`
    : characters.join('');
}
