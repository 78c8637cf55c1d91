import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { parseJson } from '../../../core/lib/json.ts';
import { refusal } from '../../../core/lib/problem.ts';
import { OverBudget } from '../../../core/lib/reader.ts';
import { ASSETS_MAXIMUM } from '../../../dispatch/load/manifest/rules.ts';
import type { PlacedPallet } from '../../../dispatch/load/manifest/validation-store.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import type { QuestionChoice } from '../../ui/form/asked-fields.tsx';
import { Select } from '../../ui/form/form.tsx';
import { useTyped } from '../../ui/form/form-state.ts';
import { TranslatedError } from '../../ui/parts/language.ts';
import { documentFault, tooLarge } from './file.ts';
import { type BadLine, columnsIn, type PalletList, readPallets, WHOLE_LINE } from './read.ts';
import type { FindLive } from './resolve.ts';
import { HIDDEN_ROWS, leavesHidden, sheetInputs, sheetsIn } from './sheet.ts';
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
  /** The choice for bad lines, where many are bad. */
  badLines: z.string().max(10).default(''),
  ...sheetInputs,
};

/** The values of these fields. */
type MadeList = z.output<z.ZodObject<typeof listFields>>;

/** A form whose list is the chosen sheet. Columns that were chosen for another sheet do not count. */
export function chosenSheet<T extends MadeList>(made: T): T {
  const other = made.sheetAt === '' ? undefined : sheetsIn(made.book)[Number(made.sheetAt)];
  return { ...made, ...other };
}

/**
 * Read the list of a form.
 * @throws 400 for a list without pallets or with too many
 */
export async function palletsOf({ database, words }: PageContext, made: MadeList): Promise<PalletList> {
  const { t } = words;
  const fault = documentFault(made.pallets);
  if (fault) throw listRefusal(t(fault));
  const find: FindLive = (texts, folded) => livePallets(database, texts, folded);
  const list = { ...made, leavesHidden: leavesHidden(made) };
  const read = await readPallets(list, words, find, database.organization).catch((error: unknown) => {
    if (error instanceof OverBudget) throw listRefusal(tooLarge(words, error));
    throw error;
  });
  const { pallets, bad } = read;
  if (pallets.length > ASSETS_MAXIMUM) {
    const [count, most] = [String(pallets.length), String(ASSETS_MAXIMUM)];
    throw listRefusal(t('make.tooMany', { count, most }), words, bad);
  }
  if (pallets.length === 0 && bad.length > 0) throw listRefusal(t('make.noLine'), words, bad);
  return read;
}

export const listRefusal = (detail: string, words?: Words, bad: readonly BadLine[] = []): TranslatedError =>
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

/** The choice of the column with the pallets. */
export const palletsChoice = (words: Words, list: PalletList): QuestionChoice => ({
  name: 'column',
  label: words.t('make.column'),
  value: list.taken,
  options: [...columnOptions(words, list), wholeOption(words)],
});

/** The choices of the sheet, and of its hidden rows. */
export const sheetChoices = ({ t }: Words, made: MadeList, { hidden }: PalletList): QuestionChoice[] => {
  const others = sheetsIn(made.book);
  return [
    ...(others.length === 0
      ? []
      : [
          {
            name: 'sheetAt',
            label: t('make.sheetChoice'),
            value: made.sheetAt,
            options: [
              { value: '', label: short(made.sheet) },
              ...others.map(({ sheet }, at) => ({ value: String(at), label: short(sheet) })),
            ],
          },
        ]),
    ...(hidden.lines.length === 0
      ? []
      : [
          {
            name: 'hiddenRows',
            label: t('make.hiddenRows'),
            value: hidden.isLeft ? HIDDEN_ROWS.leave : HIDDEN_ROWS.take,
            options: [
              { value: HIDDEN_ROWS.take, label: t('make.hiddenTake') },
              { value: HIDDEN_ROWS.leave, label: t('make.leave') },
            ],
          },
        ]),
  ];
};

/** Where more than one line in so many is bad, people decide about the bad lines before they create anything. */
const BAD_SHARE = 10;
const LEAVE = 'leave';

/** Whether so many lines are bad that the list may be a wrong one. */
export const hasManyBad = (pallets: number, bad: number): boolean => bad * BAD_SHARE > pallets + bad;

/** A choice between two things to do with a part of a list. The first is taken until the user chooses the other one. */
export const eitherChoice = (
  chosen: Pick<QuestionChoice, 'name' | 'label' | 'value'>,
  first: string,
  other: QuestionChoice['options'][number],
): QuestionChoice => ({ ...chosen, options: [{ value: '', label: first }, other] });

/** The choice for many bad lines: to mend the list, or to leave them out. */
export const badChoices = (
  { t }: Words,
  { badLines: value }: MadeList,
  hasMany: boolean,
): QuestionChoice[] => {
  const other = { value: LEAVE, label: t('make.leave') };
  const chosen = { name: 'badLines', label: t('make.badLines'), value };
  return hasMany ? [eitherChoice(chosen, t('make.mend'), other)] : [];
};

