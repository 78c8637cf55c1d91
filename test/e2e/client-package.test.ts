import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newTenant } from './client.ts';
import { ROOT } from './service.ts';
import { sharedService } from './shared.ts';

/** A program of an API client, in strict TypeScript. */
const PROGRAM = `
import { ApiClient, ApiError, type Event, eventsAfter, lastEvent, received, signed, unlessDone } from 'warehouse-dispatch-client';

const API = '/integration/rest/api/v1';
const wms = new ApiClient(process.env['BASE_URL']!, { 'X-AUTH-KEY': process.env['API_KEY']! });
const names = ['A', 'B', 'A'];
for (const externalIdentifier of names)
  await unlessDone(
    wms.request<{ uuid: string }>('POST', \`\${API}/manifest\`, { key: \`m-\${externalIdentifier}\`, body: { externalIdentifier } }),
    'externalIdentifierInUse',
  );
const events: Event[] = [];
for await (const event of eventsAfter(wms, 0)) events.push(event);
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = JSON.stringify(events[0]);
const refused = await wms.request('GET', \`\${API}/manifest/none\`).catch((error: unknown) => error);
const walked: string[] = [];
for await (const { externalIdentifier } of wms.walk<{ externalIdentifier: string }>(\`\${API}/manifest?pageSize=1\`))
  walked.push(externalIdentifier);
console.log(
  JSON.stringify({
    events: events.map(({ entityExternalId }) => entityExternalId),
    last: await lastEvent(wms),
    received: received(secret, body, signed(secret, 'msg', body)).eventIdentifier === events[0]!.eventIdentifier,
    refused: refused instanceof ApiError ? refused.code : undefined,
    replays: wms.traffic.replays,
    walked: walked.sort(),
  }),
);
`;

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'dispatch-client-'));
});
afterAll(() => rmSync(home, { recursive: true }));

it('the packed client library compiles and works in another project', async () => {
  execFileSync('npm', ['pack', '--pack-destination', home], {
    cwd: join(ROOT, 'src/client'),
    stdio: 'ignore',
  });
  const [packed] = readdirSync(home);
  const modules = join(home, 'node_modules');
  mkdirSync(modules);
  execFileSync('tar', ['-xzf', packed!, '-C', modules], { cwd: home });
  execFileSync('mv', [join(modules, 'package'), join(modules, 'warehouse-dispatch-client')]);
  // Packages that npm would download.
  for (const name of ['standardwebhooks', '@types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  writeFileSync(join(home, 'package.json'), '{"type": "module"}');
  writeFileSync(join(home, 'program.ts'), PROGRAM);
  const flags =
    '--strict --module nodenext --target es2024 --types node --noUncheckedIndexedAccess program.ts';
  const compiled = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), flags.split(' '), { cwd: home });
  expect(String(compiled.stdout)).toBe('');
  const service = await sharedService();
  const tenant = await newTenant(service, 'client');
  const ran = spawnSync(process.execPath, ['program.js'], {
    cwd: home,
    env: { ...process.env, BASE_URL: service.origin, API_KEY: tenant.key },
  });
  expect(String(ran.stderr)).toBe('');
  expect(JSON.parse(String(ran.stdout))).toEqual({
    events: ['A', 'B'],
    last: 2,
    received: true,
    refused: 'manifestNotFound',
    replays: 1,
    walked: ['A', 'B'],
  });
});
