import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { migrate } from '../../src/cli/migrate.ts';
import { developmentVariables } from '../../src/cli/variables.ts';

const root = resolve(import.meta.dirname, '../..');
const wrangler = resolve(root, 'node_modules/wrangler/bin/wrangler.js');
const START_MAXIMUM_MS = 180_000;

export interface Server {
  origin: string;
  stop(): Promise<void>;
}

const rivalFolder = resolve(import.meta.dirname, 'rival');

/**
 * Start Fastify with SQLite on this machine, with the bare Worker's tables. Installs its packages if they
 * are missing. @returns undefined, after printing why, if they cannot be installed.
 */
export async function startRival(file: string): Promise<(Server & { engine: string }) | undefined> {
  if (!existsSync(join(rivalFolder, 'node_modules/fastify'))) {
    const installed = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: rivalFolder,
      encoding: 'utf8',
    });
    if (installed.status !== 0) {
      console.log(
        `The benchmark runs without Fastify, because its packages cannot be installed: ${installed.stderr}`,
      );
      return undefined;
    }
  }
  const port = await freePort();
  const schema = resolve(import.meta.dirname, 'bare/migrations');
  const environment = { PORT: String(port), FILE: file, SCHEMA: schema };
  const server = await serve([join(rivalFolder, 'server.ts')], environment, port, '/');
  const { engine } = (await (await fetch(server.origin)).json()) as { engine: string };
  return { ...server, engine };
}

/** Start the service as `npm start` does. */
export async function startService(state: string, at?: number): Promise<Server> {
  const port = at ?? (await freePort());
  const environment = { PORT: String(port), STATE_DIR: state, BASE_DOMAIN: 'localhost' };
  return serve([resolve(root, 'src/cli/start.ts')], environment, port, '/health');
}

/**
 * Start the service under the limits of the deployed platform (`test/platform`), with delays of its bindings. It runs no
 * schedule.
 */
export async function startPlatform(
  state: string,
  port: number,
  delays: Record<string, string>,
): Promise<Server> {
  migrate(state);
  const variables = { ...developmentVariables({ BASE_DOMAIN: 'localhost' }), ...delays };
  return serve(
    [
      wrangler,
      ...['dev', resolve(root, 'test/platform/worker.ts'), '--persist-to', state, '--minify=false'],
      ...listening(port),
      ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
    ],
    {},
    port,
    '/health',
  );
}

const listening = (port: number): string[] => [
  ...['--ip', '127.0.0.1', '--port', String(port), '--show-interactive-dev-session=false'],
  ...['--inspector-port', '0', '--log-level', 'warn'],
];

/**
 * Start the bare Worker like the service: same wrangler, compatibility date and flags. It has its own
 * state.
 */
export async function startBare(state: string): Promise<Server> {
  const port = await freePort();
  const shared = [
    '--config',
    resolve(import.meta.dirname, 'bare/wrangler.toml'),
    '--persist-to',
    state,
    ...compatibility(),
  ];
  const migrated = spawnSync(
    process.execPath,
    [wrangler, 'd1', 'migrations', 'apply', 'DB', '--local', ...shared.slice(0, 4)],
    { cwd: root, env: environmentOf({}), encoding: 'utf8' },
  );
  if (migrated.status !== 0) throw new Error(`${migrated.stdout}${migrated.stderr}`);
  return serve([wrangler, 'dev', ...shared, ...listening(port)], {}, port, '/');
}

const environmentOf = (more: Record<string, string>) => ({
  ...process.env,
  CI: 'true',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  ...more,
});

/** The options with the service's compatibility date and flags, so that both Workers use the same. */
function compatibility(): string[] {
  const configuration = readFileSync(resolve(root, 'wrangler.toml'), 'utf8');
  const date = /^compatibility_date = "(.+)"$/m.exec(configuration)?.[1];
  const flags = /^compatibility_flags = \[(.*)\]$/m.exec(configuration)?.[1];
  if (!date || flags === undefined) throw new Error('wrangler.toml has no compatibility date or flags');
  return [
    '--compatibility-date',
    date,
    ...[...flags.matchAll(/"([^"]+)"/g)].flatMap(([, flag]) => ['--compatibility-flags', flag!]),
  ];
}

async function serve(
  command: string[],
  environment: Record<string, string>,
  port: number,
  probe: string,
): Promise<Server> {
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: environmentOf(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that no workerd is left after it stops.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output = `${output}${text}`.slice(-10_000);
    });
  }
  const origin = `http://127.0.0.1:${port}`;
  const stop = () => stopChild(child);
  process.once('exit', () => signal(child, 'SIGKILL'));
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1));
  for (const started = Date.now(); ; ) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${output}`);
    const up = await fetch(`${origin}${probe}`).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return { origin, stop };
    if (Date.now() - started > START_MAXIMUM_MS) {
      await stop();
      throw new Error(`the server did not start: ${output}`);
    }
    await wait(200);
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  signal(child, 'SIGTERM');
  await Promise.race([ended, wait(5_000)]);
  signal(child, 'SIGKILL');
}

function signal(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-child.pid!, name);
  } catch {
    // The group has ended already.
  }
}

export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' ? address!.port : 0));
    });
  });
}
