import type { Answer } from '../workerd/client.ts';
import type { Operation } from './document.ts';
import { type Change, send, undocumented } from './request.ts';
import type { World } from './world.ts';

const SHOWN_LENGTH = 300;

/** The differences between an answer and the problem with this status and code, one per line. */
export function problemFaults(answer: Answer, status: number, code: string): string[] {
  const { body, headers } = answer;
  const faults: string[] = [];
  const must = (holds: boolean, what: string) => {
    if (!holds) faults.push(`${what}: ${JSON.stringify(body).slice(0, SHOWN_LENGTH)}`);
  };
  must(answer.status === status, `status ${answer.status} instead of ${status}`);
  if (answer.status !== status) return faults;
  must(headers.get('Content-Type') === 'application/problem+json', `type ${headers.get('Content-Type')}`);
  const { allowedValues: _, ...members } = body ?? {};
  const names = ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'timestamp', 'errors'];
  must(JSON.stringify(Object.keys(members).sort()) === JSON.stringify(names.sort()), 'members');
  must(body?.code === code, `code instead of ${code}`);
  must(body?.status === status, 'status member');
  must(body?.requestId === headers.get('X-Request-Id'), 'requestId');
  must(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(body?.timestamp), 'timestamp');
  must(
    [body?.type, body?.title, body?.detail, body?.instance].every((text) => typeof text === 'string'),
    'texts',
  );
  must(Array.isArray(body?.errors), 'errors');
  for (const { allowedValues: __, ...item } of body?.errors ?? []) {
    must(Object.keys(item).sort().join() === 'code,field,message,rejectedValue', 'members of an item');
  }
  must(!/sqlite|select |d1_|stack|\.ts:/i.test(JSON.stringify(body)), 'something internal');
  return faults;
}

/**
 * Send each of these operations with a change. All must be refused with this status and code, as
 * documented.
 */
export async function refusals(
  sent: readonly Operation[],
  world: World,
  change: (operated: Operation) => Change,
  status: number,
  code: string,
): Promise<string[]> {
  const found: string[] = [];
  for (const operated of sent) {
    const answer = await send(operated, world, change(operated));
    const faults = [...problemFaults(answer, status, code), ...undocumented(operated, answer)];
    found.push(...faults.map((fault) => `${operated.operationId}: ${fault}`));
  }
  return found;
}
