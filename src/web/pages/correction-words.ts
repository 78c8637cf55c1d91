import { listed } from '../../core/lib/text.ts';
import type { LoadingStatus } from '../../dispatch/load/shared/table.ts';
import type { Key } from '../../messages/messages.ts';
import type { Words } from '../../messages/words.ts';
import type { CorrectedField, Correction } from './correction-rules.ts';

/** The labels of the facts about the transport. */
export const FACT_LABELS = {
  carrier: 'page.carrier',
  vehicle: 'page.vehicle',
  seal: 'page.seal',
  plannedDepartureDate: 'page.plannedDeparture',
} as const satisfies Partial<Record<CorrectedField, Key>>;

type Values = Pick<
  Correction,
  'field' | 'oldValue' | 'newValue' | 'photoKind' | 'trackIdentifier' | 'manifestExternalId'
>;

/** The name of a corrected fact or photo. It is undefined for a loading record: the pallet is its name. */
export function correctionName(
  { t }: Words,
  { field, photoKind, trackIdentifier }: Values,
): string | undefined {
  if (field === 'loadingStatus') return undefined;
  if (field !== 'photo') return t(FACT_LABELS[field]);
  return listed(t('proof.photo'), photoKind && t(`photoKind.${photoKind}`), trackIdentifier);
}

/** The values before and after a correction. `timeText` writes a date in ISO 8601 in the time zone of the site. */
export function valuesIn(
  { t }: Words,
  { field, oldValue, newValue }: Values,
  timeText: (date: string) => string,
): [before: string, after: string] {
  const text = (value: string): string => {
    if (field === 'loadingStatus') return t(`loading.${value as LoadingStatus}`);
    if (field === 'photo') return `SHA-256 ${value}`;
    return field === 'plannedDepartureDate' && !Number.isNaN(Date.parse(value)) ? timeText(value) : value;
  };
  return [oldValue === null ? '–' : text(oldValue), newValue === null ? t('page.removed') : text(newValue)];
}
