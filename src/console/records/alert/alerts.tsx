import type { StoredAlert } from '../../../alert/store.ts';
import { Badge, type Column, Time, words } from '../../kit/components.tsx';
import { GateLink, To } from '../../kit/detail.tsx';

/** What a table of alerts shows. */
export const alertColumns: readonly Column<StoredAlert>[] = [
  {
    label: 'Alert',
    value: ({ uuid, alertType }) => (
      <To resource="alert" uuid={uuid}>
        {words(alertType)}
      </To>
    ),
  },
  { label: 'Status', value: ({ status }) => <Badge status={status} /> },
  { label: 'Severity', value: ({ severity }) => <Badge status={severity} /> },
  { label: 'Message', value: ({ message }) => message },
  { label: 'Gate', value: ({ gate }) => <GateLink gate={gate} /> },
  { label: 'Raised', value: ({ createDate }) => <Time at={createDate} /> },
];
