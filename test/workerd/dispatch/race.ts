import type { Answer } from '../client.ts';
import type { Dock } from '../shipment/dock.ts';

export const ROUNDS = 12;
export const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

export const by = (...ids: string[]) => ids.map((manifestExternalId) => ({ manifestExternalId }));
export const told = ({ status, body }: Answer) => (body?.code ? `${status} ${body.code}` : `${status}`);
export const read = async (dock: Dock, path: string) => (await dock.must('GET', path)).body;

/** Send all at once, in an order and with pauses between that differ from round to round; answers in the order given. */
export async function atOnce<T>(round: number, requests: (() => Promise<T>)[]): Promise<T[]> {
  const turned = requests.map((_, index) => (index + round) % requests.length);
  const order = round % 2 === 0 ? turned : turned.toReversed();
  const answers: T[] = [];
  await Promise.all(
    order.map(async (index, place) => {
      if (round >= ROUNDS / 2) await new Promise((resolve) => setTimeout(resolve, ((place * round) % 5) * 2));
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
