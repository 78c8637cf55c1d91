import type { ApiClient } from '../../client/client.ts';
import { say } from '../demo/output.ts';
import { OPERATOR_API } from '../demo/provision.ts';
import { secondsSince } from './phases.ts';

/** How often a move is checked. */
const POLL_MS = 200;

interface Operation {
  status: string;
  results: { error: { message: string } | null }[];
}

/** The progress of work that is done in steps. */
export class Pace {
  readonly #steps: number;
  #done = 0;

  constructor(steps: number) {
    this.#steps = steps;
  }

  /** Wrap work so that each step is counted. */
  counted<T>(work: (item: T) => Promise<void>): (item: T) => Promise<void> {
    return async (item) => {
      await work(item);
      this.#done += 1;
    };
  }

  /** Wait until a part (0 to 1) of the steps is done. */
  async reach(part: number): Promise<void> {
    while (this.#done < part * this.#steps) await pause();
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

/**
 * Move an organization `moves` times between the first two databases, while other work runs in it. The
 * moves are spread over the time of that work. @throws if a move fails.
 */
export async function moveBackAndForth(
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
      throw new Error(`Move ${count} failed: ${operation.results[0]?.error?.message}`);
    say(`  moved to ${other} (${count} of ${moves}) in ${secondsSince(start)}`);
  }
}
