import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { newTenant, OPERATOR_KEY, operator, send, type Tenant } from './client.ts';
import { randomOf } from './crash/random.ts';
import { ROOT, type Service } from './service.ts';
import { ownService } from './shared.ts';

const NO_UUID = '00000000-0000-0000-0000-000000000000';
const KILLS = 4;
const PALLETS = 400;
/** SEED=… repeats the random choices of a failed run. Timing still differs. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

const services: Service[] = [];
const folder = mkdtempSync(join(tmpdir(), 'dispatch-transfer-'));
afterAll(async () => {
  await Promise.all(services.map((service) => service.dispose()));
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command line program of the operator. */
function shell(program: string, args: readonly string[], input?: string) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, OPERATOR_KEY };
    const options = { cwd: ROOT, env, maxBuffer: 100_000_000 };
    const child = execFile(
      process.execPath,
      [`src/cli/${program}.ts`, ...args],
      options,
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    );
    // A program that ends before it has read all input closes the pipe.
    child.stdin!.on('error', () => undefined);
    child.stdin!.end(input ?? '');
  });
}

async function filled(service: Service, slug: string): Promise<Tenant> {
  const tenant = await newTenant(service, slug);
  const wmsIds = Array.from({ length: PALLETS }, (_, index) => `P${index}`);
  await tenant.send({
    method: 'POST',
    path: '/manifest',
    json: { externalIdentifier: 'M', assets: wmsIds.slice(0, 300) },
  });
  for (let from = 0; from < PALLETS; from += 40) {
    await Promise.all(
      wmsIds
        .slice(from, from + 40)
        .map((wmsId) =>
          tenant.send({ method: 'POST', path: '/track/get-and-couple?imageDelivery=URL', json: { wmsId } }),
        ),
    );
  }
  return tenant;
}

const rowsOf = (text: string): string =>
  createHash('sha256').update(text.split('\n').slice(1, -2).join('\n')).digest('hex');

it(`export and import take an organization to another deployment despite kills, and erasure removes it (SEED=${SEED})`, async () => {
  const random = randomOf(SEED);
  const [from, to] = await Promise.all([ownService(), ownService()]);
  services.push(from, to);
  const tenant = await filled(from, 'transferred');
  const file = join(folder, 'export.ndjson');
  const exported = await shell('organization-export', [tenant.uuid, '--base', from.origin, '--out', file]);
  expect([exported.code, exported.stdout, exported.stderr]).toEqual([
    0,
    '',
    expect.stringMatching(/complete\n$/),
  ]);
  const text = readFileSync(file, 'utf8');
  expect(
    (await shell('organization-export', [tenant.uuid, '--base', from.origin])).stdout.length,
  ).toBeGreaterThan(100_000);

  // A kill during an export leaves no file and no trigger behind, and the next export is complete.
  for (let kill = 0; kill < 2; kill += 1) {
    const cut = join(folder, `cut-${kill}.ndjson`);
    const running = shell('organization-export', [tenant.uuid, '--base', from.origin, '--out', cut]);
    await sleep(250 + random.below(200));
    await from.crash();
    const { code } = await running;
    await from.recovered();
    expect([0, 1, 2]).toContain(code);
    expect([existsSync(cut), existsSync(`${cut}.part`)]).toEqual([code === 0, false]);
    expect((await tenant.get('/track/P1')).status).toBe(200);
  }
  const again = join(folder, 'again.ndjson');
  expect(
    (await shell('organization-export', [tenant.uuid, '--base', from.origin, '--out', again])).code,
  ).toBe(0);

  // After a kill during an import, the import either continues or has never begun.
  const moved: Tenant = { ...tenant, ...(await otherOf(to, tenant)) };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const database = kill % 2 === 0 ? 'DB_1' : 'DB';
    const running = shell('organization-import', ['--base', to.origin, '--database', database], text);
    await sleep(300 + random.below(900));
    await to.crash();
    await to.recovered();
    let { code, stderr } = await running;
    if (code === 2 && !/accepted/.test(stderr)) {
      // The program ended before it learned whether the import was accepted. If not, no row of it exists.
      ({ code, stderr } = await shell('organization-import', [
        file,
        '--base',
        to.origin,
        '--database',
        database,
      ]));
      if (/organizationExists/.test(stderr)) code = await arrived(to, tenant.uuid);
    }
    expect([code, stderr]).toEqual([0, expect.anything()]);
    const { json: shown } = await operator(to, 200, { method: 'GET', path: `/organization/${tenant.uuid}` });
    expect(shown.databaseName).toBe(database);
    const back = await shell('organization-export', [tenant.uuid, '--base', to.origin]);
    // Only the time of the last use of the key has changed.
    expect(rowsOf(withoutUse(back.stdout))).toBe(rowsOf(withoutUse(text)));
    const refused = await shell('organization-import', [file, '--base', to.origin]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('organizationExists')]);
    expect((await moved.get('/track?pageSize=1')).json.totalElements).toBe(PALLETS);
    const coupled = await moved.send({
      method: 'POST',
      path: '/track/get-and-couple?imageDelivery=URL',
      json: { wmsId: 'behind' },
    });
    expect(coupled.json.markerCode).toBe(1_000_000_000 + PALLETS);

    // A kill during an erasure: the organization is gone at once, and in the end all its rows are.
    await operator(to, 200, { method: 'POST', path: `/organization/${tenant.uuid}/suspend` });
    const accepted = await operator(to, 202, {
      method: 'DELETE',
      path: `/organization/${tenant.uuid}?slug=${tenant.slug}`,
    });
    await sleep(random.below(150));
    await to.crash();
    await to.recovered();
    await operator(to, 404, { method: 'GET', path: `/organization/${tenant.uuid}` });
    await done(to, accepted.json.operationId);
  }
  const { json } = await operator(to, 200, { method: 'GET', path: '/organization' });
  expect(json.totalElements).toBe(0);
});

