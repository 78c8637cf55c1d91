import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR_KEY, send } from './client.ts';
import { ROOT, Service } from './service.ts';

let service: Service;
let proxy: Server;
/** The changed answer of the proxy, for a method and a path; undefined for the answer of the service. */
let broken: (call: string, text: string) => { status?: number; text?: string } | undefined = () => undefined;

beforeAll(async () => {
  service = await Service.start();
  proxy = createServer(async (request, response) => {
    const body = await buffer(request);
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const answer = await fetch(service.origin + request.url, {
      method: request.method!,
      headers,
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const change = broken(`${request.method} ${request.url}`, bytes.toString());
    response.writeHead(change?.status ?? answer.status, {
      'Content-Type': answer.headers.get('Content-Type') ?? '',
    });
    response.end(change?.text ?? bytes);
  });
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
}, 120_000);
afterAll(async () => {
  proxy?.closeAllConnections();
  proxy?.close();
  await service?.dispose();
});

const deployCheck = (origin: string, ...args: string[]) =>
  new Promise<{ code: unknown; results: string[]; stdout: string }>((done) => {
    execFile(
      process.execPath,
      ['src/cli/deploy-check.ts', origin, ...args],
      { cwd: ROOT, env: { ...process.env, OPERATOR_KEY } },
      (error, stdout) => {
        const results = stdout.match(/^(PASS|SKIP|FAIL) {2}[a-z ]+?(?=:| needs)/gm) ?? [];
        done({ code: error?.code ?? 0, results, stdout });
      },
    );
  });
const slugs = async () => {
  const path = '/operator/rest/api/v1/organization?pageSize=100';
  const { json } = await send(service, { method: 'GET', path, headers: { 'X-OPERATOR-KEY': OPERATOR_KEY } });
  return json.content.map(({ slug }: { slug: string }) => slug);
};

it('deploy:check passes on the local service, erases its organization and prints the latency of each step', async () => {
  const { code, results, stdout } = await deployCheck(service.origin);
  expect(results, stdout).toEqual([
    'PASS  health',
    'PASS  migrations',
    'PASS  organization',
    'PASS  provisioning',
    'PASS  device',
    'PASS  webhook',
    'PASS  labels',
    'PASS  dispatch day',
    'PASS  versions',
    'PASS  object location',
    'SKIP  image cache',
    'PASS  burst',
    'PASS  entity tags',
    'PASS  webhook deliveries',
    'PASS  schedule',
    'PASS  erasure',
  ]);
  expect(stdout).toMatch(/^ {2}scan {26} +10 +\d+ +\d+$/m);
  expect([code, stdout.includes(OPERATOR_KEY), await slugs()]).toEqual([0, false, []]);
}, 300_000);

it('deploy:check fails on a broken service, names each fault, and erases its organization nevertheless', async () => {
  broken = (call, text) => {
    if (call === 'GET /health') return { status: 503, text: '{"status":"DOWN"}' };
    if (/GET \S+\/database\?/.test(call)) return { text: text.replaceAll('[]', '["0099_new.sql"]') };
    if (/POST \S+\/scan$/.test(call)) return { status: 500, text: '{"code":"internal","detail":"Broken."}' };
    if (/GET \S+\/marker\S+png$/.test(call)) return { status: 404 };
    if (/PUT \S+\/manifest\//.test(call)) return { status: 412 };
    if (/GET \S+\/operation\//.test(call)) return { text: '{"status":"FAILED"}' };
    return undefined;
  };
  const { code, results, stdout } = await deployCheck(
    `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  );
  expect(
    results.filter((result) => !result.startsWith('PASS')),
    stdout,
  ).toEqual([
    'FAIL  health',
    'FAIL  migrations',
    'FAIL  dispatch day',
    'FAIL  image cache',
    'FAIL  burst',
    'FAIL  entity tags',
    'FAIL  erasure',
  ]);
  expect(stdout).toMatch(
    /burst: 200 scans in a row were refused\. The first is number 1, after \d+ ms: The service answered 500 internal: Broken\./,
  );
  expect(stdout).toContain('DB lacks 0099_new.sql; DB_1 lacks 0099_new.sql');
  expect(stdout).toContain('/scan: The service answered 500 internal: Broken.');
  expect(stdout).toContain('Failed checks: 7.');
  expect([code, await slugs()]).toEqual([1, []]);
}, 300_000);

it.each([
  { signal: 'SIGINT', after: 'PASS  labels', code: 130 },
  { signal: 'SIGTERM', after: 'PASS  labels', code: 143 },
  { signal: 'SIGHUP', after: 'PASS  labels', code: 129 },
  // The service is about to create the organization.
  { signal: 'SIGTERM', after: 'PASS  migrations', code: 143 },
] as const)(
  'deploy:check erases its organization when $signal comes after "$after" and nobody reads its output',
  async ({ signal, after, code }) => {
    const child = spawn(process.execPath, ['src/cli/deploy-check.ts', service.origin], {
      cwd: ROOT,
      env: { ...process.env, OPERATOR_KEY },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    let output = '';
    for await (const part of child.stdout) {
      output += part;
      if (output.includes(after)) break;
    }
    if (after === 'PASS  labels') expect(await slugs()).toEqual([expect.stringMatching(/^check-/)]);
    child.kill(signal);
    expect([await exit, await slugs()]).toEqual([[code, null], []]);
  },
  120_000,
);
