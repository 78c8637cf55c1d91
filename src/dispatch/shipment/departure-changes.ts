import { definiteInstant } from '../../core/lib/date.ts';
import type { ChangePart, Context } from '../../core/writer/command.ts';
import { settledDepartures } from '../alert/changes.ts';
import type { diffFields } from '../custom-field/rules.ts';
import { isShipmentOpen, roleKey, type ShipmentStatus } from './rules.ts';

/** The key of the custom field that holds the planned departure; null if the organization plans no departures. */
const departureKey = ({ organization }: Context): string | null =>
  roleKey(organization!.shipmentCustomFields, 'PLANNED_DEPARTURE');

/**
 * A new status of an open shipment requests a check of the departures, because the shipment may be at risk from now on.
 * Without planned departures there is nothing to check, and the run of all jobs would cost more than the commit.
 */
export const movedStatus = (context: Context, status: ShipmentStatus): Pick<ChangePart, 'jobs'> =>
  isShipmentOpen(status) && departureKey(context) !== null ? { jobs: true } : {};

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
  return { ...settledDepartures(context, alerts), jobs: true };
}

/** Request a check of the departures if a new shipment has one of these fields as its departure. */
export const newDeparture = (context: Context, added: ChangedFields['current']): ChangePart =>
  movedDeparture(context, {
    current: [],
    fields: { added: [...added], updated: [], removed: [] },
    alerts: [],
  });
