import { sql } from 'drizzle-orm';
import { NO_ORGANIZATION } from '../lib/id.ts';
import { parseJson } from '../lib/json.ts';
import { refusal } from '../lib/problem.ts';
import { auditing } from '../writer/audited.ts';
import { command, unchanged } from '../writer/command.ts';
import { databaseQuery, databaseView, type StoredDatabase } from './store.ts';

/** Open or close a database for organizations to come. Runs in the operator's own log. */
export const updateDatabase = command('updateDatabase', {
  ask: ({ scope }, { databaseName }: { databaseName: string; open: boolean }) => ({
    found: databaseQuery(scope, databaseName),
  }),
  decide({ scope, now }, { databaseName, open }, { found: [found] }) {
    if (!found) return refusal('databaseNotFound', 'There is no such database.', { status: 404 });
    const answer = sql<StoredDatabase>`SELECT ${databaseView} FROM database_setting
      WHERE database_name = ${databaseName} AND ${scope.organization} = ${NO_ORGANIZATION}`;
    const before = parseJson(found.view);
    if (before.open === Number(open)) return unchanged(answer);
    const thing = { uuid: NO_ORGANIZATION };
    return {
      writes: [
        sql`UPDATE database_setting SET open = ${Number(open)}, update_date = ${now}
          WHERE database_name = ${databaseName} AND ${scope.organization} = ${NO_ORGANIZATION}`,
      ],
      audit: [
        auditing('DATABASE', () => databaseName)('DATABASE_UPDATED', thing, [
          { field: 'open', oldValue: before.open === 1, newValue: open },
        ]),
      ],
      answer,
    };
  },
});
