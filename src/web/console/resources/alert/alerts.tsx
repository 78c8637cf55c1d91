import {
  type AlertFacts,
  type AlertType,
  alertMessage,
  type StillAboard,
} from '../../../../dispatch/alert/rules.ts';
import type { StoredAlert } from '../../../../dispatch/alert/store.ts';
import type { Words } from '../../../../messages/words.ts';
import { GatePlate, gatePlain } from '../../../ui/list/gates.tsx';
import { type Column, instant } from '../../../ui/list/rows.tsx';
import { ResourceLink } from '../../../ui/page/resource.tsx';
import { WithPallets } from '../../../ui/parts/badges.tsx';

export const alertTypeIn = ({ t }: Words, type: AlertType): string => t(`alertType.${type}`);

/** An alert as a sentence in the language of the page. An open one names the pallets that are aboard now. */
export function messageIn(
  words: Words,
  zone: string,
  { stillAboard, ...alert }: AlertFacts & { stillAboard: StillAboard | null },
): string {
  const shown = stillAboard ? { ...alert, params: stillAboard } : alert;
  return alertMessage(words, shown, (date) => words.time(zone, date));
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
