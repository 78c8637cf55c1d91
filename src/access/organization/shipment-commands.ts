import { named } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import { type Context, command } from '../../core/writer/command.ts';
import type { FieldRole, ShipmentCustomField } from '../../core/writer/settings.ts';
import { askUpdate, updated } from './commands.ts';
import { FIELDS_MAXIMUM } from './rules.ts';

/** The custom field that a role gets, if no field has the role yet. */
const FIELDS: Record<FieldRole, Omit<ShipmentCustomField, 'role'>> = {
  PLANNED_DEPARTURE: { fieldKey: 'departure', fieldType: 'DATE_TIME' },
  CARRIER: { fieldKey: 'carrier', fieldType: 'TEXT' },
  VEHICLE: { fieldKey: 'vehicle', fieldType: 'TEXT' },
  SEAL: { fieldKey: 'seal', fieldType: 'TEXT' },
};

/**
 * Let the organization dispatch by shipment, with a custom field for each of these roles. Fields that exist stay: a
 * field that has the role, or a field with the name and type, which then gets the role.
 */
export const setUpShipments = command('setUpShipments', {
  ask: (context, _: { roles: FieldRole[] }) => askUpdate(context, { dispatchStrategy: 'SHIPMENT' }),
  decide(context, { roles }, rows) {
    const fields = roles.reduce(withRole, context.organization?.shipmentCustomFields ?? []);
    return (
      tooMany(context, fields) ??
      updated(context, { dispatchStrategy: 'SHIPMENT', shipmentCustomFields: fields }, rows)
    );
  },
});

/**
 * Let custom fields of shipments have exactly these roles. A field that loses its role keeps its values, so callers that
 * write it need not change.
 */
export const setFieldRoles = command('setFieldRoles', {
  ask: (context, _: { roles: FieldRole[] }) => askUpdate(context, {}),
  decide(context, { roles }, rows) {
    const kept = (context.organization?.shipmentCustomFields ?? []).map((field) =>
      field.role === null || roles.includes(field.role) ? field : { ...field, role: null },
    );
    const fields = roles.reduce(withRole, kept);
    return tooMany(context, fields) ?? updated(context, { shipmentCustomFields: fields }, rows);
  },
});

function tooMany({ organization }: Context, fields: readonly ShipmentCustomField[]): Refusal | undefined {
  if (!organization || fields.length <= FIELDS_MAXIMUM) return undefined;
  const name = named('Organization', organization.slug);
  return refusal(
    'customFieldLimitReached',
    `${name} has too many custom fields. Remove some: the maximum is ${FIELDS_MAXIMUM}.`,
    { facts: { maximum: FIELDS_MAXIMUM } },
  );
}

/** The fields with one more role. If a field of another type has the name, the new name gets a number. */
export function withRole(fields: readonly ShipmentCustomField[], role: FieldRole): ShipmentCustomField[] {
  if (fields.some((field) => field.role === role)) return [...fields];
  const wanted = FIELDS[role];
  const free = fields.find(
    (field) =>
      field.role === null && field.fieldKey === wanted.fieldKey && field.fieldType === wanted.fieldType,
  );
  if (free) return fields.map((field) => (field === free ? { ...field, role } : field));
  const isTaken = (key: string): boolean => fields.some(({ fieldKey }) => fieldKey === key);
  let fieldKey = wanted.fieldKey;
  for (let number = 2; isTaken(fieldKey); number += 1) fieldKey = `${wanted.fieldKey}${number}`;
  return [...fields, { ...wanted, fieldKey, role }];
}
