import type { StoredAlert } from '../../../../dispatch/alert/store.ts';
import type { ALERT_TYPES } from '../../../../dispatch/alert/table.ts';
import type { Words } from '../../../../messages/words.ts';
import { GatePlate, gatePlain } from '../../kit/gates.tsx';
import { ResourceLink } from '../../kit/resource.tsx';
import { type Column, instant } from '../../kit/rows.tsx';
import { WithTimes } from '../../kit/time.tsx';

export const alertTypeIn = ({ t }: Words, type: (typeof ALERT_TYPES)[number]): string =>
  t(`alertType.${type}`);

/**
 * The text of an alert. If it is about a pallet or tablet at a gate, it is in the language of the
 * page. Otherwise it is the stored text.
 */
export function messageIn(
  { t }: Words,
  {
    alertType,
    gate,
    trackIdentifier,
    markerCode,
    message,
  }: Pick<StoredAlert, 'trackIdentifier' | 'markerCode' | 'message'> & {
    alertType: string;
    gate: { name: string } | null;
  },
): string {
  if (gate === null) return message;
  if (alertType === 'SIGN_IN_LIMIT_REACHED') return t('alert.guessed', { gate: gate.name });
  const pallet =
    trackIdentifier === null
      ? t('alert.unknownMarker', { code: String(markerCode ?? '?') })
      : t('gate.pallet', { pallet: trackIdentifier });
  if (alertType === 'SCAN_WITHOUT_ACTIVE_MANIFEST') return t('alert.unattended', { pallet, gate: gate.name });
  if (alertType === 'WRONGLY_LOADED' || alertType === 'UNKNOWN_LOADING')
    return t('alert.stray', { pallet, gate: gate.name });
  return message;
}

export const alertColumns = (words: Words): readonly Column<StoredAlert, 'createDate' | 'resolvedDate'>[] => [
  {
    label: words.t('alert.one'),
    value: ({ uuid, alertType }) => (
      <ResourceLink resource="alert" uuid={uuid}>
        {alertTypeIn(words, alertType)}
      </ResourceLink>
    ),
    plain: ({ alertType }) => alertTypeIn(words, alertType),
  },
  {
    label: words.t('alert.gate'),
    value: ({ gate }) => <GatePlate gate={gate} />,
    plain: gatePlain,
    narrow: 'head',
  },
  { label: words.t('alert.state'), status: ({ status }) => status, narrow: 'evident' },
  { status: ({ severity }) => severity, narrow: 'evident', label: words.t('alert.severity') },
  {
    label: words.t('alert.message'),
    value: (alert) => <WithTimes text={messageIn(words, alert)} />,
    plain: (alert) => messageIn(words, alert),
    narrow: 'wide',
  },
  { label: words.t('alert.raised'), sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
];
