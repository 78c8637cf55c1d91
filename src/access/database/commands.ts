import { sql } from 'drizzle-orm';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { parseJson } from '../../core/lib/json.ts';
import { auditing } from '../../core/writer/audited.ts';
import { command, unchanged } from '../../core/writer/command.ts';
import { databaseQuery } from './store.ts';

/** Open or close a database for new organizations. */
export const updateDatabase = command('updateDatabase', {
  ask: ({ scope }, { databaseName }: { databaseName: string; open: boolean }) => ({
    found: databaseQuery(scope, databaseName),
  }),
  decide({ scope, now }, { databaseName, open }, { found: [found] }) {
    const before = parseJson(found!.view);
    const after: typeof before = { ...before, open: open ? 1 : 0 };
    if (before.open === after.open) return unchanged({ value: after });
    return {
      writes: [
        sql`INSERT INTO database_setting (database_name, open, update_date)
          SELECT ${databaseName}, ${after.open}, ${now} WHERE ${scope.organization} = ${NO_ORGANIZATION}
          ON CONFLICT DO UPDATE SET open = excluded.open, update_date = excluded.update_date`,
      ],
      audit: [
        auditing('DATABASE', () => databaseName)('DATABASE_UPDATED', { uuid: NO_ORGANIZATION }, [
          { field: 'open', oldValue: before.open === 1, newValue: open },
        ]),
      ],
      answer: { value: after },
    };
  },
});
