import { listed } from '../../core/lib/text.ts';
import type { SignedChange } from '../../dispatch/load/shared/signature-rules.ts';
import type { presentSignedFor } from '../../dispatch/load/shared/signature-store.ts';
import type { Words } from '../../messages/words.ts';
import { FACT_LABELS } from './correction-words.ts';

/** The facts of a load that signatures cover. Dates are in ISO 8601. */
type Facts = Omit<ReturnType<typeof presentSignedFor>, 'status' | 'digest'>;

/** The facts in the order in which they are shown. */
const SHOWN = ['carrier', 'vehicle', 'seal', 'plannedDepartureDate'] as const;

/**
 * The load that a signature was given for, and the changes since, as two sentences. `timeText` writes a date in ISO 8601
 * in the time zone of the site.
 */
export function signedTexts(
  words: Words,
  { signedFor, changedSince }: { signedFor: Facts; changedSince: readonly SignedChange[] },
  now: Facts,
  timeText: (date: string) => string,
): [signed: string, since: string] {
  const { t, labelled } = words;
  const fact = (of: Facts, name: (typeof SHOWN)[number]): string => {
    const value = of[name];
    const text = value !== null && name === 'plannedDepartureDate' ? timeText(value) : (value ?? '–');
    return labelled(t(FACT_LABELS[name]), text);
  };
  const loaded = ({ loadedAssetsCount, totalAssetsCount }: Facts): string =>
    t('proof.loadedOf', { loaded: loadedAssetsCount, total: totalAssetsCount });
  const strays = ({ invalidCount: count }: Facts): string => t('proof.strays', { count });
  const has = (...names: SignedChange[]): boolean => names.some((name) => changedSince.includes(name));
  const signed = listed(
    loaded(signedFor),
    signedFor.invalidCount > 0 && strays(signedFor),
    ...SHOWN.map((name) => signedFor[name] !== null && fact(signedFor, name)),
  );
  const since = listed(
    has('loadedAssetsCount', 'totalAssetsCount') && loaded(now),
    has('invalidCount') && strays(now),
    has('records') && t('signed.records'),
    ...SHOWN.map((name) => has(name) && fact(now, name)),
    has('corrections') && t('signed.corrections'),
  );
  return [
    t('signed.at', { facts: signed }),
    since === '' ? t('signed.same') : t('signed.since', { facts: since }),
  ];
}
