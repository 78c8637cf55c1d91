/** How `list_total` counts the rows of a table. So the total of a list needs no walk over its rows. */
interface ListTotal {
  /** The column that divides the table into lists. Their names are `table:value`. A row never moves to another list. */
  owner?: string;
  /** The columns that divide a list into the parts that a filter by status selects. */
  parts?: readonly string[];
  /** The stored columns from which the columns of parts are computed. */
  computedFrom?: readonly string[];
  /** Rows count only while this column is NULL: the date of their deletion. */
  live?: string;
  /** Whether parts and deletion of a row never change. */
  fixed?: boolean;
}

/** The tables with totals. Triggers maintain them. The list of organizations has its own ones. */
export const LIST_TOTALS = {
  credential: { owner: 'kind', live: 'revoked_date' },
  user: { live: 'deleted_date' },
  webhook_delivery: { owner: 'webhook_uuid' },
  operation: { parts: ['status'] },
  gate: { live: 'deleted_date' },
  device: { owner: 'device_type', live: 'deleted_date' },
  calibration: {},
  printing_batch: { owner: 'scanner_uuid', parts: ['status'], live: 'deleted_date' },
  client: { live: 'deleted_date' },
  track: { parts: ['status'], computedFrom: ['retirement', 'flagged'], live: 'deleted_date' },
  manifest: { parts: ['manifest_status'], live: 'deleted_date' },
  shipment: { parts: ['status'], live: 'deleted_date' },
  alert: { parts: ['status'] },
  archive_entry: { parts: ['entity_type'], live: 'deleted_date', fixed: true },
  photo: {},
} as const satisfies Record<string, ListTotal>;

/** The name of a list with a total. */
export type ListName = keyof typeof LIST_TOTALS | 'organization';

/** The triggers that maintain the totals of a table, as a migration creates them. */
export function totalTriggers(table: string, total: ListTotal): string[] {
  const { owner, parts = [], computedFrom = parts, live, fixed = false } = total;
  const changing = fixed ? [] : [...parts, ...(live ? [live] : [])];
  const stored = [...computedFrom, ...(live ? [live] : [])];
  const counted = (row: 'OLD' | 'NEW', count: 1 | -1): string =>
    `  INSERT INTO list_total SELECT ${row}.organization_uuid, '${table}${owner ? `:' || ${row}.${owner}` : "'"}, ` +
    `${parts.map((part) => `${row}.${part}`).join(" || ':' || ") || "''"}, ${count}\n` +
    `    WHERE ${live ? `${row}.${live} IS NULL` : 'TRUE'} ON CONFLICT DO UPDATE SET total = total + excluded.total;\n`;
  const trigger = (event: string, when: string, body: string): string =>
    `CREATE TRIGGER ${table}_total_${event.split(' ')[0]!.toLowerCase()} AFTER ${event} ON ${table}${when} BEGIN\n${body}END;`;
  const changes = changing.map((column) =>
    column === live
      ? `(OLD.${column} IS NULL) IS NOT (NEW.${column} IS NULL)`
      : `OLD.${column} IS NOT NEW.${column}`,
  );
  return [
    trigger('INSERT', '', counted('NEW', 1)),
    ...(changing.length === 0
      ? []
      : [
          trigger(
            `UPDATE OF ${stored.join(', ')}`,
            `\nWHEN ${changes.join('\n  OR ')}`,
            counted('OLD', -1) + counted('NEW', 1),
          ),
        ]),
    trigger('DELETE', '', counted('OLD', -1)),
  ];
}
