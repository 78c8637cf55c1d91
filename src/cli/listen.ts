/**
 * `npm run listen -- --forward-to URL`: follows the event log of a deployment and forwards each event, in order and
 * signed, to a receiver on this machine. Ctrl-C ends it.
 * `--secret SECRET`: signs with this secret (default: a generated secret, which is stored).
 * `--after NUMBER`: starts after this sequence number (default: where the last run ended, or at first the end of the
 * log).
 * Environment: BASE_URL (default: the URL of `npm start`), API_KEY, STATE_DIR (default .state), which keeps the last
 * sequence number and the secret.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient, ApiError } from '../client/client.ts';
import { eventsAfter, type LoggedEvent, lastEvent, signed } from '../client/webhooks.ts';
import { checkUrl, commandLine, serviceOrigin } from './command-line.ts';
import { say } from './demo/output.ts';

const POLL_MS = 500;
const RECEIVER_MAXIMUM_MS = 15_000;
const SECRET_BYTES = 24;
/** How many times at most a refused event is sent. A receiver that does not answer is tried without limit. */
const ATTEMPTS = 5;
const RETRY_FIRST_MS = 500;
const RETRY_MAXIMUM_MS = 10_000;

/** The state that is kept from one run to the next. */
interface Kept {
  /** Number of the last event that was settled. */
  last: number;
  secret: string;
}

/** Keeps the state in a file, one for each deployment, key and receiver. */
class Keeper {
  readonly #file: string;

  constructor(...names: string[]) {
    const folder = join(process.env['STATE_DIR'] ?? '.state', 'listen');
    mkdirSync(folder, { recursive: true });
    const name = createHash('sha256').update(names.join('\n')).digest('hex');
    this.#file = join(folder, `${name.slice(0, 16)}.json`);
  }

  read(): Partial<Kept> {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as Kept;
    } catch {
      return {};
    }
  }

  write(kept: Kept): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify(kept), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error
    ? cause.message || String((cause as NodeJS.ErrnoException).code)
    : String(cause);
};

/** Send an event once. Returns the status of the answer, or the reason for a missing answer. */
async function sendOnce(url: string, secret: string, event: LoggedEvent): Promise<number | string> {
  const body = JSON.stringify(event);
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signed(secret, event.eventIdentifier, body) },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(RECEIVER_MAXIMUM_MS),
    });
    return status;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Send an event until it is accepted, or was refused `ATTEMPTS` times. */
async function forward(url: string, secret: string, event: LoggedEvent): Promise<void> {
  const about = `${event.sequenceNumber} ${event.eventType} ${event.entityExternalId ?? ''}`.trimEnd();
  for (let attempt = 1, refusals = 0; ; attempt += 1) {
    const came = await sendOnce(url, secret, event);
    if (typeof came === 'number' && came >= 200 && came < 300) return say(`${about} → ${came}`);
    if (typeof came === 'number') refusals += 1;
    if (refusals === ATTEMPTS)
      return say(`${about} → ${came}, not delivered. To send it again: --after ${event.sequenceNumber - 1}`);
    say(`${about} → ${typeof came === 'number' ? came : `no answer (${came})`}, retrying`);
    await sleep(Math.min(RETRY_FIRST_MS * 2 ** (attempt - 1), RETRY_MAXIMUM_MS));
  }
}

async function run(): Promise<void> {
  const { values } = commandLine(import.meta.filename, {
    options: { 'forward-to': { type: 'string' }, secret: { type: 'string' }, after: { type: 'string' } },
  });
  const url = values['forward-to'];
  const key = process.env['API_KEY'];
  const base = serviceOrigin();
  if (!url) throw new Error('Name the receiver: npm run listen -- --forward-to http://127.0.0.1:9000');
  checkUrl('--forward-to', url);
  if (!key) throw new Error('Set API_KEY to an API key of the organization.');
  if (values.after !== undefined && !/^\d{1,15}$/.test(values.after))
    throw new Error('--after takes a sequence number.');
  const client = new ApiClient(base, { 'X-AUTH-KEY': key });
  const keeper = new Keeper(client.base, key, url);
  const kept = keeper.read();
  const secret = values.secret ?? kept.secret ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  let last = values.after === undefined ? (kept.last ?? (await lastEvent(client))) : Number(values.after);
  keeper.write({ last, secret });
  say(`Forwarding events of ${client.base} after ${last} to ${url}, signed with ${secret}`);
  // The number of the last settled event is already stored. The event under way is sent again by the next run, as
  // webhooks may do, too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      say(`Ended after event ${last}. The next run continues there.`);
      process.exit(0);
    });
  }
  for (;;) {
    try {
      for await (const event of eventsAfter(client, last)) {
        await forward(url, secret, event);
        last = event.sequenceNumber;
        keeper.write({ last, secret });
      }
    } catch (error) {
      // Retry if the deployment does not answer, but not if it refuses the request.
      if (error instanceof ApiError && error.status < 500) throw error;
      say(reasonOf(error));
    }
    await sleep(POLL_MS);
  }
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
