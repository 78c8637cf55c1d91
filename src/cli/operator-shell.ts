/** What programs of the operator's shell have in common: they say what they do on stderr, and end with a code. */

import { isRedirect, redirectText } from '../kit/client.ts';
import { serviceOrigin } from './command-line.ts';

/** Where the service is, and the key for it. */
export interface Service {
  /** The operator API. */
  api: string;
  headers: Record<string, string>;
}

/** The service that is named, else that of BASE_URL, else the local one. @throws where OPERATOR_KEY is not set */
export function serviceAt(base: string | undefined): Service {
  const key = process.env['OPERATOR_KEY'];
  if (!key) throw new Error('Set OPERATOR_KEY in the environment.');
  return { api: `${serviceOrigin(base)}/operator/rest/api/v1`, headers: { 'X-OPERATOR-KEY': key } };
}

/** Write a line for who watches; what is exported goes to stdout. */
export const tell = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const PROGRESS_MS = 1_000;

/** Bytes that pass, told every second. */
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

/** Bytes for reading. */
export const megabytes = (bytes: number): string =>
  bytes < 100_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** An answer of failure as an error. A redirect is one: the key is for this service alone. */
export async function refused(answer: Response): Promise<Error> {
  if (isRedirect(answer)) return new Error(redirectText(answer.headers.get('Location')));
  const text = await answer.text();
  try {
    const { code, detail } = JSON.parse(text) as { code: string; detail: string };
    return new Error(`It was answered ${answer.status} ${code}: ${detail}`);
  } catch {
    return new Error(`It was answered ${answer.status}: ${text.slice(0, 300)}`);
  }
}

/** Run a program, and end with its code: 2 where it cannot be done. */
export async function main(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
    const why = cause instanceof Error ? cause.message : cause === undefined ? '' : String(cause);
    tell(why === '' ? message : `${message}: ${why}`);
    if (why.includes('ECONNREFUSED'))
      tell('Is the service running there? Start it with npm start, or name it by --base.');
    process.exitCode = 2;
  }
}
