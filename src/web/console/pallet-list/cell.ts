import { isGuarded, unguarded } from '../../../core/lib/csv.ts';
import { READING_MAXIMUM } from '../../../pallet/identifier.ts';

/** The pallet of a line as it is written. */
export interface Written {
  /** The text of its cell. */
  raw: string;
  /** The same without the marks that keep it text in a spreadsheet. */
  text: string;
  /** Whether our own export wrote it. Then it is an id with every character. */
  isExact: boolean;
}

/** A formula that keeps a number as text: `="340123450000000017"`, `=T("…")`. */
const TEXT_FORMULA = /^=\s*(?:T\(\s*)?"((?:[^"]|"")*)"\s*\)?$/is;
/** The apostrophe with which people make a number text in a spreadsheet. */
const TEXT_MARK = /^\s*['\u2018\u2019](?=[\d\s()]+$)/;
/** A long number as spreadsheets show it, in programs with a decimal point or a comma. */
const SHORTENED = /^\d(?:[.,]\d+)?E\+\d+$|^\d[.,]\d+E\d+$/i;
/** An error that a spreadsheet shows instead of a value, in any language, and the signs of a column that is too narrow. */
const SHEET_ERROR = /^#(?:[¡¿]?[\p{L}_/]+(?:\/0)?[!?]|N\/[A-Z]|NV|GETTING_DATA|#*)$/iu;

/** A text with one of these signs may have a mark. */
const SIGNS = /[='\u2018\u2019]/;

export function cellText(raw: string): Written {
  // A longer text is no id.
  if (raw.length > READING_MAXIMUM || !SIGNS.test(raw)) return { raw, text: raw, isExact: false };
  const formula = TEXT_FORMULA.exec(raw.trim());
  if (formula) return { raw, text: formula[1]!.replaceAll('""', '"'), isExact: false };
  const isExact = isGuarded(raw);
  return { raw, text: isExact ? unguarded(raw) : raw.replace(TEXT_MARK, ''), isExact };
}

/**
 * The text of a missing value in exports of databases, programs and spreadsheets, a line between their rows, and the count
 * below them.
 */
const MISSING =
  /^(?:|[(<[]?(?:null|nil|none|nan|na|undefined)[)>\]]?|n\/a|\\n|[-–—=_+]+|\(\d+ rows?(?: affected)?\)|\d+ rows? (?:selected|returned|affected|in set)\b.{0,20})$/i;

/** The text of a formula of a workbook that has no value. */
export const NO_VALUE = '=?';
/** A formula that was not calculated: programs that write workbooks may leave out its value. */
const FORMULA = /^=./s;

export const isFormula = (text: string): boolean => FORMULA.test(text.trim());
export const isMissing = (text: string): boolean => MISSING.test(text.trim());
export const isShortened = (text: string): boolean => SHORTENED.test(text.trim());
export const isSheetError = (text: string): boolean => SHEET_ERROR.test(text.trim());
