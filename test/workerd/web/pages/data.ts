import { type Answer, call } from '../../client.ts';

/** Reads the data of a proof of shipment. */
export async function dataOf(url: string): Promise<Answer> {
  const answer = await call('GET', url);
  if (answer.status !== 200) throw new Error(`${answer.status} of ${url}`);
  return answer;
}
