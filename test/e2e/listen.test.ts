import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { received } from '../../src/kit/webhooks.ts';
import { newTenant, type Tenant } from './client.ts';
import { Receivers } from './receivers.ts';
import { ROOT } from './service.ts';
import { sharedService } from './shared.ts';

const PATIENCE_MS = 30_000;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let tenant: Tenant;
let receivers: Receivers;
let listening: ChildProcess | undefined;
let said = '';

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(said);
    await sleep(20);
  }
}

beforeAll(async () => {
  const service = await sharedService();
  tenant = await newTenant(service, 'listening');
  receivers = await Receivers.start();
  await tenant.send({ method: 'POST', path: '/manifest', json: { externalIdentifier: 'BEFORE' } });
  listening = spawn(
    process.execPath,
    ['src/local/listen.ts', '--forward-to', receivers.url('/here'), '--secret', SECRET],
    { cwd: ROOT, env: { ...process.env, BASE_URL: service.origin, API_KEY: tenant.key } },
  );
  for (const stream of [listening.stdout!, listening.stderr!]) stream.on('data', (chunk) => (said += chunk));
  await until(() => said.includes('Events of'));
});
afterAll(() => {
  listening?.kill();
  receivers.stop();
});

it('npm run listen forwards what happens from now on, signed as webhooks are', async () => {
  await tenant.send({ method: 'POST', path: '/manifest', json: { externalIdentifier: 'NOW' } });
  await until(() => receivers.received.length > 0);
  const [{ body, headers }] = receivers.received as [(typeof receivers.received)[number]];
  const event = received(SECRET, body, headers as Record<string, string>);
  expect([event.eventType, event.entityExternalId]).toEqual(['MANIFEST_STATUS_CHANGED', 'NOW']);
  const { json } = await tenant.get(`/event?afterSequence=${event.sequenceNumber! - 1}&limit=1`);
  expect(json.content).toEqual([event]);
  expect(() => received(SECRET, `${body} `, headers as Record<string, string>)).toThrow();
});
