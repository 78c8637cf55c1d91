import { type SQL, sql } from 'drizzle-orm';

/** The longest external identifier of a manifest in characters. */
export const NAME_MAXIMUM = 255;
/** The maximum number of names that are tried for a back order. */
const TRIED = 20;
/** The longest number at the end of a name that is counted on. */
const DIGITS = 6;

const name = sql`m.external_identifier`;
/** The name without the number at its end, such as `ORD-5001-`, and this number. */
const head = sql`rtrim(${name}, '0123456789')`;
const number = sql`substr(${name}, length(${head}) + 1)`;
/** Whether the manifest is a back order whose number is counted on. */
const isNumbered = sql`(m.back_order_of_uuid IS NOT NULL AND ${head} GLOB '?*-' AND length(${number}) BETWEEN 1 AND ${DIGITS})`;
const stem = sql`iif(${isNumbered}, substr(${head}, 1, length(${head}) - 1), ${name})`;
const next = sql`(iif(${isNumbered}, CAST(${number} AS INTEGER) + 1, 2) + tried.value)`;
const tried = JSON.stringify(Array.from({ length: TRIED }, (_, index) => index));

/**
 * SQL: a free name for the back order of the manifest `m`. It is `ORD-5001-2` for `ORD-5001`, and `ORD-5001-3` for its
 * back order `ORD-5001-2`. NULL if the manifest needs none, or if all names that are tried are taken.
 */
export const freeName: SQL = sql`iif(m.manifest_status = 'COMPLETED' AND m.back_order_uuid IS NULL
    AND m.loaded_count < m.assets_count,
  (SELECT free FROM (SELECT substr(${stem}, 1, ${NAME_MAXIMUM - 1} - length(${next})) || '-' || ${next} AS free
      FROM json_each(${tried}) tried)
    WHERE NOT EXISTS (SELECT 1 FROM manifest other WHERE other.organization_uuid = m.organization_uuid
      AND other.external_identifier = free AND other.deleted_date IS NULL)
    LIMIT 1), NULL)`;
