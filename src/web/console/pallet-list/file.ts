import { refusal } from '../../../core/lib/problem.ts';
import type { Words } from '../../../messages/words.ts';
import { TranslatedError } from '../kit/language.ts';
import type { Typed } from '../kit/view.ts';
import { decoded } from './text.ts';
import { sheetText } from './xlsx.ts';
import { UnreadableError } from './xlsx-cell.ts';

/** The most bytes of a list's text. The confirmation of the preview sends the text again, with its other values. */
export const TEXT_BYTES_MAXIMUM = 4 * 1024 * 1024;

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

/** The start of documents that are no lists. Some programs give a web page the name of a workbook. */
const DOCUMENT =
  /^(?:sep=\t\n)?\s*(?:<(?:!doctype|!--|\?xml|html|head|body|meta|style|table)|\{\\rtf|%PDF|\{\s*"|\[\s*\{)/i;

/** Whether a text is a document of another kind than a list. */
export const isDocument = (text: string): boolean => DOCUMENT.test(text);

/** The values of the form that a file of pallets becomes: its text, and the sheet of a workbook. */
export async function fileValues({ t }: Words, bytes: Uint8Array): Promise<Typed> {
  const refuse = (detail: string): never => {
    throw new TranslatedError(refusal('validationFailed', detail));
  };
  if (startsWith(bytes, OLE)) refuse(t('make.oldWorkbook'));
  if (!startsWith(bytes, ZIP)) {
    const text = decoded(bytes);
    if (BINARY.test(text) || isDocument(text)) refuse(t('make.unreadable'));
    return { pallets: checked(text, t), sheet: '', sheets: '' };
  }
  try {
    const { text, name, sheets } = await sheetText(bytes);
    return { pallets: checked(`sep=\t\n${text}`, t), sheet: name, sheets: String(sheets) };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return refuse(t(error.reason === 'large' ? 'make.largeWorkbook' : 'make.unreadable'));
  }
}

const startsWith = (bytes: Uint8Array, first: readonly number[]): boolean =>
  first.every((byte, index) => bytes[index] === byte);

function checked(text: string, t: Words['t']): string {
  if (Buffer.byteLength(text) <= TEXT_BYTES_MAXIMUM) return text;
  const most = String(TEXT_BYTES_MAXIMUM / 1024 / 1024);
  throw new TranslatedError(refusal('validationFailed', t('make.tooLarge', { most })));
}
