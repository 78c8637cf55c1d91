import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { withEnvironment } from '../third-environment.ts';
import { API, send } from './client.ts';
import { ROOT, Service } from './service.ts';
import { tables } from './shared.ts';

const KEY = 'k'.repeat(40);
const home = mkdtempSync(join(tmpdir(), 'dispatch-environment-'));
let service: Service | undefined;
afterAll(async () => {
  await service?.dispose();
  rmSync(home, { recursive: true });
});

/** wrangler.toml with the environment `eu`, for a folder outside of the repository. Its database is the local one. */
function configuration(): string {
  const text = withEnvironment(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8'), 'eu')
    .replaceAll(/"((?:\.\/)?src\/[^"]+|migrations|dist\/assets)"/g, (_, path) =>
      JSON.stringify(join(ROOT, path)),
    )
    .replaceAll('node src/cli', `node ${ROOT}/src/cli`)
    .replaceAll('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000000');
  const file = join(home, 'wrangler.toml');
  writeFileSync(file, text);
  return file;
}

it('an environment with another name serves, makes live keys and runs the messages of its queues', async () => {
  const file = configuration();
  service = await Service.start({
    state: await tables(),
    environment: { CI: 'true' },
    command: (port, state) =>
      `wrangler dev --config "${file}" --env eu --ip 127.0.0.1 --port ${port} --persist-to "${state}" ` +
      `--inspector-port 0 --show-interactive-dev-session=false --log-level warn ` +
      `--var OPERATOR_KEY:${KEY} --var SEALING_KEY:${KEY}`,
  });
  const operated = (path: string, json: object) =>
    send(service!, {
      method: 'POST',
      path: `/operator/rest/api/v1/organization${path}`,
      json,
      headers: { 'X-OPERATOR-KEY': KEY },
    });
  const { uuid } = (await operated('', { name: 'Acme', slug: 'acme' })).json;
  const { secret } = (await operated(`/${uuid}/api-key`, { name: 'WMS' })).json;
  expect(secret).toMatch(/^wdk_live_/);
  const headers = { 'X-AUTH-KEY': secret };
  const path = `${API}/track/get-and-couple?async=true`;
  const accepted = await send(service, { method: 'POST', path, json: { wmsId: 'P' }, headers });
  expect(accepted.status).toBe(202);
  const poll = { method: 'GET', path: `${API}/operation/${accepted.json.operationId}`, headers };
  for (let shown = await send(service, poll); ; shown = await send(service, poll)) {
    expect([shown.status, service.output.match(/has no consumer.*/)?.[0]]).toEqual([200, undefined]);
    if (shown.json.finishDate !== null) break;
    await sleep(100);
  }
  const answer = await send(service, { method: 'GET', path: `${API}/track/P`, headers });
  expect(answer.status).toBe(200);
});
