import type { DatabaseSync } from 'node:sqlite';

const HEADER = `-- The schema that the migrations create. Generated, do not edit: npm run test:unit -- test/unit/conventions/migrations -u
-- Comments are in the migrations and in the table.ts of each folder.`;

/** The schema of a database as SQL: tables by name with their indexes and triggers, then views. Comments are left out. */
export function schemaText(database: DatabaseSync): string {
  const objects = database
    .prepare(
      `SELECT type, name, tbl_name AS owner, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name`,
    )
    .all() as { type: string; name: string; owner: string; sql: string }[];
  const owners = objects.filter(({ type }) => type === 'table' || type === 'view');
  const blocks = owners.map(({ name }) =>
    objects
      .filter(({ owner }) => owner === name)
      // The table or view comes before its indexes and triggers.
      .sort((a, b) => Number(b.name === name) - Number(a.name === name))
      .map(statement)
      .join('\n'),
  );
  return `${[HEADER, ...blocks].join('\n\n')}\n`;
}

function statement({ type, sql }: { type: string; sql: string }): string {
  const bare = sql.replace(/\s*--.*$/gm, '').trim();
  const line = bare.replace(/\s+/g, ' ');
  if (type === 'table') return `${table(line)};`;
  return `${type === 'index' ? line : bare.replace(/\n\s*\n/g, '\n')};`;
}

/** A CREATE TABLE statement with one column or constraint per line. Added columns are at the end, as SQLite keeps them. */
function table(line: string): string {
  const [begin, end] = [line.indexOf('('), line.lastIndexOf(')')];
  const items: string[] = [''];
  let depth = 0;
  for (const [part] of line.slice(begin + 1, end).matchAll(/'[^']*'|[(),]|[^'(),]+/g)) {
    if (part === '(') depth += 1;
    if (part === ')') depth -= 1;
    if (part === ',' && depth === 0) items.push('');
    else items[items.length - 1] += part;
  }
  const body = items.map((item) => `  ${item.trim()}`).join(',\n');
  return `${line.slice(0, begin)}(\n${body}\n${line.slice(end)}`;
}
