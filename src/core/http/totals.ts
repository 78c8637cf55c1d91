/**
 * How `list_total` counts the rows of a table. So the total of a list needs no walk over its rows. Lists without a
 * declaration are counted row by row: people set up their rows by hand, such as users, gates and devices.
 */
export interface ListTotal {
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
  /**
   * Whether counted rows are deleted alone, by a command or by the schedule. Other rows go with their organization. A move
   * deletes and copies rows again, so it takes the totals from its source.
   */
  deletes?: boolean;
}

/** The tables with totals. Triggers maintain them. */
export const LIST_TOTALS = {
  webhook_delivery: { owner: 'webhook_uuid', deletes: true },
  operation: { parts: ['status'], deletes: true },
  printing_batch: { owner: 'scanner_uuid', parts: ['status'], live: 'deleted_date' },
  client: { live: 'deleted_date' },
  track: {
    parts: ['status'],
    computedFrom: ['retirement', 'flagged'],
    live: 'deleted_date',
    deletes: true,
  },
  manifest: { parts: ['manifest_status'], live: 'deleted_date', deletes: true },
  shipment: { parts: ['status'], live: 'deleted_date', deletes: true },
  alert: { parts: ['status'] },
  archive_entry: { parts: ['entity_type'], live: 'deleted_date', fixed: true },
  photo: { deletes: true },
} as const satisfies Record<string, ListTotal>;

/** The name of a list with a total. */
export type ListName = keyof typeof LIST_TOTALS;

/** The triggers that maintain the totals of a table, as a migration creates them. */
export function totalTriggers(table: string, total: ListTotal): string[] {
  const { owner, parts = [], computedFrom = parts, live, fixed = false, deletes = false } = total;
  const changing = fixed ? [] : [...parts, ...(live ? [live] : [])];
  const stored = [...computedFrom, ...(live ? [live] : [])];
  const list = (row: string): string => `'${table}${owner ? `:' || ${row}.${owner}` : "'"}`;
  const part = (row: string): string => parts.map((name) => `${row}.${name}`).join(" || ':' || ") || "''";
  const path = (row: string): string => (parts.length === 0 ? `'$.""'` : `'$."' || ${part(row)} || '"'`);
  const isLive = (row: string): string => (live ? `${row}.${live} IS NULL` : 'TRUE');
  const one = (row: string): string => (live ? `(${isLive(row)})` : '1');
  const known = (row: string): string => `coalesce(parts ->> (${path(row)}), 0)`;
  const added = (count: string, where: string, updated: string): string =>
    `  INSERT INTO list_part SELECT NEW.organization_uuid, ${list('NEW')}, json_object(${part('NEW')}, ${count})\n` +
    `    WHERE ${where} ON CONFLICT DO UPDATE SET parts = json_set(parts, ${updated});\n`;
  const trigger = (event: string, when: string, body: string): string =>
    `CREATE TRIGGER ${table}_total_${event.split(' ')[0]!.toLowerCase()} AFTER ${event} ON ${table}${when} BEGIN\n${body}END;`;
  const changes = changing.map((column) =>
    column === live
      ? `(OLD.${column} IS NULL) IS NOT (NEW.${column} IS NULL)`
      : `OLD.${column} IS NOT NEW.${column}`,
  );
  const gained = `${path('NEW')}, ${known('NEW')} + ${one('NEW')}`;
  // Without a deletion, a row that changes has another part. Without parts, it has the same one.
  const stays = live && parts.length > 0 ? ` - ${one('OLD')} * (${part('OLD')} = ${part('NEW')})` : '';
  const moved =
    parts.length === 0
      ? `${gained} - ${one('OLD')}`
      : `${path('OLD')}, ${known('OLD')} - ${one('OLD')},\n      ${gained}${stays}`;
  return [
    trigger('INSERT', '', added('1', isLive('NEW'), `${path('NEW')}, ${known('NEW')} + 1`)),
    ...(changing.length === 0
      ? []
      : [
          trigger(
            `UPDATE OF ${stored.join(', ')}`,
            `\nWHEN ${changes.join('\n  OR ')}`,
            added(one('NEW'), 'TRUE', moved),
          ),
        ]),
    ...(deletes
      ? [
          trigger(
            'DELETE',
            '',
            `  UPDATE list_part SET parts = json_set(parts, ${path('OLD')}, ${known('OLD')} - 1)\n` +
              `    WHERE organization_uuid = OLD.organization_uuid AND list = ${list('OLD')}${live ? ` AND ${isLive('OLD')}` : ''};\n`,
          ),
        ]
      : []),
  ];
}
