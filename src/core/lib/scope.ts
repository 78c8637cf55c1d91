import { getTableColumns, getTableName, type InferInsertModel, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { inRows, jsonChunks, ROWS_TABLE, render, rowsParam, rowsTable, type Statement } from './sql.ts';

/** A statement of a commit: built by a `Scope`, executed by the writer only. */
export type Write = Statement;

/** A table whose rows belong to an organization. */
export type TenantTable = SQLiteTable & { organizationUuid: SQL.Aliased | object };

/** The rows that a statement applies to: a condition, or any number of uuids. */
export type RowsFilter = SQL | { uuids: readonly string[] };

/**
 * The text of an INSERT before the values, and the text of the values. The latter is split at each default for null.
 */
interface Insertion {
  into: string;
  values: readonly string[];
}

const insertions = new WeakMap<SQLiteTable, Map<string, Insertion>>();

/** The text of an INSERT of these keys, built once. `open` lists the keys with a default for null. */
function insertionOf(table: SQLiteTable, keys: readonly string[], open: readonly string[]): Insertion {
  const ofTable = insertions.get(table) ?? new Map<string, Insertion>();
  insertions.set(table, ofTable);
  const name = `${keys}:${open}`;
  const known = ofTable.get(name);
  if (known) return known;
  const columns = getTableColumns(table);
  const names = keys.map((key) => sql.identifier(columns[key]!.name));
  const values = keys
    .map((key, at) => {
      const given = `value ->> ${at}`;
      return open.includes(key) ? `coalesce(${given}, \0)` : given;
    })
    .join(', ')
    .split('\0');
  const made = {
    into: render(
      sql`INSERT INTO ${sql.identifier(getTableName(table))} (organization_uuid, ${sql.join(names, sql`, `)})`,
    ).text,
    values,
  };
  ofTable.set(name, made);
  return made;
}

/**
 * Builds statements about the rows of one organization. It does no I/O. Every statement has the organization as a
 * parameter. D1 takes 100 parameters per statement, so lists are passed as one JSON parameter and read with
 * `json_each`.
 */
export class Scope {
  readonly organization: string;

  constructor(organization: string) {
    this.organization = organization;
  }

  /**
   * Insert any number of rows, adding the organization to each. Returns no statement if there are no rows. `otherwise`
   * gives expressions for columns that are null in a row.
   */
  insert<T extends TenantTable>(
    table: T,
    rows: Omit<InferInsertModel<T>, 'organizationUuid'>[],
    otherwise: { [K in keyof InferInsertModel<T>]?: SQL } = {},
  ): Write[] {
    const keys = Object.keys(getTableColumns(table)).filter(
      (key) => key !== 'organizationUuid' && rows.some((row) => key in row),
    );
    const open = keys.filter((key) => key in otherwise);
    const { into, values } = insertionOf(table, keys, open);
    const others = open.map((key) => render((otherwise as Record<string, SQL>)[key]!));
    const given = values.map((piece, at) => piece + (others[at]?.text ?? '')).join('');
    const text = `${into} SELECT ?, ${given} FROM ${ROWS_TABLE}`;
    const params = [this.organization, ...others.flatMap((other) => other.params)];
    return jsonChunks(rows.map((row) => keys.map((key) => (row as Record<string, unknown>)[key]))).map(
      (json) => ({ text, params: [...params, rowsParam(json)] }),
    );
  }

  /** Update rows of the organization. */
  update<T extends TenantTable>(
    table: T,
    set: { [K in keyof InferInsertModel<T>]?: InferInsertModel<T>[K] | SQL },
    rows: RowsFilter,
  ): SQL {
    const columns = getTableColumns(table) as Record<string, { name: string }>;
    const assignments = sql.join(
      Object.entries(set).map(([key, value]) => sql`${sql.identifier(columns[key]!.name)} = ${value}`),
      sql`, `,
    );
    return sql`UPDATE ${sql.identifier(getTableName(table))} SET ${assignments} WHERE ${this.#meant(rows)}`;
  }

  /**
   * Update any number of rows of the organization, each with its own values. All rows set the same columns. `computed`
   * has further columns whose values are expressions of the row.
   */
  updateEach<T extends TenantTable>(
    table: T,
    rows: ({ uuid: string } & { [K in keyof InferInsertModel<T>]?: InferInsertModel<T>[K] })[],
    computed: { [K in keyof InferInsertModel<T>]?: SQL } = {},
  ): Write[] {
    const columns = getTableColumns(table) as Record<string, { name: string }>;
    const keys = Object.keys(rows[0] ?? {}).filter((key) => key !== 'uuid');
    const assignments = sql.join(
      [
        ...keys.map(
          (key, at) => sql`${sql.identifier(columns[key]!.name)} = each.value ->> ${sql.raw(`${at + 1}`)}`,
        ),
        ...Object.entries(computed).map(
          ([key, value]) => sql`${sql.identifier(columns[key]!.name)} = ${value as SQL}`,
        ),
      ],
      sql`, `,
    );
    const given = rows.map((row) => [row.uuid, ...keys.map((key) => (row as Record<string, unknown>)[key])]);
    return jsonChunks(given).map(
      (
        json,
      ) => sql`UPDATE ${sql.identifier(getTableName(table))} SET ${assignments} FROM ${rowsTable(json)} each
        WHERE ${sql.identifier(getTableName(table))}.uuid = each.value ->> 0
          AND +organization_uuid = ${this.organization}`,
    );
  }

  /** Delete rows of the organization. */
  remove(table: TenantTable, rows: RowsFilter): SQL {
    return sql`DELETE FROM ${sql.identifier(getTableName(table))} WHERE ${this.#meant(rows)}`;
  }

  /**
   * The condition for `rows`. Rows given by uuid are found by primary key. The plus keeps SQLite from scanning all rows
   * of the organization instead.
   */
  #meant(rows: RowsFilter): SQL {
    return 'uuids' in rows
      ? sql`uuid ${inRows(JSON.stringify(rows.uuids))} AND +organization_uuid = ${this.organization}`
      : sql`organization_uuid = ${this.organization} AND ${rows}`;
  }
}
