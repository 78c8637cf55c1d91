import { sql } from 'drizzle-orm';
import { definiteInstant } from '../../../core/lib/date.ts';
import { smallest } from '../../../core/lib/extremes.ts';
import type { Scope, Write } from '../../../core/lib/scope.ts';
import type { ChangePart, Context } from '../../../core/writer/command.ts';
import { settledDepartures } from '../../alert/changes.ts';
import type { diffFields } from '../../custom-field/rules.ts';
import { isLoadOpen, type LoadStatus } from '../shared/status-rules.ts';
import { roleKey } from './rules.ts';

/** The key of the custom field that holds the planned departure; null if the organization plans no departures. */
const departureKey = ({ organization }: Context): string | null =>
  roleKey(organization!.shipmentCustomFields, 'PLANNED_DEPARTURE');

/** The departures of an organization are checked at this date (epoch milliseconds; 0 for now), or earlier. */
const checkedAt = ({ organization }: Scope, date: number): Write =>
  sql`INSERT INTO departure_due VALUES (${organization}, ${date}) ON CONFLICT DO UPDATE
    SET due_date = excluded.due_date WHERE excluded.due_date < departure_due.due_date`;

/** Check the departures now if one of these custom fields is the departure. */
export const checkedNow = (context: Context, fields: readonly { fieldKey: string }[]): Write[] =>
  fields.some(({ fieldKey }) => fieldKey === departureKey(context)) ? [checkedAt(context.scope, 0)] : [];

/**
 * A new status of an open shipment requests a check of the departures, because the shipment may be at risk from now on.
 * Without planned departures there is nothing to check, and the run of all jobs would cost more than the commit.
 */
export const movedStatus = (context: Context, status: LoadStatus): Pick<ChangePart, 'jobs'> =>
  isLoadOpen(status) && departureKey(context) !== null ? { jobs: true } : {};

/** The custom fields of a shipment before a change, and the difference that the change makes. */
interface ChangedFields {
  current: readonly { fieldKey: string; fieldValue: string }[];
  fields: Pick<ReturnType<typeof diffFields>, 'added' | 'updated' | 'removed'>;
  /** The open alerts about its departure. */
  alerts: readonly { uuid: string }[];
}

/**
 * The changes that follow from new values of custom fields. If the departure moves to another instant, they request a
 * check of the departures and resolve the alerts about the departure before. A shipment that is still late gets a new
 * alert from the check.
 */
export function movedDeparture(
  context: Context,
  { current, fields: { added, updated, removed }, alerts }: ChangedFields,
): ChangePart {
  const key = departureKey(context);
  const instant = (fields: ChangedFields['current']): number | undefined => {
    const field = fields.find(({ fieldKey }) => fieldKey === key);
    return field && definiteInstant(field.fieldValue);
  };
  const changed = [...added, ...updated, ...removed].some(({ fieldKey }) => fieldKey === key);
  if (!changed || instant(current) === instant([...added, ...updated])) return { writes: [], audit: [] };
  const settled = settledDepartures(context, alerts);
  return { ...settled, writes: [...settled.writes, checkedAt(context.scope, 0)], jobs: true };
}

/** Check the departures of new shipments, which have these custom fields, when the first departure is due. */
export function newDeparture(context: Context, added: ChangedFields['current']): ChangePart {
  const key = departureKey(context);
  const dates = added
    .filter(({ fieldKey }) => fieldKey === key)
    .map(({ fieldValue }) => definiteInstant(fieldValue));
  return dates.length === 0
    ? { writes: [], audit: [] }
    : { writes: [checkedAt(context.scope, smallest(dates))], audit: [], jobs: true };
}
