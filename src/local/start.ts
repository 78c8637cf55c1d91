/**
 * `npm start`: applies local migrations and serves through wrangler, with development values for secrets.
 * Environment: PORT (default 8787), STATE_DIR (default .state), BASE_DOMAIN (default localhost),
 * WEBHOOK_ALLOW_LOOPBACK (default true), WEBHOOK_RETRY_DIVISOR (default 1).
 * Says where it serves once it does; exits with 1 where the port is not free.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HOST = '127.0.0.1';
const POLL_MS = 100;
const PROBE_MAXIMUM_MS = 2_000;
/** How often the schedule of every minute is run, so that nobody has to wait for it on their own machine. */
const SCHEDULE_MS = 10_000;

const wrangler = resolve(import.meta.dirname, '../../node_modules/wrangler/bin/wrangler.js');
/** Wrangler hands the options of node on to the process that it starts in turn. */
const orphansEnd = ['--import', new URL('./end-with-parent.ts', import.meta.url).href];
const port = process.env['PORT'] ?? '8787';
const state = resolve(process.env['STATE_DIR'] ?? '.state');
const origin = `http://${HOST}:${port}`;
/** Which process serves this state, and at which port. */
const note = join(state, 'serving.json');
const environment = {
  ...process.env,
  CI: 'true',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
};
/** Marked as local: a deployed environment refuses to serve with them. */
const variables = {
  ENVIRONMENT: 'development',
  OPERATOR_KEY: 'local-operator-key',
  SEALING_KEY: 'local-sealing-key',
  BASE_DOMAIN: process.env['BASE_DOMAIN'] ?? 'localhost',
  WEBHOOK_ALLOW_LOOPBACK: process.env['WEBHOOK_ALLOW_LOOPBACK'] ?? 'true',
  WEBHOOK_RETRY_DIVISOR: process.env['WEBHOOK_RETRY_DIVISOR'] ?? '1',
};

/** Why the port cannot be had, or undefined where it is free. */
async function refusal(): Promise<string | undefined> {
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    return `PORT is ${port}, which is not a port from 1 to 65535.`;
  }
  const code = await new Promise<string | undefined>((answer) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => answer(error.code ?? error.message));
    probe.listen(Number(port), HOST, () => probe.close(() => answer(undefined)));
  });
  if (code === undefined) return undefined;
  if (code !== 'EADDRINUSE') return `Port ${port} cannot be listened on: ${code}.`;
  if (!(await isUp())) return `Port ${port} is in use by another program. Choose another with PORT.`;
  const pid = earlierStart();
  const stop = pid === undefined ? 'Stop it' : `Stop it with kill ${pid}`;
  return `Port ${port} is in use: an earlier start of this service serves there. ${stop}, or choose another with PORT.`;
}

/**
 * The process of an earlier start with this state and port that still runs: npm, or the terminal, may have been
 * killed without it.
 */
function earlierStart(): number | undefined {
  try {
    const noted = JSON.parse(readFileSync(note, 'utf8')) as { pid: number; port: string };
    // Signal 0 only asks whether there is such a process.
    return noted.port === port && process.kill(noted.pid, 0) ? noted.pid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the health check of this service is answered at its address. */
async function isUp(): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/health`, { signal: AbortSignal.timeout(PROBE_MAXIMUM_MS) });
    return answer.ok && ((await answer.json()) as { status?: unknown }).status === 'UP';
  } catch {
    return false;
  }
}

function migrate(): void {
  const migrated = spawnSync(
    process.execPath,
    [wrangler, 'd1', 'migrations', 'apply', 'DB', '--local', '--persist-to', state],
    { env: environment, encoding: 'utf8' },
  );
  if (migrated.status === 0) return;
  process.stderr.write(`${migrated.stdout}${migrated.stderr}`);
  process.exit(migrated.status ?? 1);
}

async function serve(): Promise<void> {
  const served = spawn(
    process.execPath,
    [
      ...orphansEnd,
      wrangler,
      'dev',
      ...['--ip', HOST, '--port', port, '--persist-to', state, '--show-interactive-dev-session=false'],
      ...['--inspector-port', '0', '--log-level', 'warn'],
      ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
    ],
    { env: environment, stdio: 'inherit' },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => served.kill(signal));
  served.on('exit', (code) => {
    rmSync(note, { force: true });
    process.exit(code ?? 0);
  });
  mkdirSync(state, { recursive: true });
  writeFileSync(note, JSON.stringify({ pid: process.pid, port }));
  while (!(await isUp())) await sleep(POLL_MS);
  keepSchedule();
  process.stdout.write(`Serving on ${origin} (state in ${state})\n`);
}

/** Wrangler runs no schedules on a developer's machine: this one raises alerts of devices that fell silent. */
function keepSchedule(): void {
  const url = `${origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`;
  setInterval(() => {
    fetch(url, { signal: AbortSignal.timeout(SCHEDULE_MS) })
      .then((answer) => answer.text())
      .catch(() => undefined);
  }, SCHEDULE_MS);
}

const reason = await refusal();
if (reason !== undefined) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
migrate();
await serve();
