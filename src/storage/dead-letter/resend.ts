import { operatorOf } from '../../access/credential/operator.ts';
import { readsOf } from '../../core/http/read.ts';
import type { AppContext } from '../../core/http/types.ts';
import { refuse, refuseMissing, type Submission, writeAs } from '../../core/http/write.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { isUnavailable, reaching } from '../../core/lib/store.ts';
import { resendDeadLetter } from './commands.ts';
import { queueOf } from './queues.ts';
import { letterOrganizationQuery, type StoredDeadLetter } from './store.ts';

/** Send a dead letter to its queue again on behalf of the operator. */
export async function resend(c: AppContext, submission: Submission, uuid: string): Promise<StoredDeadLetter> {
  const found = await readsOf(c, NO_ORGANIZATION).first(letterOrganizationQuery(uuid));
  if (!found) return refuseMissing('deadLetterNotFound', uuid);
  const { organizationUuid } = found;
  const { body: letter } = await writeAs(c, submission, organizationUuid, operatorOf(c), resendDeadLetter, {
    uuid,
  });
  const queue = queueOf(c.env, letter.queue);
  if (!queue) return refuse('temporarilyUnavailable', 'The queue of this message is not configured.');
  // Also for a repeat: the first request may have ended between its commit and this.
  try {
    await reaching(() => queue.send(letter.body));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    console.error(JSON.stringify({ requestId: c.get('requestId'), queue: String(error) }));
    return refuse('temporarilyUnavailable', 'The queue of this message did not answer.');
  }
  return letter;
}
