import type { Env } from '../../core/env.ts';
/** A recorded request with its answer. */
export interface Exchange {
  /** Its position in the day, from 1. Absent for examples written by hand. */
  order?: number;
  /** The position of the exchange that issued its credential. */
  credential?: number;
  /** A short title. */
  summary: string;
  /** Path and query parameters as they were sent. */
  params: Record<string, string>;
  query: Record<string, string>;
  body?: unknown;
  status: number;
  answer?: unknown;
}

/** Exchanges by operation. */
export type Exchanges = Readonly<Record<string, readonly Exchange[]>>;

/**
 * One recorded dispatch day: requests and answers by operation. A test plays the day again and compares
 * (test/e2e/docs). Dates, uuids, secrets and hashes are replaced by distinct placeholders. The day is a file of the
 * assets, because the script of the service would be larger with it.
 */
export async function readExchanges({ ASSETS }: Pick<Env, 'ASSETS'>): Promise<Exchanges> {
  const answer = await ASSETS.fetch('https://assets/assets/docs/examples.json');
  if (!answer.ok) throw new Error(`the examples were answered ${answer.status}`);
  return answer.json();
}
