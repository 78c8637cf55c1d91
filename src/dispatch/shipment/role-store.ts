import { type SQL, sql } from 'drizzle-orm';
import type { FieldRole } from '../../core/writer/settings.ts';

const column = (role: FieldRole, of: SQL, name: SQL): SQL => sql`(SELECT ${name} FROM organization
    CROSS JOIN json_each(organization.shipment_custom_fields) configured
    CROSS JOIN custom_field ON custom_field.organization_uuid = ${of}.organization_uuid
      AND custom_field.owner_uuid = ${of}.uuid
      AND custom_field.field_key = json_extract(configured.value, '$.fieldKey')
  WHERE organization.uuid = ${of}.organization_uuid AND json_extract(configured.value, '$.role') = ${role})`;

/**
 * The value of the custom field with a role, for the shipment in the row `of`. Null if the shipment
 * has no such field.
 */
export const roleValue = (role: FieldRole, of: SQL): SQL<string | null> =>
  column(role, of, sql`custom_field.field_value`) as SQL<string | null>;

/** Like `roleValue`, but folded for searching. */
export const foldedRole = (role: FieldRole, of: SQL): SQL<string | null> =>
  column(role, of, sql`coalesce(custom_field.folded_value, lower(custom_field.field_value))`) as SQL<
    string | null
  >;

/** Like `roleValue`, for a date: epoch milliseconds. */
export const roleDate = (role: FieldRole, of: SQL): SQL<number | null> =>
  column(role, of, sql`custom_field.field_date`) as SQL<number | null>;
