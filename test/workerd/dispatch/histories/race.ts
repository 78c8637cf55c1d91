import { type Answer, call } from '../../client.ts';
import type { Dock } from '../load/shipment/dock.ts';

export const ROUNDS = 12;
/** How many different delays there are. */
const HEAD_STARTS = 5;
export const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

export const by = (...ids: string[]) => ids.map((manifestExternalId) => ({ manifestExternalId }));
export const outcomeOf = ({ status, body }: Answer) => (body?.code ? `${status} ${body.code}` : `${status}`);
export const read = async (dock: Dock, path: string) => (await dock.must('GET', path)).body;

/**
 * Waits as long as this many requests take that change nothing. A timer would fire only when no request is under way.
 */
export async function yieldTo(requests: number): Promise<void> {
  for (let request = 0; request < requests; request += 1) await call('GET', '/health');
}

/** Sends all requests at once. Order and delays differ in each round. Returns the answers in the given order. */
export async function atOnce<T>(round: number, requests: (() => Promise<T>)[]): Promise<T[]> {
  const turned = requests.map((_, index) => (index + round) % requests.length);
  const order = round % 2 === 0 ? turned : turned.toReversed();
  const answers: T[] = [];
  await Promise.all(
    order.map(async (index, place) => {
      if (round >= ROUNDS / 2) await yieldTo((place * round) % HEAD_STARTS);
      answers[index] = await requests[index]!();
    }),
  );
  return answers;
}

/** Counts equal texts. */
export const count = (texts: string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(texts)].sort().map((text) => [text, texts.filter((other) => other === text).length]),
  );
