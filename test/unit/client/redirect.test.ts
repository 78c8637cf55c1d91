import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiClient, ApiError } from '../../../src/client/client.ts';
import { eventsAfter } from '../../../src/client/webhooks.ts';

const STATUSES = [301, 302, 303, 307, 308];
const KEY = 'wdk_live_SECRET';
const LOCAL = resolve(import.meta.dirname, '../../../src/cli');

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  ends.push(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A service that redirects all requests to another origin, and the requests that arrive there. */
async function redirecting(status: number) {
  const stolen: unknown[] = [];
  const elsewhere = await serve((request, response) => {
    stolen.push(request.headers);
    response.writeHead(200).end('{"content":[]}');
  });
  const asked: (string | undefined)[] = [];
  const base = await serve((request, response) => {
    asked.push(request.method);
    request.resume();
    response.writeHead(status, { Location: `${elsewhere}/stolen` }).end();
  });
  return { base, place: `${elsewhere}/stolen`, stolen, asked };
}

async function walkAll(base: string): Promise<void> {
  const walk = new ApiClient(base, { 'X-AUTH-KEY': KEY }).walk('/thing');
  while (!(await walk.next()).done);
}

/** Run a program of `src/cli` to its end. */
function run(program: string, args: string[], environment: Record<string, string>) {
  return new Promise<{ code: unknown; text: string }>((done) => {
    const options = { env: { ...process.env, ...environment }, timeout: 20_000 };
    const child = execFile(process.execPath, [join(LOCAL, program), ...args], options, (error, out, err) =>
      done({ code: error?.code ?? 0, text: out + err }),
    );
    ends.push(() => child.kill());
  });
}

describe('a key', () => {
  it.each(STATUSES)('the client sends its key to no other origin that a %i names', async (status) => {
    const { base, place, stolen, asked } = await redirecting(status);
    const client = new ApiClient(base, { 'X-AUTH-KEY': KEY });
    for (const method of ['GET', 'POST', 'DELETE']) {
      const failed = await client
        .request(method, '/thing', { key: 'k', body: method === 'POST' ? {} : undefined })
        .catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(ApiError);
      expect((failed as ApiError).status).toBe(status);
      expect((failed as ApiError).code).toBe('redirected');
      expect((failed as ApiError).message).toContain(place);
      expect((failed as ApiError).message).not.toContain(KEY);
    }
    await expect(eventsAfter(client, 0).next()).rejects.toThrow(place);
    await expect(client.walk('/thing').next()).rejects.toThrow(place);
    expect([stolen, asked]).toEqual([[], ['GET', 'POST', 'DELETE', 'GET', 'GET']]);
  });

  it('the client sends its key along a Link to paths of the same origin only', async () => {
    const stolen: unknown[] = [];
    const elsewhere = await serve((request, response) => {
      stolen.push(request.headers);
      response.writeHead(200).end('{"content":[]}');
    });
    const { host } = new URL(elsewhere);
    const seen: string[] = [];
    let target = '';
    const base = await serve((request, response) => {
      seen.push(request.url!);
      const link = seen.length === 1 ? { Link: `<${target}>; rel="next"` } : {};
      response.writeHead(200, link).end('{"content":[1]}');
    });
    for (const hostile of [`x:@${host}/a`, `x:.${host}`, 'mailto:a', 'data:,a', `x:${host}/a`]) {
      seen.length = 0;
      target = hostile;
      const walk = walkAll(base);
      await expect(walk, hostile).rejects.toThrow(`names no path of the service: ${hostile}`);
      expect(seen).toEqual(['/thing']);
    }
    // Behind a proxy, the service may see another host. Then only the path of the link counts.
    for (const [written, path] of [
      [`${elsewhere}/next?a=1`, '/next?a=1'],
      [`//${host}/next`, '/next'],
      [`${elsewhere}//evil.example/a`, '//evil.example/a'],
    ] as const) {
      seen.length = 0;
      target = written;
      await walkAll(base);
      expect(seen).toEqual(['/thing', path]);
    }
    expect(stolen).toEqual([]);
  });

  it('the client sends its key to no path that would change the origin', async () => {
    const elsewhere = await redirecting(200);
    const { host } = new URL(elsewhere.base);
    const client = new ApiClient('http://127.0.0.1', { 'X-AUTH-KEY': KEY });
    for (const path of [`:${new URL(elsewhere.base).port}/a`, `@${host}/a`, '.example/a'])
      await expect(client.request('GET', path, { attempts: 1 })).rejects.toThrow('A path begins with /');
    expect(elsewhere.asked).toEqual([]);
  });

  it('the import sends its key to no operation at another origin', async () => {
    const { place, stolen } = await redirecting(302);
    const base = await serve((request, response) => {
      request.resume().once('end', () => {
        if (request.method === 'POST') response.writeHead(202).end('{"operationId":"o"}');
        else response.writeHead(302, { Location: place }).end();
      });
    });
    const home = mkdtempSync(join(tmpdir(), 'dispatch-redirect-'));
    ends.push(() => rmSync(home, { recursive: true }));
    const file = join(home, 'export.ndjson');
    writeFileSync(file, '{}\n');
    const { code, text } = await run('organization-import.ts', [file], { BASE_URL: base, OPERATOR_KEY: KEY });
    expect([code, text.includes(place) || text]).toEqual([2, true]);
    expect(stolen).toEqual([]);
  });

  it.each([302, 308])('no program sends its key to another origin that a %i names', async (status) => {
    const { base, place, stolen } = await redirecting(status);
    const home = mkdtempSync(join(tmpdir(), 'dispatch-redirect-'));
    ends.push(() => rmSync(home, { recursive: true }));
    const file = join(home, 'export.ndjson');
    writeFileSync(file, '{}\n');
    const environment = { BASE_URL: base, STATE_DIR: home, API_KEY: KEY, OPERATOR_KEY: KEY };
    const programs: [string, string[]][] = [
      ['listen.ts', ['--forward-to', 'http://127.0.0.1:9/']],
      ['organization-export.ts', ['01a1fdae-f4f9-731a-b4eb-69b32c4df137']],
      ['organization-import.ts', [file]],
      ['audit-verify.ts', ['--base', base]],
      ['demo.ts', []],
    ];
    const ran = await Promise.all(programs.map(([program, args]) => run(program, args, environment)));
    ran.forEach(({ code, text }, index) => {
      const [program] = programs[index]!;
      expect([program, code === 0, text.includes(place) || text]).toEqual([program, false, true]);
    });
    expect(stolen).toEqual([]);
  });
});
