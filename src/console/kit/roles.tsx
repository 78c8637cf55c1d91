import type { Child, FC } from 'hono/jsx';
import { isoDate, MINUTE_MS } from '../../lib/time.ts';
import { clockIn, dayIn, formatIn } from '../../lib/zone.ts';
import type { FieldRole, OrganizationSettings } from '../../writer/settings.ts';
import { Value } from './components.tsx';

/** What a role is called where its value stands. */
const LABELS: Record<FieldRole, string> = {
  PLANNED_DEPARTURE: 'Departure',
  CARRIER: 'Carrier',
  VEHICLE: 'Vehicle',
  SEAL: 'Seal',
};

type Settings = Pick<OrganizationSettings, 'shipmentCustomFields' | 'timeZone'>;

interface WithFields {
  status: string;
  fields: readonly { fieldKey: string; fieldValue: string }[];
}

/** The roles that an organization's fields have, of these, each with how a shipment's value of it is shown. */
export function rolesOf(
  { shipmentCustomFields, timeZone }: Settings,
  roles: readonly FieldRole[] = Object.keys(LABELS) as FieldRole[],
): { label: string; value(of: WithFields): Child }[] {
  return roles.flatMap((role) => {
    const key = shipmentCustomFields.find((field) => field.role === role)?.fieldKey;
    if (key === undefined) return [];
    const value = ({ status, fields }: WithFields): Child => {
      const found = fields.find(({ fieldKey }) => fieldKey === key)?.fieldValue;
      if (role !== 'PLANNED_DEPARTURE' || found === undefined) return <Value of={found} />;
      return <DepartureTime at={Date.parse(found)} open={isOpen(status)} zone={timeZone} written={found} />;
    };
    return [{ label: LABELS[role], value }];
  });
}

/** When a shipment is to leave, by its fields; null where nothing says so. */
export function departureOf(
  { shipmentCustomFields }: Pick<Settings, 'shipmentCustomFields'>,
  fields: WithFields['fields'],
): number | null {
  const key = shipmentCustomFields.find(({ role }) => role === 'PLANNED_DEPARTURE')?.fieldKey;
  const at = Date.parse(fields.find(({ fieldKey }) => fieldKey === key)?.fieldValue ?? '');
  return Number.isNaN(at) ? null : at;
}

const isOpen = (status: string): boolean => status === 'TO_DO' || status === 'IN_PROGRESS';

/** A planned departure as it was written, in the site's day and clock; late while the shipment has not left. */
const DepartureTime: FC<{ at: number; open: boolean; zone: string; written: string }> = ({
  at,
  open,
  zone,
  written,
}) => {
  // A value from before the field was a date.
  if (Number.isNaN(at)) return <Value of={written} />;
  return open ? (
    <Departure at={at} zone={zone} />
  ) : (
    <time datetime={isoDate(at)} data-site>
      {formatIn(zone, 'en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(at)}
    </time>
  );
};

/**
 * When something that has not left is to leave: the clock of the site, with its day where that is another one, and how far
 * away that is, which the script of every page keeps true.
 */
export const Departure: FC<{ at: number; zone: string }> = ({ at, zone }) => {
  const now = Date.now();
  const isToday = dayIn(zone, at) === dayIn(zone, now);
  return (
    <span class="departure" data-departs={at}>
      <time datetime={isoDate(at)} data-site>
        {isToday
          ? clockIn(zone, at)
          : formatIn(zone, 'en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(at)}
      </time>{' '}
      <small class={at < now ? 'late' : ''}>
        {at < now ? `${distance(now - at)} late` : `in ${distance(at - now)}`}
      </small>
    </span>
  );
};

/** How long until or since, in words: `42 min`, `1 h 5`, `3 days`. */
export function distance(milliseconds: number): string {
  const minutes = Math.round(Math.abs(milliseconds) / MINUTE_MS);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours >= 48) return `${Math.round(hours / 24)} days`;
  return hours === 0 ? `${rest} min` : `${hours} h${rest === 0 ? '' : ` ${rest}`}`;
}
