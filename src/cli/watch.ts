/** Whether a service is there, asked as its users would. */
import { setTimeout as sleep } from 'node:timers/promises';

/** What came of asking: answered, not answered (or with an error), or nobody listens. */
export type Sign = 'up' | 'silent' | 'refused';

/** Milliseconds. */
export interface Patience {
  /** Between two questions. */
  pause: number;
  /** For one answer. */
  answer: number;
  /** How long nobody may listen: nothing that is merely busy refuses a connection. */
  refused: number;
  /** How long nobody may be answered: generous, as a busy service is slow, and one that was stopped may go on. */
  silent: number;
}

/** Ask a service for its health. */
export async function ask(origin: string, answerMs: number): Promise<Sign> {
  try {
    const answer = await fetch(`${origin}/health`, { signal: AbortSignal.timeout(answerMs) });
    const body = (await answer.json()) as { status?: unknown };
    return answer.ok && body.status === 'UP' ? 'up' : 'silent';
  } catch (error) {
    const { cause } = error as { cause?: { code?: unknown } };
    return cause?.code === 'ECONNREFUSED' ? 'refused' : 'silent';
  }
}

/**
 * Ask again and again until the service is gone, and say what was seen. Time counts only as long as one question may
 * take, so that a machine that slept, or a suspended terminal, is no silence.
 */
export async function gone(origin: string, patience: Patience): Promise<string> {
  let refusedMs = 0;
  let silentMs = 0;
  for (;;) {
    const begin = performance.now();
    await sleep(patience.pause);
    const sign = await ask(origin, patience.answer);
    const passedMs = Math.min(performance.now() - begin, patience.pause + patience.answer);
    refusedMs = sign === 'refused' ? refusedMs + passedMs : 0;
    silentMs = sign === 'up' ? 0 : silentMs + passedMs;
    if (refusedMs >= patience.refused) return `Nothing listens at ${origin} any more.`;
    if (silentMs >= patience.silent) {
      return `${origin}/health has not been answered for ${Math.round(silentMs / 1_000)} s.`;
    }
  }
}
