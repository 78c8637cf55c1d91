import { type AlertTexts, textOf } from '../../../../dispatch/alert/message-rules.ts';
import type { StillAboard } from '../../../../dispatch/alert/pallet-rules.ts';
import type { StoredAlert } from '../../../../dispatch/alert/store.ts';
import type { ALERT_TYPES } from '../../../../dispatch/alert/table.ts';
import type { Words } from '../../../../messages/words.ts';
import { WithPallets } from '../../kit/badges.tsx';
import { GatePlate, gatePlain } from '../../kit/gates.tsx';
import { ResourceLink } from '../../kit/resource.tsx';
import { type Column, instant } from '../../kit/rows.tsx';

export const alertTypeIn = ({ t }: Words, type: (typeof ALERT_TYPES)[number]): string =>
  t(`alertType.${type}`);

/** A name without the quotes of the stored text (see `quoted`). */
const bare = (load: string): string => load.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');

/** The text about pallets that are still aboard a load, with the first of their WMS ids. */
function aboardIn({ t, list }: Words, load: string, { count, wmsIds }: StillAboard): string {
  const more = count - wmsIds.length;
  const pallets = list([...wmsIds, ...(more > 0 ? [t('alert.moreNamed', { count: more })] : [])]);
  return t('alert.aboard', { load, count, pallets, named: wmsIds.length > 0 ? 'yes' : 'no' });
}

/** The texts of alerts with facts, in the language of the page. An open alert names the pallets that are aboard now. */
const textsIn = (words: Words, stillAboard: StillAboard | null): AlertTexts => {
  const { t } = words;
  return {
    DEPARTURE_LATE: ({ load, plannedDate }, time) =>
      t('alert.late', { shipment: bare(load), planned: time(plannedDate) }),
    DEPARTURE_AT_RISK: ({ load, plannedDate, readyDate }, time) =>
      t('alert.atRisk', { shipment: bare(load), planned: time(plannedDate), ready: time(readyDate) }),
    COMPLETED_SHORT: ({ load, missing, total }) => t('alert.short', { load: bare(load), missing, total }),
    DEVICE_OFFLINE: ({ device, heardDate }, time) => t('alert.silent', { device, time: time(heardDate) }),
    PALLETS_ABOARD: ({ load, count, pallets }) =>
      aboardIn(words, bare(load), stillAboard ?? { count, wmsIds: pallets.map(bare) }),
  };
};

/** The parts of an alert that its text needs. */
export interface ToldAlert
  extends Pick<StoredAlert, 'trackIdentifier' | 'markerCode' | 'message' | 'count' | 'stillAboard'> {
  alertType: string;
  gate: { name: string } | null;
}

/**
 * The text of an alert. If it is about a load, a device, or a pallet or tablet at a gate, it is in the language of the
 * page. Otherwise it is the stored text. Times are in the zone of the site.
 */
export function messageIn(words: Words, zone: string, alert: ToldAlert): string {
  const { t } = words;
  const { alertType, gate, trackIdentifier, markerCode, message, count, stillAboard } = alert;
  const text = textOf(textsIn(words, stillAboard), alert, (date) => words.time(zone, date));
  if (text !== undefined) return text;
  if (gate === null) return message;
  if (alertType === 'SIGN_IN_LIMIT_REACHED') return t('alert.guessed', { gate: gate.name });
  if (alertType === 'SCAN_WITHOUT_ACTIVE_MANIFEST' && count > 1)
    return t('alert.unattendedCount', { gate: gate.name, count });
  const pallet =
    trackIdentifier === null
      ? t('alert.unknownMarker', { code: String(markerCode ?? '?') })
      : t('gate.pallet', { pallet: trackIdentifier });
  if (alertType === 'SCAN_WITHOUT_ACTIVE_MANIFEST') return t('alert.unattended', { pallet, gate: gate.name });
  if (alertType === 'WRONGLY_LOADED' || alertType === 'UNKNOWN_LOADING')
    return t('alert.stray', { pallet, gate: gate.name });
  return message;
}

export const alertColumns = (
  words: Words,
  zone: string,
): readonly Column<StoredAlert, 'createDate' | 'resolvedDate'>[] => [
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
    value: (alert) => <WithPallets text={messageIn(words, zone, alert)} />,
    plain: (alert) => messageIn(words, zone, alert),
    narrow: 'wide',
  },
  { label: words.t('alert.raised'), sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
];
