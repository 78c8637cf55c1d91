import { type SQL, sql } from 'drizzle-orm';
import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { deepLink } from '../../core/http/link.ts';
import { type Bounded, bounded, type Extent, itemsOf } from '../../core/lib/bounded.ts';
import type { FieldChange } from '../../core/lib/changes.ts';
import type { Json } from '../../core/lib/json.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { inList, jsonChunks } from '../../core/lib/sql.ts';
import { foldedBeyondAscii } from '../../core/lib/text.ts';
import type { FieldRole } from '../../core/writer/settings.ts';
import { CUSTOM_FIELDS_MAXIMUM, type diffFields, readingsOf, type StoredField } from './rules.ts';

/** A key and value on a manifest, shipment or track. The rowid is the order of creation. */
export const customField = sqliteTable(
  'custom_field',
  {
    organizationUuid: text('organization_uuid').notNull(),
    ownerUuid: text('owner_uuid').notNull(),
    fieldKey: text('field_key').notNull(),
    fieldValue: text('field_value').notNull(),
    /** Null if `lower()` gives the same text. */
    foldedValue: text('folded_value'),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.ownerUuid, table.fieldKey] })],
);

/** All fields that an owner may have, even if every character is escaped. */
export const EVERY_FIELD: Extent = { items: CUSTOM_FIELDS_MAXIMUM, bytes: 400_000 };

/** JSON of an owner's fields (`Bounded`), in the order of creation. */
export const fieldsView = (organization: SQL, owner: SQL, extent = EVERY_FIELD) =>
  bounded(
    sql<{
      item: Json<StoredField>;
    }>`SELECT json_object('fieldKey', field_key, 'fieldValue', field_value) AS item FROM custom_field
      WHERE organization_uuid = ${organization} AND owner_uuid = ${owner} ORDER BY custom_field.rowid`,
    extent,
  );

/** The fields of an owner. */
export const fieldsQuery = (database: Scope, owner: SQL): SQL<StoredField> => sql`SELECT
  field_key AS "fieldKey", field_value AS "fieldValue" FROM custom_field
  WHERE organization_uuid = ${database.organization} AND owner_uuid = ${owner} ORDER BY rowid`;

/** `IN (…)` over the owners that match all of these filters `key:value`. The filters are one parameter. */
export function ownersOf(organization: string, filters: readonly string[]): SQL {
  const unique = [...new Set(filters)];
  const wanted = unique.flatMap((filter, index) =>
    readingsOf(filter).map(([key, value]) => JSON.stringify([key, value, index])),
  );
  return sql`IN (SELECT owner_uuid FROM json_each(${`[${wanted.join()}]`}) wanted CROSS JOIN custom_field
    ON organization_uuid = ${organization} AND field_key = json_extract(wanted.value, '$[0]')
      AND field_value = json_extract(wanted.value, '$[1]')
    GROUP BY owner_uuid HAVING count(DISTINCT json_extract(wanted.value, '$[2]')) = ${unique.length})`;
}

const insertFields = (database: Scope, ownerUuid: string, fields: readonly StoredField[]): Write[] =>
  insertFieldsOf(
    database,
    fields.map((field) => ({ ownerUuid, ...field })),
  );

/** Insert the fields of several owners. */
export function insertFieldsOf(
  database: Scope,
  fields: readonly (StoredField & { ownerUuid: string })[],
): Write[] {
  return database.insert(
    customField,
    fields.map((field) => ({ ...field, foldedValue: foldedBeyondAscii(field.fieldValue) })),
  );
}

/** Apply the difference from `diffFields`. */
export function writeFields(
  database: Scope,
  ownerUuid: string,
  diff: ReturnType<typeof diffFields>,
): Write[] {
  const removed = diff.removed.map((field) => field.fieldKey);
  return [
    ...(removed.length > 0
      ? [database.remove(customField, sql`owner_uuid = ${ownerUuid} AND field_key ${inList(removed)}`)]
      : []),
    ...diff.updated.map(({ fieldKey, fieldValue }) =>
      database.update(
        customField,
        { fieldValue, foldedValue: foldedBeyondAscii(fieldValue) },
        sql`owner_uuid = ${ownerUuid} AND field_key = ${fieldKey}`,
      ),
    ),
    ...insertFields(database, ownerUuid, diff.added),
  ];
}

/** Set fields of many owners, key by key. Null removes a field. */
export function writeFieldsOf(
  database: Scope,
  owners: readonly { ownerUuid: string; fields: [fieldKey: string, fieldValue: string | null][] }[],
): Write[] {
  const rows = owners.map(({ ownerUuid, fields }) => [
    ownerUuid,
    fields.map(([key, value]) => [key, value, value && foldedBeyondAscii(value)]),
  ]);
  const source = (json: string): SQL => sql`FROM json_each(${json}) owner
    CROSS JOIN json_each(owner.value, '$[1]') field`;
  const [ownerUuid, key, value, folded] = [
    sql`json_extract(owner.value, '$[0]')`,
    sql`json_extract(field.value, '$[0]')`,
    sql`json_extract(field.value, '$[1]')`,
    sql`json_extract(field.value, '$[2]')`,
  ];
  return jsonChunks(rows).flatMap((json) => [
    sql`DELETE FROM custom_field WHERE organization_uuid = ${database.organization}
      AND (owner_uuid, field_key) IN (SELECT ${ownerUuid}, ${key} ${source(json)} WHERE ${value} IS NULL)`,
    sql`INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value, folded_value)
      SELECT ${database.organization}, ${ownerUuid}, ${key}, ${value}, ${folded} ${source(json)} WHERE ${value} IS NOT NULL
      ORDER BY owner.key, field.key
      ON CONFLICT (organization_uuid, owner_uuid, field_key) DO UPDATE
        SET field_value = excluded.field_value, folded_value = excluded.folded_value`,
  ]);
}

/** The audited changes of a difference. */
export function auditFields(
  current: readonly StoredField[],
  diff: ReturnType<typeof diffFields>,
): FieldChange[] {
  const before = new Map(current.map((field) => [field.fieldKey, field.fieldValue]));
  return [...diff.added, ...diff.updated, ...diff.removed].map(({ fieldKey, fieldValue }) => ({
    field: `customFields.${fieldKey}`,
    oldValue: before.get(fieldKey) ?? null,
    newValue: diff.removed.some((field) => field.fieldKey === fieldKey) ? null : fieldValue,
  }));
}

/** An owner's fields as the API shows them. */
export function presentFields(
  links: string,
  resource: string,
  ownerUuid: string,
  fields: Bounded<StoredField>,
) {
  return itemsOf(fields).map((field) => ({ ...field, deepLink: deepLink(links, resource, ownerUuid) }));
}

/**
 * SQL: the value of the custom field with a role, for the shipment `p`; NULL without one. For a date, `column` is
 * `field_date`. After completion, the fields keep the roles that they had then. So a role that is given later changes no
 * proof.
 */
export const factOf = (role: FieldRole, column: 'field_value' | 'field_date' = 'field_value'): SQL =>
  sql`(SELECT ${sql.raw(column)} FROM custom_field
    WHERE custom_field.organization_uuid = p.organization_uuid AND custom_field.owner_uuid = p.uuid
      AND custom_field.field_key = iif(p.proof_names IS NOT NULL, p.proof_names ->> ${`$.fields.${role}`},
        (SELECT value ->> 'fieldKey' FROM organization CROSS JOIN json_each(organization.shipment_custom_fields)
          WHERE organization.uuid = p.organization_uuid AND value ->> 'role' = ${role})))`;
