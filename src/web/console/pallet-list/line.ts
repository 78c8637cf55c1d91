import { isSscc } from '../../../core/lib/gs1.ts';
import { isStorable } from '../../../core/lib/text.ts';
import { trackIdentifierSchema } from '../../../dispatch/manifest/schema.ts';
import type { Words } from '../../../messages/words.ts';
import { isMissing, isSheetError, isShortened, type Written } from './cell.ts';
import { isTotal, rankOf } from './headings.ts';
import type { Resolved } from './resolve.ts';
import type { RowFault } from './rows.ts';

/** A line is a pallet, or a bad line with a reason in the language of the page. */
export type Outcome = { pallet: string } | { reason: (words: Words) => string };

/** A line apart from its cell. */
interface Place {
  /** Why it cannot be split. Undefined if it can. */
  fault: RowFault | undefined;
  /** Whether it is above the row with the headings. */
  isAbove: boolean;
  /** Whether its column contains SSCCs. */
  isAmongSsccs: boolean;
}

/** The pallet of a line, or the reason why it is bad. A live pallet always counts. */
export function outcomeOf(
  { raw, text, isExact }: Written,
  { pallet, isLive, sscc, several, isMistyped }: Resolved,
  { fault, isAbove, isAmongSsccs }: Place,
): Outcome {
  if (isLive && pallet !== undefined) return { pallet };
  if (fault) return { reason: ({ t }) => t(`line.${fault}`) };
  if (several) return { reason: ({ t, list }) => t('line.several', { pallets: list(several) }) };
  if (isMissing(text) && !isExact) return { reason: ({ t }) => t('line.none') };
  if (isSheetError(text)) return { reason: ({ t }) => t('line.error') };
  if (isShortened(text)) return { reason: ({ t }) => t('line.shortened') };
  if (isTotal(text)) return { reason: ({ t }) => t('line.none') };
  if (rankOf(text) > 0) return { reason: ({ t }) => t('line.heading') };
  if (isAbove && sscc === undefined) return { reason: ({ t }) => t('line.above') };
  if (isMistyped || pallet === undefined) return { reason: ({ t }) => t('line.keyboard') };
  if (!isStorable(raw)) return { reason: ({ t }) => t('line.text') };
  if (!trackIdentifierSchema.safeParse(pallet).success) return { reason: ({ t }) => t('line.long') };
  return isExact ? { pallet } : (faultOfDigits(text, isAmongSsccs) ?? { pallet });
}

/**
 * The fault of digits that are as many as in an SSCC, but none. A spreadsheet ends long numbers with zeros. Among SSCCs,
 * fewer digits are faulty if only the zeros of an SSCC are missing at the beginning.
 */
function faultOfDigits(text: string, isAmongSsccs: boolean): Outcome | undefined {
  const compact = text.replace(/\s/g, '');
  if (isAmongSsccs && /^[1-9]\d{13,16}$/.test(compact) && isSscc(compact.padStart(18, '0')))
    return { reason: ({ t }) => t('line.shortened') };
  const digits = /^(?:\(00\)|00)?(\d{18})$/.exec(compact)?.[1];
  if (digits === undefined || isSscc(digits)) return undefined;
  return { reason: ({ t }) => t(digits.endsWith('000') ? 'line.shortened' : 'line.check') };
}
