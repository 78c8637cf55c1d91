import type { StoredAlert } from '../../../alert/store.ts';
import { words } from '../../kit/components.tsx';
import { GatePlate, gatePlain, To } from '../../kit/detail.tsx';
import { type Column, instant } from '../../kit/rows.tsx';
import { WithTimes } from '../../kit/time.tsx';

/** What a table of alerts shows. */
export const alertColumns: readonly Column<StoredAlert, 'createDate' | 'resolvedDate'>[] = [
  {
    label: 'Alert',
    value: ({ uuid, alertType }) => (
      <To resource="alert" uuid={uuid}>
        {words(alertType)}
      </To>
    ),
    plain: ({ alertType }) => words(alertType),
  },
  { label: 'Gate', value: ({ gate }) => <GatePlate gate={gate} />, plain: gatePlain, narrow: 'head' },
  { label: 'State', status: ({ status }) => status, narrow: 'evident' },
  { status: ({ severity }) => severity, narrow: 'evident', label: 'Severity' },
  {
    label: 'Message',
    value: ({ message }) => <WithTimes text={message} />,
    plain: ({ message }) => message,
    narrow: 'wide',
  },
  { label: 'Raised', sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
];
