import { refusal } from '../../../core/lib/problem.ts';
import { OverBudget } from '../../../core/lib/reader.ts';
import type { Words } from '../../../messages/words.ts';
import { TranslatedError } from '../../ui/parts/language.ts';
import type { Typed } from '../../ui/parts/view.ts';
import { PALLET_LIST, palletsLikely } from './read.ts';
import type { FindLive } from './resolve.ts';
import { bookField, sheetFields, TAB_LINE } from './sheet.ts';
import { UnreadableError } from './unreadable.ts';
import { type BookText, bookText, type SheetText } from './xlsx.ts';

/** Encodings that have a byte order mark, and their marks. */
const MARKS = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

/** The text of a file: by its byte order mark, else as UTF-8, else as Windows-1252 like old spreadsheets. */
function decoded(bytes: Uint8Array): string {
  const marked = MARKS.find(({ bytes: mark }) => mark.every((byte, index) => bytes[index] === byte));
  const encoding = marked?.encoding ?? unmarkedUtf16(bytes);
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The characters by which UTF-16 without a mark is recognized. */
const SAMPLE_CHARACTERS = 200;

/** UTF-16 without a mark. Its Latin letters and digits contain a zero byte, and no other text does. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, 2 * SAMPLE_CHARACTERS);
  const zeros = [0, 1].map((part) => sample.filter((byte, index) => byte === 0 && index % 2 === part).length);
  const [high = 0, low = 0] = zeros;
  if (Math.max(high, low) <= sample.length / 4) return undefined;
  return low > high ? 'utf-16le' : 'utf-16be';
}

/** The files that a browser offers to choose. */
export const ACCEPTED = [
  '.xlsx,.csv,.tsv,.tab,.txt,text/csv,text/plain,text/tab-separated-values',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
].join();

/** The first bytes of a ZIP archive, and of old Office files and encrypted ones. */
const ZIP = [0x50, 0x4b];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/** Characters that no list contains, but files of other kinds do. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the point
const BINARY = /[\u0000\u0001\u0004-\u0008\u000e-\u001a\u001c]/;

/** The messages for workbooks that cannot be read. */
const REFUSALS = {
  broken: 'make.unreadable',
  large: 'make.largeWorkbook',
  locked: 'make.oldWorkbook',
  other: 'make.convert',
} as const;

/** The start of documents that are no lists. */
const DOCUMENT = /^(?:sep=\t\n)?\s*(?:\{\\rtf|%PDF|\{\s*"|\[\s*\{)/i;

/** The start of mails, web pages and XML documents. Some programs give a web page the name of a workbook. */
const CONVERTIBLE =
  /^(?:sep=\t\n)?\s*(?:<(?:!doctype|!--|\?xml|html|head|body|meta|style|table)|<[a-z][\w:.-]*\s+xmlns|(?:mime-version|content-type|received|return-path):\s)/i;
/** The start of an EDIFACT, X12 or IDoc message. */
const MESSAGE =
  /^(?:sep=\t\n)?\s*(?:UNA.{6}\s*UN[BGH]|UN[BGH][^\p{L}\s]|ISA[^\p{L}\d\s]|GS\*|ST\*\d{3}\*|EDI_DC)/u;

/** The text that says what to do with a document of another kind than a list; undefined for a list. */
export function documentFault(text: string): 'make.convert' | 'make.message' | 'make.unreadable' | undefined {
  if (CONVERTIBLE.test(text)) return 'make.convert';
  if (MESSAGE.test(text)) return 'make.message';
  return DOCUMENT.test(text) ? 'make.unreadable' : undefined;
}

/**
 * The values of the form that a file of pallets becomes: its text, and the sheets of a workbook. `find` finds known
 * pallets, which show the sheet with the list.
 */
export async function fileValues(
  words: Words,
  bytes: Uint8Array,
  find: FindLive = async () => [],
): Promise<Typed> {
  const { t } = words;
  const refuse = (detail: string): never => {
    throw new TranslatedError(refusal('validationFailed', detail));
  };
  if (startsWith(bytes, OLE)) refuse(t('make.oldWorkbook'));
  if (!startsWith(bytes, ZIP)) {
    const text = decoded(bytes);
    if (text.trim() === '') refuse(t('make.empty'));
    const fault = documentFault(text) ?? (BINARY.test(text) ? 'make.unreadable' : undefined);
    if (fault) refuse(t(fault));
    return { pallets: checked(text, words), ...NO_SHEETS };
  }
  try {
    const book = await bookText(bytes);
    const taken = await sheetWithPallets(book, find);
    const others = book.sheets.filter((sheet) => sheet !== taken);
    return {
      ...NO_SHEETS,
      ...sheetFields(taken),
      pallets: checked(TAB_LINE + taken.text, words),
      sheets: String(book.visible),
      book: bookField(others),
    };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return refuse(t(REFUSALS[error.reason]));
  }
}

/** The values of other lists than workbooks. */
const NO_SHEETS = {
  sheet: '',
  sheets: '',
  book: '',
  sheetAt: '',
  hidden: '',
  isFiltered: '',
  hiddenRows: '',
};

/** The sheet with most SSCCs and known pallets. */
async function sheetWithPallets({ sheets }: BookText, find: FindLive): Promise<SheetText> {
  let best = { sheet: sheets[0]!, likely: 0 };
  if (sheets.length === 1) return best.sheet;
  for (const sheet of sheets) {
    const likely = await palletsLikely(TAB_LINE + sheet.text, find);
    if (likely > best.likely) best = { sheet, likely };
  }
  return best.sheet;
}

const startsWith = (bytes: Uint8Array, first: readonly number[]): boolean =>
  first.every((byte, index) => bytes[index] === byte);

/** @throws 400 for a text that the reader of lists refuses. The page would not show it in its form. */
function checked(text: string, words: Words): string {
  try {
    PALLET_LIST.budget().charge('bytes', shownBytes(text));
    return text;
  } catch (error) {
    throw error instanceof OverBudget
      ? new TranslatedError(refusal('validationFailed', tooLarge(words, error)))
      : error;
  }
}

/** The characters that the form may escape, with the length of their escapes. */
const ESCAPED = { '<': '&lt;'.length, '&': '&amp;'.length };

/** The most bytes that a text takes in the form. */
function shownBytes(text: string): number {
  let bytes = Buffer.byteLength(text);
  for (const [character, length] of Object.entries(ESCAPED))
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) bytes += length - 1;
  return bytes;
}

/** Says why the reader of lists refuses a list. */
export function tooLarge({ t }: Words, { kind, maximum }: OverBudget): string {
  if (kind === 'lines') return t('make.tooLong', { most: String(maximum) });
  if (kind === 'texts') return t('make.tooManyTexts', { most: String(maximum) });
  return t('make.tooLarge', { most: String(maximum / 1024 / 1024) });
}
