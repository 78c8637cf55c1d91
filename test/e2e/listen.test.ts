import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { received } from '../../src/client/webhooks.ts';
import { newTenant, type Served, type Tenant } from './client.ts';
import { Receivers } from './receivers.ts';
import { ROOT } from './service.ts';
import { sharedService } from './shared.ts';

const PATIENCE_MS = 30_000;

let service: Served;
let tenant: Tenant;
let receivers: Receivers;
let home: string;
let listening: ChildProcess | undefined;
let said = '';

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(said);
    await sleep(20);
  }
}

/** Starts `npm run listen` and returns its signing secret. */
async function listen(path: string, ...options: string[]): Promise<string> {
  said = '';
  listening = spawn(
    process.execPath,
    ['src/cli/listen.ts', '--forward-to', receivers.url(path), ...options],
    { cwd: ROOT, env: { ...process.env, BASE_URL: service.origin, API_KEY: tenant.key, STATE_DIR: home } },
  );
  for (const stream of [listening.stdout!, listening.stderr!]) stream.on('data', (chunk) => (said += chunk));
  await until(() => said.includes('Forwarding events of'));
  return /whsec_\S+/.exec(said)![0];
}

/** Ends the program as Ctrl-C does, and returns its exit code. */
async function end(): Promise<number> {
  const closed = once(listening!, 'close');
  listening!.kill('SIGINT');
  return (await closed)[0];
}

const happen = (externalIdentifier: string) =>
  tenant.send({ method: 'POST', path: '/manifest', json: { externalIdentifier } });

/** External identifiers of the manifests in the requests that a receiver got. */
const got = (path: string): string[] =>
  receivers.received.flatMap((one) => (one.path === path ? [JSON.parse(one.body).entityExternalId] : []));

beforeAll(async () => {
  service = await sharedService();
  tenant = await newTenant(service, 'listening');
  receivers = await Receivers.start();
  home = mkdtempSync(join(tmpdir(), 'dispatch-listen-'));
  for (const name of ['BEFORE-1', 'BEFORE-2', 'BEFORE-3']) await happen(name);
});
afterAll(() => {
  listening?.kill('SIGKILL');
  receivers.stop();
  rmSync(home, { recursive: true });
});

it('npm run listen forwards new events with webhook signatures and continues where it ended', async () => {
  const secret = await listen('/here');
  await happen('NOW');
  await until(() => got('/here').length > 0);
  const [{ body, headers }] = receivers.received as [(typeof receivers.received)[number]];
  const event = received(secret, body, headers as Record<string, string>);
  expect([event.eventType, event.entityExternalId]).toEqual(['MANIFEST_STATUS_CHANGED', 'NOW']);
  const { json } = await tenant.get(`/event?afterSequence=${event.sequenceNumber! - 1}&limit=1`);
  expect(json.content).toEqual([event]);
  expect(() => received(secret, `${body} `, headers as Record<string, string>)).toThrow();
  await until(() => said.includes('NOW → 200'));

  expect(await end()).toBe(0);
  expect(said).toContain(`Ended after event ${event.sequenceNumber}`);
  await happen('MEANWHILE');
  expect(await listen('/here')).toBe(secret);
  await until(() => got('/here').length > 1);
  expect(got('/here')).toEqual(['NOW', 'MEANWHILE']);
  expect(await end()).toBe(0);
});

it('npm run listen resends refused events in order and gives up in the end', async () => {
  let refusals = 0;
  receivers.at('/refusing', (response) => {
    refusals += 1;
    response.writeHead(refusals <= 2 || refusals > 3 ? 500 : 200).end();
    if (refusals === 8) receivers.at('/refusing', (later) => later.end());
  });
  await listen('/refusing', '--after', '0');
  await until(() => got('/refusing').includes('BEFORE-3'));
  expect(await end()).toBe(0);
  // The first event succeeds at the third attempt, and the third event at once. The second fails five times and is
  // skipped.
  expect(got('/refusing').slice(0, 9)).toEqual([
    ...Array(3).fill('BEFORE-1'),
    ...Array(5).fill('BEFORE-2'),
    'BEFORE-3',
  ]);
  expect(said).toContain('BEFORE-2 → 500, not delivered. To send it again: --after 1');
});

it('npm run listen waits for a receiver that does not answer', async () => {
  receivers.at('/deaf', (response) => response.destroy());
  await listen('/deaf', '--after', '0');
  await until(() => got('/deaf').length > 2);
  expect(new Set(got('/deaf'))).toEqual(new Set(['BEFORE-1']));
  receivers.at('/deaf', (response) => response.end());
  await until(() => got('/deaf').includes('BEFORE-3'));
  expect(await end()).toBe(0);
});

it('npm run listen reports missing and refused settings', async () => {
  for (const [options, environment, exit, words] of [
    [[], {}, 1, 'Name the receiver'],
    [['--forward-to', 'http://127.0.0.1:1'], { API_KEY: '' }, 1, 'Set API_KEY'],
    [['--forward-to', 'http://127.0.0.1:1', '--after', '-1'], {}, 2, '--after'],
    [['--forward-to', 'http://127.0.0.1:1'], { API_KEY: 'wdk_test_none' }, 1, '401 unauthorized'],
  ] as const) {
    const env = {
      ...process.env,
      BASE_URL: service.origin,
      API_KEY: tenant.key,
      STATE_DIR: home,
      ...environment,
    };
    const run = spawn(process.execPath, ['src/cli/listen.ts', ...options], { cwd: ROOT, env });
    let printed = '';
    run.stderr.on('data', (chunk) => (printed += chunk));
    const [code] = await once(run, 'close');
    expect([code, printed]).toEqual([exit, expect.stringContaining(words)]);
  }
});
