import type { Child, FC } from 'hono/jsx';
import type { Plain } from '../../../core/lib/csv.ts';
import { definiteInstant } from '../../../core/lib/date.ts';
import { isoDate } from '../../../core/lib/time.ts';
import { clockIn, dayIn } from '../../../core/lib/zone.ts';
import type { FieldRole, OrganizationSettings } from '../../../core/writer/settings.ts';
import { isLoadOpen, type LoadStatus } from '../../../dispatch/load/shared/status-rules.ts';
import { roleKey } from '../../../dispatch/load/shipment/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { whenIn } from '../../../messages/duration.ts';
import type { Words } from '../../../messages/words.ts';
import { OptionalText } from './components.tsx';

/** The roles, in the order in which their values are shown. */
export const ROLES: readonly FieldRole[] = ['PLANNED_DEPARTURE', 'CARRIER', 'VEHICLE', 'SEAL'];

type Settings = Pick<OrganizationSettings, 'shipmentCustomFields' | 'timeZone'>;

interface WithFields {
  status: LoadStatus;
  fields: readonly { fieldKey: string; fieldValue: string }[];
}

/**
 * The given roles, if a custom field of the organization has them. Each can show its value in a
 * shipment.
 */
export function rolesOf(
  { t }: Words,
  { shipmentCustomFields, timeZone }: Settings,
  roles: readonly FieldRole[] = ROLES,
): { role: FieldRole; label: string; value(of: WithFields): Child; plain(of: WithFields): Plain }[] {
  return roles.flatMap((role) => {
    const key = roleKey(shipmentCustomFields, role);
    if (key === null) return [];
    const of = ({ fields }: WithFields) => fields.find(({ fieldKey }) => fieldKey === key)?.fieldValue;
    const value = (holder: WithFields): Child => {
      const found = of(holder);
      const { status } = holder;
      if (role !== 'PLANNED_DEPARTURE' || found === undefined) return <OptionalText of={found} />;
      return (
        <DepartureTime
          at={definiteInstant(found)}
          open={isLoadOpen(status)}
          zone={timeZone}
          written={found}
        />
      );
    };
    const plain = (holder: WithFields): Plain => {
      const found = of(holder) ?? null;
      const date = role === 'PLANNED_DEPARTURE' && found !== null ? new Date(definiteInstant(found)) : null;
      return date === null || Number.isNaN(date.getTime()) ? found : date;
    };
    return [{ role, label: t(`role.${role}`), value, plain }];
  });
}

/** The planned departure from a shipment's custom fields; null without one. */
export function departureOf(
  { shipmentCustomFields }: Pick<Settings, 'shipmentCustomFields'>,
  fields: WithFields['fields'],
): number | null {
  const key = roleKey(shipmentCustomFields, 'PLANNED_DEPARTURE');
  const at = definiteInstant(fields.find(({ fieldKey }) => fieldKey === key)?.fieldValue ?? '');
  return Number.isNaN(at) ? null : at;
}

/**
 * A planned departure in the time zone of the site. It is late if the shipment is still open after
 * that time.
 */
export const DepartureTime: FC<{ at: number; open: boolean; zone: string; written: string }> = ({
  at,
  open,
  zone,
  written,
}) => {
  // The value is from before the field became a date.
  if (Number.isNaN(at)) return <OptionalText of={written} />;
  return open ? <DepartureClock at={at} zone={zone} /> : <ClockTime at={at} zone={zone} />;
};

/** A time of day in the time zone of the site, with the day if it is not today. */
const ClockTime: FC<{ at: number; zone: string }> = ({ at, zone }) => {
  const words = useWords();
  const isToday = dayIn(zone, at) === dayIn(zone, Date.now());
  return <time datetime={isoDate(at)}>{isToday ? clockIn(zone, at) : words.time(zone, at)}</time>;
};

/**
 * The planned departure of an open load: time in the time zone of the site, with its day if it is
 * not today, and the remaining time. A script keeps the remaining time up to date.
 */
export const DepartureClock: FC<{ at: number; zone: string }> = ({ at, zone }) => {
  const now = Date.now();
  const words = useWords();
  return (
    <span class="departure" data-departs={at}>
      <ClockTime at={at} zone={zone} />{' '}
      <small class={at < now ? 'late' : ''}>
        {whenIn(words, at < now ? 'when.late' : 'when.in', at - now)}
      </small>
    </span>
  );
};
