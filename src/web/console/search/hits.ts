import { type SQL, sql } from 'drizzle-orm';
import { contains } from '../../../core/http/list-statements.ts';
import type { Database } from '../../../core/lib/database.ts';
import type { Scope } from '../../../core/lib/scope.ts';
import { inList } from '../../../core/lib/sql.ts';
import { palletsMeant } from '../../../pallet/identifier.ts';
import type { Hit, Kind, WantedHit } from './kinds.ts';

/**
 * A part of an identifier is searched in this many of the latest rows of a kind. Whole identifiers are
 * searched in all rows.
 */
export const LATEST = 20_000;
/** How many things of a kind are shown. */
export const SHOWN = 8;
/**
 * A value is searched in this many keys of custom fields, the first ones by name. An organization with more
 * keys uses keys as values.
 */
const KEYS_MAXIMUM = 100;
/** For this many fields with the value, the search reads the things that have them. */
const FIELDS_MAXIMUM = 500;

/** A result with the custom field that it was found by. */
export interface FieldHit extends Hit {
  field: string;
}

/** Things with this identifier, by kind. Index look-ups in one round trip. */
export async function findNamed(
  database: Database,
  kinds: readonly Kind[],
  wanted: WantedHit,
): Promise<Hit[]> {
  const asked = kinds.flatMap((kind) =>
    kind
      .named(wanted, database.organization)
      .filter((named) => named !== undefined)
      .map((named) => hitsOf(kind, named)),
  );
  const { markers } = wanted.pallets;
  const found = await database.send([
    ...asked,
    ...(markers.length > 0 ? [freeMarkersOf(database, markers)] : []),
  ]);
  return meantHits(wanted, once(found.flatMap(({ rows }) => rows)));
}

/** The hits without pallets that only resemble the text. A live pallet beats retired ones. */
function meantHits({ reading }: WantedHit, hits: readonly Hit[]): Hit[] {
  const pallets = hits
    .filter(({ resource }) => resource === 'track')
    .map((hit) => ({ hit, wmsId: hit.name, markerCode: Number(hit.note) }));
  const live = pallets.filter(({ hit }) => hit.state !== 'NOT_ACTIVE');
  const meant = [live, pallets]
    .map((some) => palletsMeant(reading, some))
    .find((one) => one.pallets.length > 0);
  const kept = new Set(meant?.pallets.map(({ hit }) => hit));
  return hits.filter((hit) => hit.resource !== 'track' || kept.has(hit));
}

/**
 * The results if nothing has exactly this identifier. Each kind has one more than is shown, if there are
 * more.
 */
interface Parts {
  /** Things with the text in an identifier, by kind. */
  parts: Hit[][];
  /** Things with a custom field of this value. */
  fielded: FieldHit[];
}

/** Read things with the text in an identifier, or as the value of a custom field. One round trip. */
export async function findParts(
  database: Database,
  kinds: readonly Kind[],
  { text }: WantedHit,
): Promise<Parts> {
  const withFields = kinds.filter(({ hasFields }) => hasFields);
  const found = await database.send<Hit>([
    ...kinds.map((kind) => partsOf(database, kind, text)),
    ...withFields.map((kind) => fieldedOf(database, kind, text)),
  ]);
  const rows = found.map((result) => result.rows);
  const parts = rows.slice(0, kinds.length);
  const known = new Set(parts.flat().map(({ uuid }) => uuid));
  const fielded = once((rows.slice(kinds.length) as FieldHit[][]).flat());
  return { parts, fielded: fielded.filter(({ uuid }) => !known.has(uuid)) };
}

/** The fewest characters that the command palette searches for. */
export const QUICK_MINIMUM = 2;

/** Things with the text in an identifier, while the user is typing. One round trip. */
export async function findQuick(database: Database, kinds: readonly Kind[], text: string): Promise<Hit[]> {
  const found = await database.send<Hit>(kinds.map((kind) => partsOf(database, kind, text)));
  return found.flatMap(({ rows }) => rows.slice(0, SHOWN));
}

/** Each thing once, with its first result. */
const once = <H extends Hit>(hits: readonly H[]): H[] =>
  hits.filter(({ uuid }, index) => hits.findIndex((other) => other.uuid === uuid) === index);

const hitsOf = (kind: Kind, named: SQL): SQL<Hit> => sql`SELECT ${kind.columns}
  FROM ${sql.identifier(kind.table)} WHERE ${named} AND ${kind.live} LIMIT ${SHOWN + 1}`;

/** The allocated marker codes without a pallet. With a pallet, a code finds the pallet. */
const freeMarkersOf = ({ organization }: Scope, markers: readonly number[]): SQL<Hit> => sql`SELECT
    'marker-code' AS resource, CAST(code.value AS TEXT) AS uuid, CAST(code.value AS TEXT) AS name, NULL AS state, NULL AS note,
    NULL AS departs
  FROM json_each(${JSON.stringify(markers)}) AS code
  WHERE code.value <= (SELECT last_marker_code FROM marker_allocation
      WHERE organization_uuid = ${organization} AND first_marker_code <= code.value
      ORDER BY first_marker_code DESC LIMIT 1)
    AND NOT EXISTS (SELECT 1 FROM track WHERE organization_uuid = ${organization} AND marker_code = code.value
      AND deleted_date IS NULL)`;

const partsOf = ({ organization }: Scope, kind: Kind, text: string): SQL<Hit> => {
  const table = sql.identifier(kind.table);
  const rows =
    kind.rows?.(organization) ??
    sql`SELECT * FROM ${table} WHERE organization_uuid = ${organization} AND ${kind.live}
      ORDER BY ${kind.date ?? sql`create_date`} DESC`;
  return sql`SELECT ${kind.columns} FROM (${rows} LIMIT ${LATEST}) AS ${table}
    WHERE ${contains(kind.texts, text)} ${kind.rows ? sql`AND ${kind.live}` : sql``} LIMIT ${SHOWN + 1}`;
};

/** Spellings of a typed value in upper and lower case, because the index has values as they are stored. */
const spellings = (text: string): string[] => {
  const small = text.toLowerCase();
  return [...new Set([text, small, text.toUpperCase(), small.charAt(0).toUpperCase() + small.slice(1)])];
};

/**
 * Walk the index of values. Its first column is the key, so jump from key to key and look up the value in
 * each.
 */
const fieldedOf = ({ organization }: Scope, kind: Kind, text: string): SQL<FieldHit> => {
  const key = (after: SQL): SQL => sql`(SELECT field_key FROM custom_field
    WHERE organization_uuid = ${organization} ${after} ORDER BY field_key LIMIT 1)`;
  return sql`SELECT ${kind.columns}, field FROM (WITH RECURSIVE known (field_key) AS (
        SELECT ${key(sql``)}
        UNION ALL SELECT ${key(sql`AND field_key > known.field_key`)} FROM known
          WHERE known.field_key IS NOT NULL LIMIT ${KEYS_MAXIMUM})
      SELECT owner_uuid, c.field_key || ': ' || field_value AS field
      FROM known CROSS JOIN custom_field c ON c.organization_uuid = ${organization}
        AND c.field_key = known.field_key AND field_value ${inList(spellings(text))} LIMIT ${FIELDS_MAXIMUM})
    CROSS JOIN ${sql.identifier(kind.table)} ON ${sql.identifier(kind.table)}.uuid = owner_uuid
      AND organization_uuid = ${organization} AND ${kind.live}
    LIMIT ${SHOWN + 1}`;
};
