import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newTenant, type Tenant } from './client.ts';
import { listens } from './ports.ts';
import { isRuntime, listensAt, type Process } from './processes.ts';
import { ROOT, type Service } from './service.ts';
import { startedService } from './shared.ts';

/**
 * The end of a process is noticed at once. A process that no longer listens is noticed after ten seconds. The rest is
 * for slow machines.
 */
const NOTICED_MAXIMUM_MS = 45_000;

let service: Service;
let tenant: Tenant;
let codes = 0;

beforeAll(async () => {
  service = await startedService();
  tenant = await newTenant(service, 'acme');
});
afterAll(() => service.dispose());

/** How to recognize each process of `npm start`. */
const ROLES: Record<string, (process: Process) => boolean> = {
  start: ({ command }) => /^\S*node src\/cli\/start\.ts $/.test(command),
  wrangler: ({ command }) => command.includes('wrangler-dist/cli.js'),
  'the listening runtime': (process) => listensAt(process, service.port),
  'the runtime of the Worker': (process) => isRuntime(process) && !listensAt(process, service.port),
  'what bundles': ({ command }) => command.includes('esbuild --service'),
};

const soon = <T>(assertion: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(assertion, { timeout: NOTICED_MAXIMUM_MS, interval: 100 });

/** Sends a signal to all processes of these roles, as soon as they exist. */
async function signal(name: NodeJS.Signals, ...roles: string[]): Promise<void> {
  const pids = await soon(() => {
    const all = service.processes();
    return roles.flatMap((role) => {
      const found = all.filter(ROLES[role]!);
      if (found.length === 0) throw new Error(`There is no process that is ${role}.`);
      return found.map(({ pid }) => pid);
    });
  });
  for (const pid of pids) process.kill(pid, name);
}

/** Allocates a marker code, which needs every part of the service. */
async function expectServing(): Promise<void> {
  const { status, json } = await tenant.send({
    method: 'POST',
    path: '/marker-code/allocate?quantity=1&imageDelivery=URL',
  });
  expect(status).toBe(200);
  expect(json.entries[0].markerCode).toBe(1_000_000_000 + codes);
  codes += 1;
}

async function expectNothingLeft(): Promise<void> {
  await soon(() => expect(service.processes().map(({ command }) => command)).toEqual([]));
  // A process counts as ended while its last threads still hold the port.
  await soon(async () => expect(await listens(service.port)).toBe(false));
}

describe('npm start when one of its processes ends', () => {
  it.each([
    ['wrangler', 'SIGKILL', /Wrangler ended \(SIGKILL\)/],
    ['wrangler', 'SIGTERM', /Wrangler ended \(code 143\)/],
    ['the listening runtime', 'SIGKILL', /The process that listens on the port ended \(SIGKILL\)/],
    [
      'the listening runtime',
      'SIGTERM',
      /Nothing listens at http|The process that listens on the port ended/,
    ],
  ] as const)(
    'npm start ends everything when %s gets %s, says why, and starts again',
    async (role, name, why) => {
      await expectServing();
      await signal(name, role);
      await soon(() => expect(service.exitCode).toBeTypeOf('number'));
      expect(service.exitCode).toBeGreaterThan(0);
      expect(service.output).toMatch(why);
      expect(service.output).toContain(`Acknowledged writes are kept in ${service.stateDir}.`);
      await expectNothingLeft();
      await service.start();
      await expectServing();
    },
  );

  it.each([
    ['the runtime of the Worker', 'SIGKILL'],
    ['the runtime of the Worker', 'SIGTERM'],
    ['what bundles', 'SIGKILL'],
  ] as const)('npm start continues to serve when %s gets %s', async (role, name) => {
    await expectServing();
    await signal(name, role);
    await soon(async () => expect((await fetch(`${service.origin}/health`)).status).toBe(200));
    await soon(expectServing);
    expect(service.exitCode).toBeUndefined();
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGHUP'] as const)(
    'npm start leaves nothing behind when it gets %s',
    async (name) => {
      await signal(name, 'start');
      await expectNothingLeft();
      expect(service.output).not.toContain('Wrangler ended');
      await service.start();
      await expectServing();
    },
  );

  it('npm start leaves nothing behind when all its Node processes are killed at once', async () => {
    await expectServing();
    await signal('SIGKILL', 'start', 'wrangler');
    await expectNothingLeft();
    await service.start();
    await expectServing();
  });

  it('npm start ends a process that does not end by itself', async () => {
    await signal('SIGSTOP', 'wrangler');
    await expectServing();
    await signal('SIGTERM', 'start');
    await expectNothingLeft();
    await service.start();
    await expectServing();
  });
});

/** Starts a second service and returns its output and exit code. */
function startAgain(port: number, stateDir: string): Promise<{ said: string; code: number | null }> {
  return new Promise((answer) => {
    const child = spawn(process.execPath, ['src/cli/start.ts'], {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port), STATE_DIR: stateDir },
      timeout: NOTICED_MAXIMUM_MS,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    child.on('close', (code) => answer({ said, code }));
  });
}

describe('npm start beside another start or program', () => {
  it('npm start refuses a state folder that another start serves', async () => {
    const { said, code } = await startAgain(service.port + 1, service.stateDir);
    expect(said).toContain(`Another start serves the state in ${service.stateDir}.`);
    expect(said).not.toContain('Serving on');
    expect(code).toBe(1);
    await expectServing();
  });

  it('npm start refuses a port that another program uses', async () => {
    const other = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const { said, code } = await startAgain(port, join(service.home, 'other'));
    expect(said).toContain(`Port ${port} is in use.`);
    expect(code).toBe(1);
    other.close();
  });
});
