import { sql } from 'drizzle-orm';
import { parseJson } from '../../core/lib/json.ts';
import { missing } from '../../core/lib/missing.ts';
import { viewOf } from '../../core/lib/view.ts';
import { auditing } from '../../core/writer/audited.ts';
import { command } from '../../core/writer/command.ts';
import { deadLetterView, letterQuery } from './store.ts';
import { deadLetter } from './table.ts';

/** Record that a dead letter is sent again. The caller sends it after this commit, and before answering. */
export const resendDeadLetter = command('resendDeadLetter', {
  ask: ({ scope }, { uuid }: { uuid: string }) => ({ letters: letterQuery(scope, uuid) }),
  decide({ scope, now }, { uuid }, { letters: [row] }) {
    if (!row) return missing('deadLetterNotFound', uuid);
    const letter = parseJson(row.view);
    const resendCount = letter.resendCount + 1;
    const counted = { field: 'resendCount', oldValue: letter.resendCount, newValue: resendCount };
    const set = { resendCount, resendDate: now, updateDate: now };
    return {
      writes: [scope.update(deadLetter, set, sql`uuid = ${uuid}`)],
      audit: [audited('DEAD_LETTER_RESENT', letter, [counted])],
      answer: answerOf(scope, uuid),
    };
  },
});

const answerOf = viewOf(deadLetterView, deadLetter);
const audited = auditing<{ uuid: string; queue: string }>('DEAD_LETTER', ({ queue }) => queue);
