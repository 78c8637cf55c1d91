import type { StoredAlert } from '../../../../dispatch/alert/store.ts';
import type { ALERT_TYPES } from '../../../../dispatch/alert/table.ts';
import type { Words } from '../../../../messages/words.ts';
import { GatePlate, gatePlain } from '../../kit/gates.tsx';
import { ResourceLink } from '../../kit/resource.tsx';
import { type Column, instant } from '../../kit/rows.tsx';
import { WithTimes } from '../../kit/time.tsx';

export const alertTypeIn = ({ t }: Words, type: (typeof ALERT_TYPES)[number]): string =>
  t(`alertType.${type}`);

/** Dates as stored messages have them. */
export const MESSAGE_DATES = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** The text of an alert about a load, from the name, dates and numbers of the stored text. */
function loadMessageIn({ t }: Words, alertType: string, message: string): string | undefined {
  const [start, name] = /^\w+ ("(?:[^"\\]|\\.)*")/.exec(message) ?? [];
  if (start === undefined || name === undefined) return undefined;
  const rest = message.slice(start.length);
  const [planned, ready] = rest.match(MESSAGE_DATES) ?? [];
  const [missing, total] = rest.match(/\d+/g) ?? [];
  if (alertType === 'COMPLETED_SHORT' && missing && total)
    return t('alert.short', { load: name, missing, total });
  if (alertType === 'DEPARTURE_LATE' && planned) return t('alert.late', { shipment: name, planned });
  if (alertType === 'DEPARTURE_AT_RISK' && planned && ready)
    return t('alert.atRisk', { shipment: name, planned, ready });
  return undefined;
}

/**
 * The text of an alert. If it is about a load, or about a pallet or tablet at a gate, it is in the language of the
 * page. Otherwise it is the stored text.
 */
export function messageIn(
  words: Words,
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
  const { t } = words;
  const aboutLoad = loadMessageIn(words, alertType, message);
  if (aboutLoad !== undefined) return aboutLoad;
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
