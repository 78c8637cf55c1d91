import { isStorable } from '../../../core/lib/text.ts';
import { trackIdentifierSchema } from '../../../dispatch/load/manifest/schema.ts';
import type { Words } from '../../../messages/words.ts';
import { isSscc } from '../../../pallet/gs1.ts';
import { READING_MAXIMUM } from '../../../pallet/identifier.ts';
import { isMissing, isSheetError, isShortened, type Written } from './cell.ts';
import { isTotal, rankOf } from './headings.ts';
import type { Resolved } from './resolve.ts';

/** A line is a pallet, or a bad line with a reason in the language of the page. */
export type Outcome = { pallet: string } | { reason: (words: Words) => string };

/** A line apart from the text of its cell. */
interface Place {
  /** Whether a quotation mark in it has no partner. */
  isTorn: boolean;
  /** Whether it is above the row with the headings. */
  isAbove: boolean;
}

/** The pallet of a text, or the reason why it is bad. A live pallet always counts. `isAmongSsccs`: its column contains SSCCs. */
export function outcomeOf(
  { raw, text, isExact }: Written,
  { pallet, isLive, several, isMistyped }: Resolved,
  isAmongSsccs: boolean,
): Outcome {
  if (isLive && pallet !== undefined) return { pallet };
  if (raw.length > READING_MAXIMUM) return { reason: ({ t }) => t('line.long') };
  if (several) return { reason: ({ t, list }) => t('line.several', { pallets: list(several) }) };
  if (isMissing(text) && !isExact) return { reason: ({ t }) => t('line.none') };
  if (isSheetError(text)) return { reason: ({ t }) => t('line.error') };
  if (isShortened(text)) return { reason: ({ t }) => t('line.shortened') };
  if (isTotal(text)) return { reason: ({ t }) => t('line.none') };
  if (rankOf(text) > 0) return { reason: ({ t }) => t('line.heading') };
  if (isMistyped || pallet === undefined) return { reason: ({ t }) => t('line.keyboard') };
  if (!isStorable(raw)) return { reason: ({ t }) => t('line.text') };
  if (!trackIdentifierSchema.safeParse(pallet).success) return { reason: ({ t }) => t('line.long') };
  return isExact ? { pallet } : (faultOfDigits(text, isAmongSsccs) ?? { pallet });
}

/** The outcome of a line whose text has an outcome. A torn line, or one above the headings, has a pallet only if it is certain. */
export function placed(outcome: Outcome, { isLive, sscc }: Resolved, { isTorn, isAbove }: Place): Outcome {
  if (isLive) return outcome;
  if (isTorn) return { reason: ({ t }) => t('line.quote') };
  return isAbove && sscc === undefined && 'pallet' in outcome
    ? { reason: ({ t }) => t('line.above') }
    : outcome;
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
