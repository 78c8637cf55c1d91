import { getTableColumns } from 'drizzle-orm';
import { columnKind, type Kind, oneOf, type Reading, type Values } from './kinds.ts';
import { EXPORTED_TABLES } from './tables.ts';

/** A value that the service never writes. */
export interface Fault {
  column: string;
  /** The rule for the value. */
  why: string;
}

interface Rule {
  column: string;
  kind: Kind | undefined;
  isNullable: boolean;
  /** Whether a row of an export may lack the column: later versions add only columns that are null or have a default. */
  isOptional: boolean;
}

const RULES = new Map<string, readonly Rule[]>(
  [...EXPORTED_TABLES].map(([name, table]) => [
    name,
    Object.values(getTableColumns(table)).map((column) => {
      const isNullable = !column.notNull && !column.primary;
      // A kind that is declared for the column goes first: its constraint may take fewer values.
      const kind = column.enumValues && !columnKind(name, column.name) ? oneOf(column.enumValues) : undefined;
      return {
        column: column.name,
        kind: kind ?? columnKind(name, column.name),
        isNullable,
        isOptional: isNullable || column.hasDefault,
      };
    }),
  ]),
);

/** The columns of a table that have no kind, as names of table and column. For a test of conventions. */
export const undeclaredColumns = (table: string): string[] =>
  RULES.get(table)!.flatMap(({ column, kind }) => (kind ? [] : [`${table}.${column}`]));

/** The first value of a row that the service never writes; undefined if all values are valid. @throws `OverBudget` */
export function rowFault(table: string, values: Values, reading: Reading): Fault | undefined {
  for (const { column, kind, isNullable, isOptional } of RULES.get(table)!) {
    const value = values[column];
    if (value === undefined && isOptional) continue;
    if (value === undefined || (value === null && !isNullable)) return { column, why: 'is missing' };
    const why = value === null ? undefined : kind ? kind.fault(value, values, reading) : 'is not known';
    if (why !== undefined) return { column, why };
  }
  return undefined;
}
