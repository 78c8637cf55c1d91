import { say } from '../../../src/cli/demo-output.ts';
import { OPERATOR_API } from '../../../src/cli/demo-provision.ts';
import type { ApiClient } from '../../../src/kit/client.ts';
import { secondsSince } from './phases.ts';

/** How soon a move is looked at again. */
const LOOK_MS = 200;

interface Operation {
  status: string;
  results: { error: { message: string } | null }[];
}

/** How far some work is that is done in steps. */
export class Pace {
  readonly #steps: number;
  #done = 0;

  constructor(steps: number) {
    this.#steps = steps;
  }

  /** The same work, counted. */
  counted<T>(work: (item: T) => Promise<void>): (item: T) => Promise<void> {
    return async (item) => {
      await work(item);
      this.#done += 1;
    };
  }

  /** Wait until a part of it is done, from 0 to 1. */
  async reach(part: number): Promise<void> {
    while (this.#done < part * this.#steps) await pause();
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_MS));

/**
 * Move an organization to the other of the first two databases, and back, so many times while somebody works in it, from the
 * beginning to the end of that.
 * @throws where a move fails.
 */
export async function moveToAndFro(
  operator: ApiClient,
  organization: string,
  moves: number,
  pace: Pace,
): Promise<void> {
  const path = `${OPERATOR_API}/organization/${organization}`;
  for (let count = 1; count <= moves; count += 1) {
    await pace.reach(count / (moves + 1));
    const { databaseName } = (await operator.request<{ databaseName: string }>('GET', path)).body;
    const other = databaseName === 'DB' ? 'DB_1' : 'DB';
    const start = performance.now();
    const { operationId } = (
      await operator.request<{ operationId: string }>('POST', `${path}/move`, {
        body: { databaseName: other },
      })
    ).body;
    let operation: Operation;
    do {
      await pause();
      operation = (await operator.request<Operation>('GET', `${OPERATOR_API}/operation/${operationId}`)).body;
    } while (!['SUCCEEDED', 'FAILED'].includes(operation.status));
    if (operation.status === 'FAILED')
      throw new Error(`move ${count}: ${operation.results[0]?.error?.message}`);
    say(`  moved to ${other} (${count} of ${moves}) in ${secondsSince(start)}`);
  }
}
