/**
 * `npm run listen -- --forward-to URL`: follows the event log of a deployment and forwards each event, signed, to a
 * receiver on this machine. Environment: BASE_URL (default that of `npm start`), API_KEY. Options: `--secret` to sign with
 * (default a fresh one, which is printed), `--after` a sequence number (default the end of the log).
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ApiClient } from '../kit/client.ts';
import { type Event, eventsAfter, signed } from '../kit/webhooks.ts';
import { say } from './demo-output.ts';

const POLL_MS = 500;
const RECEIVER_MAXIMUM_MS = 15_000;
const SECRET_BYTES = 24;

/** Forward an event; what the receiver said. */
async function forward(url: string, secret: string, event: Event): Promise<string> {
  const body = JSON.stringify(event);
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signed(secret, event.eventIdentifier, body) },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(RECEIVER_MAXIMUM_MS),
    });
    return String(status);
  } catch (error) {
    return `no answer (${error instanceof Error ? error.message : String(error)})`;
  }
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { 'forward-to': { type: 'string' }, secret: { type: 'string' }, after: { type: 'string' } },
  });
  const url = values['forward-to'];
  const key = process.env['API_KEY'];
  if (!url || !URL.canParse(url))
    throw new Error('Say where to: npm run listen -- --forward-to http://127.0.0.1:9000');
  if (!key) throw new Error('Set API_KEY to an API key of the organization.');
  const base = process.env['BASE_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '8787'}`;
  const client = new ApiClient(base.replace(/\/+$/, ''), { 'X-AUTH-KEY': key });
  const secret = values.secret ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  let last = Number(values.after ?? 0);
  if (values.after === undefined) {
    for await (const { sequenceNumber } of eventsAfter(client, last)) last = sequenceNumber ?? last;
  }
  say(`Events of ${client.base} behind ${last} go to ${url}, signed with ${secret}`);
  for (;;) {
    for await (const event of eventsAfter(client, last)) {
      last = event.sequenceNumber ?? last;
      say(
        `${event.sequenceNumber} ${event.eventType} ${event.entityExternalId ?? ''} → ${await forward(url, secret, event)}`,
      );
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
