import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API, newTenant, OPERATOR_KEY, send, type Tenant } from './client.ts';
import { ROOT, Service } from './service.ts';

/** Generous for a slow machine; on an idle one it is about three seconds. */
const READY_MAXIMUM_MS = 30_000;
/** How long what it started may outlive it. */
const ORPHAN_MAXIMUM_MS = 5_000;
const IMAGE = `${API}/marker-code/image/1000000000.png`;

/** Status of a request with a Host of its own choice, which `fetch` does not allow. */
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

describe('npm start', () => {
  let service: Service;
  let acme: Tenant;
  let other: Tenant;
  let readyMs: number;

  beforeAll(async () => {
    service = await Service.prepare();
    readyMs = await service.start();
    acme = await newTenant(service, 'acme');
    other = await newTenant(service, 'other');
  });
  afterAll(() => service.dispose());

  it('is ready in seconds on an empty state, on the port it was given', async () => {
    expect(readyMs).toBeLessThan(READY_MAXIMUM_MS);
    const { status, json } = await send(service, { method: 'GET', path: '/health' });
    expect([status, json]).toEqual([200, { status: 'UP' }]);
    expect(service.output).toContain(`http://127.0.0.1:${service.port}`);
    expect(service.output).not.toMatch(/error/i);
  });

  it('serves one organization at its own host, and all of them at others', async () => {
    const path = `${API}/track`;
    expect(await statusAt(service, 'acme.localhost', path, acme.key)).toBe(200);
    expect(await statusAt(service, 'acme.localhost', path, other.key)).toBe(401);
    expect(await statusAt(service, 'ACME.LOCALHOST', path, other.key)).toBe(401);
    expect(await statusAt(service, 'unknown.localhost', path, acme.key)).toBe(401);
    expect(await statusAt(service, 'localhost', path, other.key)).toBe(200);
    expect(await statusAt(service, '127.0.0.1', path, acme.key)).toBe(200);
  });

  it('serves marker images to everyone, to be kept for ever', async () => {
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

  it('links marker images where they can be fetched', async () => {
    const allocate = { method: 'POST', path: '/marker-code/allocate?quantity=2&imageDelivery=URL' };
    const { json } = await acme.send(allocate);
    for (const { markerImageUrl } of json.entries) {
      expect(markerImageUrl.startsWith(`${service.origin}/`)).toBe(true);
      expect((await fetch(markerImageUrl)).status).toBe(200);
    }
  });

  it('keeps its state and takes another BASE_DOMAIN when it is started again', async () => {
    const { json: manifest } = await acme.send({
      method: 'POST',
      path: '/manifest',
      json: { externalIdentifier: 'M1' },
    });
    await service.end('SIGINT');
    expect(await service.start({ BASE_DOMAIN: 'yard.example' })).toBeLessThan(READY_MAXIMUM_MS);
    expect((await acme.get('/manifest/M1')).json.uuid).toBe(manifest.uuid);
    const path = `${API}/track`;
    expect(await statusAt(service, 'acme.yard.example', path, acme.key)).toBe(200);
    expect(await statusAt(service, 'acme.yard.example', path, other.key)).toBe(401);
    expect(await statusAt(service, 'acme.localhost', path, other.key)).toBe(200);
  });
});

/** Start it once more on a port: what it says, and the code it exits with. */
function startAgain(port: number, stateDir: string): Promise<{ said: string; code: number | null }> {
  return new Promise((answer) => {
    const child = spawn(process.execPath, ['src/local/start.ts'], {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port), STATE_DIR: stateDir },
      timeout: READY_MAXIMUM_MS,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    child.on('close', (code) => answer({ said, code }));
  });
}

describe('npm start on a port that is taken', () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.dispose());

  const starter = (): number => JSON.parse(readFileSync(join(service.stateDir, 'serving.json'), 'utf8')).pid;

  it('says that it was started before, and how to stop that', async () => {
    const { said, code } = await startAgain(service.port, service.stateDir);
    expect(said).toContain(`Port ${service.port} is in use: an earlier start of this service serves there.`);
    expect(said).toContain(`kill ${starter()}`);
    expect(said).not.toContain('Serving on');
    expect(code).toBe(1);
    const elsewhere = await startAgain(service.port, join(service.home, 'other'));
    expect(elsewhere.said).toContain('an earlier start of this service serves there. Stop it, or');
    expect(elsewhere.code).toBe(1);
  });

  it('says that another program has it', async () => {
    const other = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const { said, code } = await startAgain(port, service.stateDir);
    expect(said).toContain(`Port ${port} is in use by another program.`);
    expect(code).toBe(1);
    other.close();
  });

  it('leaves nothing behind where it alone is killed', async () => {
    process.kill(starter(), 'SIGKILL');
    const deadline = performance.now() + ORPHAN_MAXIMUM_MS;
    while (await fetch(`${service.origin}/health`).catch(() => undefined)) {
      expect(performance.now()).toBeLessThan(deadline);
      await sleep(50);
    }
    await service.kill();
    await service.start();
  });
});

describe('npm start that is killed while it starts', () => {
  let service: Service;
  afterAll(() => service.dispose());

  it('finishes its migrations at the next start', async () => {
    service = await Service.prepare();
    // From before wrangler is loaded to after the tables are there.
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

  /** Wrangler with the variables of a deployed environment, and with this secret. */
  async function deployed(key: string, readyStatus: number): Promise<Service> {
    const command = (port: number, state: string) =>
      `wrangler dev --env ${environment} --ip 127.0.0.1 --port ${port} --persist-to "${state}" --inspector-port 0 ` +
      `--show-interactive-dev-session=false --log-level warn --var OPERATOR_KEY:${key} --var SEALING_KEY:${'s'.repeat(40)}`;
    const service = await Service.start({ command, readyStatus, environment: { CI: 'true' } });
    services.push(service);
    return service;
  }

  it('refuses every path with the development key, and tells no one why', async () => {
    const service = await deployed(OPERATOR_KEY, 503);
    const paths = ['/', '/health', '/openapi.json', '/nowhere', IMAGE, `${API}/track`];
    const headers = { 'X-OPERATOR-KEY': OPERATOR_KEY };
    for (const path of [...paths, '/operator/rest/api/v1/organization']) {
      const answer = await send(service, { method: 'GET', path, headers });
      expect([path, answer.status, answer.json?.code]).toEqual([path, 503, 'temporarilyUnavailable']);
      expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
      const told = `${JSON.stringify([...answer.headers])}${answer.text}`;
      expect(told).not.toContain(OPERATOR_KEY);
      expect(told).not.toMatch(/OPERATOR_KEY|staging|production|secret/i);
    }
    // The operator of the service finds the reason in its log, without the value.
    expect(service.output).toContain('OPERATOR_KEY');
    expect(service.output).not.toContain(OPERATOR_KEY);
  });

  it('serves with a key of its own, and not for the development key', async () => {
    const service = await deployed('k'.repeat(40), 200);
    const path = '/operator/rest/api/v1/organization';
    const refused = await send(service, { method: 'GET', path, headers: { 'X-OPERATOR-KEY': OPERATOR_KEY } });
    expect([refused.status, refused.json.code]).toEqual([401, 'unauthorized']);
    expect(refused.headers.get('Server-Timing')).toBeNull();
  });
});