it('an export that breaks off at once leaves no file, and neither does one into a folder that does not exist', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.write('{', () => response.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const into = (file: string) => shell('organization-export', [NO_UUID, '--base', base, '--out', file]);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const file = join(folder, `broken-${attempt}.ndjson`);
    const { code, stderr } = await into(file);
    expect([code, stderr]).toEqual([1, expect.stringContaining('The export broke off')]);
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
  }
  const { code, stderr } = await into(join(folder, 'nowhere', 'file.ndjson'));
  expect([code, stderr]).toEqual([2, expect.stringContaining('no such file or directory')]);
  server.close();
});

it('an import refuses a truncated file and says why', async () => {
  const [, to] = services;
  const file = join(folder, 'short.ndjson');
  writeFileSync(file, readFileSync(join(folder, 'export.ndjson'), 'utf8').slice(0, 50_000));
  const { code, stderr } = await shell('organization-import', [file, '--base', to!.origin]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('exportInvalid')]);
  const keyless = spawn(process.execPath, ['src/cli/organization-export.ts', 'x'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] },
    stdio: 'ignore',
  });
  expect(await new Promise((resolve) => keyless.on('exit', resolve))).toBe(2);
});

/** Returns the client of the same organization at another service. */
async function otherOf(service: Service, { key }: Tenant): Promise<Pick<Tenant, 'send' | 'get'>> {
  const ask: Tenant['send'] = ({ path, headers, ...call }) =>
    send(service, {
      ...call,
      path: `/integration/rest/api/v1${path}`,
      headers: { 'X-AUTH-KEY': key, ...headers },
    });
  return { send: ask, get: (path) => ask({ method: 'GET', path }) };
}

const withoutUse = (text: string): string =>
  text.replaceAll(/"last_used_date":(\d+|null)/g, '"last_used_date":0');

/** Waits until an operation is finished. */
async function done(service: Service, operationId: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { json } = await operator(service, 200, { method: 'GET', path: `/operation/${operationId}` });
    if (json.status === 'SUCCEEDED') return;
    expect([json.status, Date.now() < deadline]).toEqual(['RUNNING', true]);
    await sleep(100);
  }
}

/** Waits until the organization exists. Its import was accepted, but the answer was lost. */
async function arrived(service: Service, uuid: string): Promise<number> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { json } = await operator(service, 200, { method: 'GET', path: '/organization' });
    if (json.content.some((shown: { uuid: string }) => shown.uuid === uuid)) return 0;
    if (Date.now() > deadline) return 1;
    await sleep(100);
  }
}
