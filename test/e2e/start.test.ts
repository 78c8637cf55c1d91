import { mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { localAddresses } from '../../src/cli/network.ts';
import { API, newTenant, OPERATOR_KEY, send, type Tenant } from './client.ts';
import { listens } from './ports.ts';
import { Service } from './service.ts';

const IMAGE = `${API}/marker-code/image/1000000000.png`;

/** Returns the status of a request with its own Host header, which `fetch` does not allow. */
function statusAt(service: Service, host: string, path: string, key: string): Promise<number> {
  return new Promise((answer, fail) => {
    const headers = { Host: `${host}:${service.port}`, 'X-AUTH-KEY': key };
    const sent = request({ host: '127.0.0.1', port: service.port, path, headers }, (response) => {
      response.resume();
      response.on('end', () => answer(response.statusCode!));
    });
    sent.on('error', fail);
    sent.end();
  });
}

it('npm start with HOST serves the local network, at the address that it prints', async () => {
  const [address] = localAddresses();
  const service = await Service.prepare({ environment: { HOST: '0.0.0.0' } });
  await service.start();
  try {
    // A machine without a network has no such address.
    if (address === undefined) return;
    const there = `http://${address}:${service.port}`;
    await vi.waitFor(() =>
      expect(service.output).toContain(`${there}/app   for tablets and phones in your network`),
    );
    expect((await fetch(`${there}/health`)).status).toBe(200);
    const signIn = await fetch(`${there}/app/login`);
    // Browsers refuse secure cookies by http, so nobody could sign in.
    expect(signIn.headers.getSetCookie().join('\n')).toMatch(/^guest=(?!.*; Secure)/);
    // Links have the address of the page that shows them.
    expect(await signIn.text()).not.toContain('127.0.0.1');
    expect((await fetch(`${service.origin}/health`)).status).toBe(200);
  } finally {
    await service.dispose();
  }
});

describe('npm start', () => {
  let service: Service;
  let acme: Tenant;
  let other: Tenant;

  beforeAll(async () => {
    service = await Service.prepare();
    await service.start();
    acme = await newTenant(service, 'acme');
    other = await newTenant(service, 'other');
  });
  afterAll(() => service.dispose());

  it('npm start is ready on an empty state, on the given port', async () => {
    const { status, json } = await send(service, { method: 'GET', path: '/health' });
    expect([status, json]).toEqual([200, { status: 'UP' }]);
    await vi.waitFor(() => expect(service.output).toContain(`Serving on ${service.origin} (state in`));
    for (const said of [
      `${service.origin}/docs`,
      `${service.origin}/app`,
      `PORT=${service.port} npm run demo`,
    ]) {
      expect(service.output).toContain(said);
    }
    expect(service.output).not.toMatch(/error|warn|schedule/i);
  });

  it('npm start serves one organization at its own host and all of them at other hosts', async () => {
    const path = `${API}/track`;
    expect(await statusAt(service, 'acme.localhost', path, acme.key)).toBe(200);
    expect(await statusAt(service, 'acme.localhost', path, other.key)).toBe(401);
    expect(await statusAt(service, 'ACME.LOCALHOST', path, other.key)).toBe(401);
    expect(await statusAt(service, 'unknown.localhost', path, acme.key)).toBe(401);
    expect(await statusAt(service, 'localhost', path, other.key)).toBe(200);
    expect(await statusAt(service, '127.0.0.1', path, acme.key)).toBe(200);
  });

  it('npm start serves marker images to everyone, cacheable without end', async () => {
    const image = await fetch(`${service.origin}${IMAGE}`);
    expect(image.status).toBe(200);
    expect(image.headers.get('Content-Type')).toBe('image/png');
    expect(image.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    const bytes = Buffer.from(await image.arrayBuffer());
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    const again = await fetch(`${service.origin}${IMAGE}`);
    expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true);
    const sized = await send(service, { method: 'GET', path: `${IMAGE}?size=1` });
    expect([sized.status, sized.json.code]).toEqual([400, 'unknownParameter']);
    const etag = image.headers.get('ETag')!;
    expect(etag).toMatch(/^"[^"]+"$/);
    const known = await fetch(`${service.origin}${IMAGE}`, { headers: { 'If-None-Match': etag } });
    expect([known.status, known.headers.get('ETag'), await known.text()]).toEqual([304, etag, '']);
    const head = await fetch(`${service.origin}${IMAGE}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('ETag'), await head.text()]).toEqual([200, etag, '']);
    expect(head.headers.get('Content-Type')).toBe('image/png');
    const padded = await send(service, { method: 'GET', path: IMAGE.replace('/1000', '/01000') });
    expect([padded.status, padded.json.code]).toEqual([404, 'markerCodeNotFound']);
  });

  it('npm start links marker images at an address that can be fetched', async () => {
    const allocate = { method: 'POST', path: '/marker-code/allocate?quantity=2&imageDelivery=URL' };
    const { json } = await acme.send(allocate);
    for (const { markerImageUrl } of json.entries) {
      expect(markerImageUrl.startsWith(`${service.origin}/`)).toBe(true);
      expect((await fetch(markerImageUrl)).status).toBe(200);
    }
  });

  it('npm start exposes no wrangler endpoint that shows stored data or runs SQL', async () => {
    const sql = JSON.stringify({ sql: 'SELECT * FROM organization' });
    const database = '/d1/database/00000000-0000-4000-8000-000000000000/raw';
    for (const explorer of ['/cdn-cgi/explorer', '/cdn-cgi/local/explorer']) {
      const answers = [
        await fetch(`${service.origin}${explorer}`),
        await fetch(`${service.origin}${explorer}/`),
        await fetch(`${service.origin}${explorer}/api`),
        await fetch(`${service.origin}${explorer}/api/d1/database`),
        await fetch(`${service.origin}${explorer}/api${database}`, { method: 'POST', body: sql }),
        await fetch(`${service.origin}${explorer}/api/r2/buckets`),
        await fetch(`${service.origin}${explorer}/api/workers/durable_objects/namespaces`),
      ];
      for (const answer of answers)
        expect([answer.url, ((await answer.json()) as { code: string }).code]).toEqual([
          answer.url,
          'notFound',
        ]);
    }
    const others: [path: string, status: number, headers?: Record<string, string>][] = [
      ['/cdn-cgi/local/platform-proxy', 401, { 'MF-Op': 'GET', 'MF-Op-Target': '0', 'MF-Op-Secret': '00' }],
      ['/cdn-cgi/ProxyWorker/pause', 404, { Authorization: '' }],
      // This endpoint reads objects by names with 74 random bits. No caller learns these names, and it lists none.
      ['/cdn-cgi/local/r2/public', 404],
      ['/cdn-cgi/local/r2/public/warehouse-dispatch-calibration', 404],
      ['/cdn-cgi/local/r2/public/warehouse-dispatch-calibration/', 404],
      ['/cdn-cgi/local/r2/s3/warehouse-dispatch-calibration?list-type=2', 404],
      ['/cdn-cgi/local/email?from=a@b.example&to=c@d.example', 400],
      ...['/__scheduled', '/__cf_local/stream', '/cdn-cgi/mf/stream', '/__cf_local/imagedelivery'].map(
        (path): [string, number] => [path, 404],
      ),
    ];
    for (const [path, status, headers = {}] of others) {
      expect([path, (await fetch(`${service.origin}${path}`, { headers })).status]).toEqual([path, status]);
    }
  });

  it('a request can run a schedule, which does no more than the service does by itself', async () => {
    const call = {
      method: 'POST',
      path: '/manifest',
      json: { externalIdentifier: 'KEPT' },
      headers: { 'Idempotency-Key': 'kept' },
    };
    expect((await acme.send(call)).status).toBe(201);
    for (const path of ['/cdn-cgi/local/scheduled', '/cdn-cgi/mf/scheduled', '/cdn-cgi/handler/scheduled']) {
      for (const cron of ['17 3 * * *', '* * * * *', 'x']) {
        for (const time of [0, Date.now() + 400 * 86_400_000]) {
          const query = new URLSearchParams({ cron, time: String(time) });
          expect((await fetch(`${service.origin}${path}?${query}`)).status).toBe(200);
        }
      }
    }
    const again = await acme.send(call);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
    const { content } = (await acme.get('/event')).json;
    expect(content.map(({ sequenceNumber }: { sequenceNumber: number }) => sequenceNumber)).toContain(1);
  });

  it('npm start keeps its state and takes another BASE_DOMAIN at the next start', async () => {
    const { json: manifest } = await acme.send({
      method: 'POST',
      path: '/manifest',
      json: { externalIdentifier: 'M1' },
    });
    await service.end('SIGINT');
    await service.start({ BASE_DOMAIN: 'yard.example' });
    expect((await acme.get('/manifest/M1')).json.uuid).toBe(manifest.uuid);
    const path = `${API}/track`;
    expect(await statusAt(service, 'acme.yard.example', path, acme.key)).toBe(200);
    expect(await statusAt(service, 'acme.yard.example', path, other.key)).toBe(401);
    expect(await statusAt(service, 'acme.localhost', path, other.key)).toBe(200);
  });
});

describe('npm start when npm gets a signal', () => {
  /** The time that the API guarantees. */
  const END_MAXIMUM_MS = 10_000;
  let service: Service;
  afterEach(() => service.dispose());

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
    'npm start ends the whole service within ten seconds of %s',
    async (signal) => {
      service = await Service.start({ command: () => 'exec npm start' });
      const npm = service.processes().find(({ command }) => command.startsWith('npm start'));
      process.kill(npm!.pid, signal);
      await vi.waitFor(
        async () => {
          expect(service.processes().map(({ command }) => command)).toEqual([]);
          // A process counts as ended while its last threads still hold the port.
          expect(await listens(service.port)).toBe(false);
        },
        { timeout: END_MAXIMUM_MS },
      );
    },
  );

  it('npm start ends if npm was killed before the service was started', async () => {
    service = await Service.prepare({ command: () => 'exec npm start' });
    mkdirSync(service.stateDir, { recursive: true });
    // The start waits for this lock.
    const lock = new DatabaseSync(join(service.stateDir, 'lock.sqlite'));
    lock.exec('BEGIN EXCLUSIVE');
    service.launch();
    const found = (text: string) => service.processes().find(({ command }) => command.includes(text));
    await vi.waitFor(() => expect(found('src/cli/start.ts')).toBeDefined(), { timeout: END_MAXIMUM_MS });
    await sleep(1_000);
    process.kill(found('npm start')!.pid, 'SIGKILL');
    lock.close();
    await vi.waitFor(() => expect(service.processes().map(({ command }) => command)).toEqual([]), {
      timeout: END_MAXIMUM_MS,
    });
    expect(service.output).not.toContain('Serving on');
  });
});

describe('npm start that is killed while it starts', () => {
  let service: Service;
  afterAll(() => service.dispose());

  it('npm start that is killed during migrations finishes them at the next start', async () => {
    service = await Service.prepare();
    // Moments from before wrangler is loaded until after the tables exist.
    for (const moment of [300, 900, 1_300, 1_700, 2_200]) {
      service.launch();
      await sleep(moment);
      await service.kill();
    }
    await service.start();
    const tenant = await newTenant(service, 'late');
    expect((await tenant.get('/track')).json.totalElements).toBe(0);
  });
});

describe.each(['staging', 'production'])('a service that is configured as %s', (environment) => {
  const services: Service[] = [];
  afterAll(() => Promise.all(services.map((service) => service.dispose())));

  /** Starts wrangler with the variables of a deployed environment and this operator key. */
  async function deployed(key: string, readyStatus: number): Promise<Service> {
    const command = (port: number, state: string) =>
      `wrangler dev --env ${environment} --ip 127.0.0.1 --port ${port} --persist-to "${state}" --inspector-port 0 ` +
      `--show-interactive-dev-session=false --log-level warn --var OPERATOR_KEY:${key} --var SEALING_KEY:${'s'.repeat(40)}`;
    const service = await Service.start({ command, readyStatus, environment: { CI: 'true' } });
    services.push(service);
    return service;
  }

  it('a service with an unsafe configuration refuses every path with the development key and does not say why', async () => {
    const service = await deployed(OPERATOR_KEY, 503);
    const paths = ['/', '/health', '/openapi.json', '/nowhere', IMAGE, `${API}/track`];
    const headers = { 'X-OPERATOR-KEY': OPERATOR_KEY };
    for (const path of [...paths, '/operator/rest/api/v1/organization']) {
      const answer = await send(service, { method: 'GET', path, headers });
      expect([path, answer.status, answer.json?.code]).toEqual([path, 503, 'temporarilyUnavailable']);
      expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
      const shown = `${JSON.stringify([...answer.headers])}${answer.text}`;
      expect(shown).not.toContain(OPERATOR_KEY);
      expect(shown).not.toMatch(/OPERATOR_KEY|staging|production|secret/i);
    }
    // The log gives the reason to the operator of the service, but not the value.
    expect(service.output).toContain('OPERATOR_KEY');
    expect(service.output).not.toContain(OPERATOR_KEY);
  });

  it('a service with a safe configuration serves with a key of its own and refuses the development key', async () => {
    // Without tables, its health is DOWN.
    const service = await deployed('k'.repeat(40), 503);
    const path = '/operator/rest/api/v1/organization';
    const refused = await send(service, { method: 'GET', path, headers: { 'X-OPERATOR-KEY': OPERATOR_KEY } });
    expect([refused.status, refused.json.code]).toEqual([401, 'unauthorized']);
    expect(refused.headers.get('Server-Timing')).toBeNull();
  });
});
