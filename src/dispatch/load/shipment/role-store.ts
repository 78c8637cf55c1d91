import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../../core/lib/scope.ts';
import type { FieldRole } from '../../../core/writer/settings.ts';

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

/** The longest value that `valuesQuery` returns, in characters. */
const VALUE_LENGTH = 100;

/**
 * The different values of a custom field, by name: at most `limit`. It jumps from value to value in the index, so it
 * reads few entries for each, however many shipments have it. Values that only the shipment `except` has, and long
 * values, are left out.
 */
export function valuesQuery(
  { organization }: Scope,
  fieldKey: string,
  limit: number,
  except?: string,
): SQL<{ value: string }> {
  const others = except === undefined ? sql`` : sql`AND owner_uuid <> ${except}`;
  const next = (after: SQL): SQL => sql`(SELECT field_value FROM custom_field
    WHERE organization_uuid = ${organization} AND field_key = ${fieldKey} ${others} ${after}
    ORDER BY field_value LIMIT 1)`;
  return sql`WITH RECURSIVE known (value) AS (
      SELECT ${next(sql``)}
      UNION ALL SELECT ${next(sql`AND field_value > known.value`)} FROM known
        WHERE known.value IS NOT NULL LIMIT ${limit})
    SELECT value FROM known WHERE value IS NOT NULL AND length(value) <= ${VALUE_LENGTH}`;
}

/** One row if anything has this value of a custom field. */
export const valueQuery = (
  { organization }: Scope,
  fieldKey: string,
  value: string,
): SQL<{ value: string }> => sql`SELECT field_value AS value FROM custom_field
  WHERE organization_uuid = ${organization} AND field_key = ${fieldKey} AND field_value = ${value}
  LIMIT 1`;
