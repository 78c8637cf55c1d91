/** Shared by the operator's programs: they report on stderr, and end with an exit code. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isRedirect, redirectText } from '../client/client.ts';
import { serviceOrigin } from './command-line.ts';

/** The URL of the service, and the operator's key for it. */
export interface Service {
  /** The operator API. */
  api: string;
  headers: Record<string, string>;
}

/** The service at `base`, or else at BASE_URL, or else the local one. @throws if OPERATOR_KEY is not set */
export function serviceAt(base: string | undefined): Service {
  const origin = serviceOrigin(base);
  const key = process.env['OPERATOR_KEY'];
  if (!key) throw new Error('Set OPERATOR_KEY in the environment.');
  return { api: `${origin}/operator/rest/api/v1`, headers: { 'X-OPERATOR-KEY': key } };
}

/** The organization that a command line names. @throws if it names none or several */
export function organizationIn([uuid, ...others]: readonly string[]): string {
  if (uuid === undefined || others.length > 0) throw new Error('Name one organization, by its uuid.');
  return uuid;
}

/** Write a line to stderr, because stdout is for exported data. */
export const tell = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const PROGRESS_MS = 1_000;

/** Report the number of bytes so far, once a second. */
export function progress(what: string): (bytes: number) => void {
  let total = 0;
  let reportedAt = performance.now();
  return (bytes) => {
    total += bytes;
    if (performance.now() - reportedAt < PROGRESS_MS) return;
    reportedAt = performance.now();
    tell(`${what} ${megabytes(total)}`);
  };
}

/** A number of bytes in a readable unit. */
export const megabytes = (bytes: number): string =>
  bytes < 100_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** The error for a failed answer. A redirect is a failure, because the key is for this service alone. */
export async function refused(answer: Response): Promise<Error> {
  if (isRedirect(answer)) return new Error(redirectText(answer.headers.get('Location')));
  const text = await answer.text();
  try {
    const { code, detail } = JSON.parse(text) as { code: string; detail: string };
    return new Error(`The service answered ${answer.status} ${code}: ${detail}`);
  } catch {
    return new Error(`The service answered ${answer.status}: ${text.slice(0, 300)}`);
  }
}

const POLL_MS = 500;
/** How long to wait for a service that does not answer. */
const PATIENCE_MS = 60_000;

/** A background operation on an organization. */
interface Operation {
  status: string;
  finishDate: string | null;
  results: { identifier: string; error: { code: string; message: string } | null }[];
}

/** The operation once it is finished. A restarted service continues it. */
export async function finished(
  { api, headers }: Service,
  operationId: string,
  what: string,
): Promise<Operation> {
  let answered = performance.now();
  for (;;) {
    const answer = await fetch(`${api}/operation/${operationId}`, { headers, redirect: 'manual' }).catch(
      () => undefined,
    );
    if (answer && isRedirect(answer)) throw await refused(answer);
    if (answer?.status === 200) {
      answered = performance.now();
      const operation = (await answer.json()) as Operation;
      if (operation.finishDate !== null) return operation;
    } else if (performance.now() - answered > PATIENCE_MS) {
      throw new Error(`The service does not answer. It continues the ${what} once it runs again.`);
    }
    await sleep(POLL_MS);
  }
}

/** Run a program, and end with its exit code, or 2 if it throws. */
export async function main(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
    const why = cause instanceof Error ? cause.message : cause === undefined ? '' : String(cause);
    tell(why === '' ? message : `${message}: ${why}`);
    if (why.includes('ECONNREFUSED'))
      tell('Is the service running? Start it with npm start, or name another one with --base.');
    process.exitCode = 2;
  }
}