/** Whether people have to decide about many bad lines. */
export const isUndecided = ({ badLines }: MadeList, hasMany: boolean): boolean =>
  hasMany && badLines !== LEAVE;

/** The hidden rows, which are read or left out. */
export const hiddenNamed = ({ t }: Words, { hidden }: PalletList) =>
  named(t(hidden.isLeft ? 'make.hiddenLeft' : 'make.hiddenRead'), hidden.lines, LINES_NAMED, (line) =>
    t('make.line', { line: String(line) }),
  );

/** The bad lines with their reasons. */
export const badNamed = (words: Words, bad: readonly BadLine[]) =>
  named(words.t('make.badLines'), bad, LINES_NAMED, (line) => lineOf(words, line));

/** The pallets that have left with a load, and the pallets that another open manifest expects. */
export const placedNamed = ({ t, time }: Words, timeZone: string, placed: readonly PlacedPallet[]) => [
  named(t('load.leftWith'), leftIn(placed), LINES_NAMED, ({ wmsId, load }) => {
    const { externalIdentifier, closeDate } = parseJson(load!);
    return [wmsId, short(externalIdentifier), time(timeZone, closeDate)].join(' · ');
  }),
  named(
    t('load.duplicated'),
    placed.filter(({ manifest }) => manifest !== null),
    LINES_NAMED,
    ({ wmsId, manifest }) => [wmsId, short(manifest!)].join(' · '),
  ),
];

/** How many pallets of a list have left with a load, as a figure of its question. */
export const leftTally = ({ t }: Words, placed: readonly PlacedPallet[]) =>
  leftIn(placed).length === 0
    ? []
    : [
        {
          count: leftIn(placed).length,
          word: t('load.leftWith'),
          icon: 'warn',
          tone: 'warn',
        } as const,
      ];

const leftIn = (placed: readonly PlacedPallet[]): PlacedPallet[] =>
  placed.filter(({ load }) => load !== null);

/** The first pallets. */
export const palletsNamed = ({ t }: Words, pallets: readonly string[]) =>
  named(t('page.pallets'), pallets, PALLETS_NAMED, (pallet) => pallet);

/** The column, heading and sheet that were read. */
export const Told: FC<{ words: Words; list: PalletList; made: MadeList }> = ({
  words: { t },
  list,
  made,
}) => {
  const { columns, taken, heading, better } = list;
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
      {better !== undefined && <p class="notice warn">{t('orders.better', { number: better })}</p>}
    </>
  );
};

/** The columns to choose from: each with its heading, or else with its first text. */
export const columnOptions = ({ t }: Words, { columns, taken }: Pick<PalletList, 'columns' | 'taken'>) =>
  columns
    .filter(({ number }) => number <= COLUMNS_OFFERED || String(number) === taken)
    .map(({ number, heading, sample }) => {
      const name = [heading, sample].filter(Boolean).map(short).join(' · ');
      const value = String(number);
      return {
        value,
        label: name ? t('make.columnNamed', { number: value, name }) : t('make.columnAt', { number: value }),
      };
    });

/** The choice that a whole line is a pallet. */
const wholeOption = ({ t }: Words) => ({ value: WHOLE_LINE, label: t('make.wholeLine') });

/** The choices of the columns in the form, after its list was refused or its preview was left. */
export const ColumnFields: FC = () => {
  const words = useWords();
  const { t } = words;
  const typed = String(useTyped('pallets') ?? '');
  const columns = typed === '' ? [] : columnsIn(typed);
  if (columns.length < 2) return null;
  const found = { value: '', label: t('make.columnFound') };
  const options = columnOptions(words, { columns, taken: '' });
  return (
    <>
      <Select name="column" label={t('make.column')} options={[found, ...options, wholeOption(words)]} />
      <Select
        name="orderColumn"
        label={t('orders.column')}
        options={[found, { value: 'none', label: t('orders.oneManifest') }, ...options]}
      />
    </>
  );
};

/** Names of a question: the first of them, and whether there are more. */
export const named = <T,>(
  heading: string,
  things: readonly T[],
  most: number,
  nameOf: (thing: T) => string,
) => ({
  heading,
  names: things.slice(0, most).map(nameOf),
  more: things.length > most,
});

const lineOf = ({ t }: Words, { line, text, reason }: BadLine): string =>
  `${t('make.lineOf', { line: String(line), reason: reason() })}${text === '' ? '' : ` (${short(text)})`}`;

export function short(text: string): string {
  const characters = [...text.slice(0, 2 * REPEATED_MAXIMUM)];
  return characters.length > REPEATED_MAXIMUM
    ? `${characters.slice(0, REPEATED_MAXIMUM).join('')}…`
    : characters.join('');
}
