import { sql } from 'drizzle-orm';
import { refusal } from '../lib/problem.ts';
import type { Command } from '../writer/command.ts';
import { deadLetterView, letterQuery, type StoredDeadLetter } from './store.ts';
import { deadLetter } from './table.ts';

/** Write down that a dead letter is sent again; who asks for it sends it after this, and answers after that. */
export const resendDeadLetter: Command<{ uuid: string }> = async ({ database, now }, { uuid }) => {
  const row = await database.first<{ view: string }>(letterQuery(database, uuid));
  if (!row) return refusal('deadLetterNotFound', 'There is no such dead letter.');
  const { queue, resendCount } = JSON.parse(row.view) as StoredDeadLetter;
  const counted = { field: 'resendCount', oldValue: resendCount, newValue: resendCount + 1 };
  return {
    writes: [
      database.update(
        deadLetter,
        { resendCount: resendCount + 1, resendDate: now, updateDate: now },
        sql`uuid = ${uuid}`,
      ),
    ],
    audit: [
      {
        action: 'DEAD_LETTER_RESENT',
        entityType: 'DEAD_LETTER',
        entityUuid: uuid,
        entityExternalId: queue,
        changes: [counted],
      },
    ],
    answer: sql`SELECT ${deadLetterView} FROM dead_letter
      WHERE organization_uuid = ${database.organization} AND uuid = ${uuid}`,
  };
};
