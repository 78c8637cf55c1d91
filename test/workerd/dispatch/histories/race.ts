import { type Answer, call } from '../../client.ts';
import type { Dock } from '../shipment/dock.ts';

export const ROUNDS = 12;
/** Head starts are of this many lengths. */
const HEAD_STARTS = 5;
export const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

export const by = (...ids: string[]) => ids.map((manifestExternalId) => ({ manifestExternalId }));
export const told = ({ status, body }: Answer) => (body?.code ? `${status} ${body.code}` : `${status}`);
export const read = async (dock: Dock, path: string) => (await dock.must('GET', path)).body;

/**
 * Let others go first: for as long as some requests take that touch nothing. A timer would wait until nothing is under
 * way here any more.
 */
export async function yieldTo(requests: number): Promise<void> {
  for (let request = 0; request < requests; request += 1) await call('GET', '/health');
}

/**
 * Send all at once, in an order and with head starts that differ from round to round; answers in the order given.
 */
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

/** How often each of them stands there. */
export const count = (texts: string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(texts)].sort().map((text) => [text, texts.filter((other) => other === text).length]),
  );
