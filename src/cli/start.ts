/**
 * `npm start`: applies local migrations and serves through wrangler, with development values for secrets.
 * Environment: PORT (default 8787), HOST (default 127.0.0.1), STATE_DIR (default .state), BASE_DOMAIN (default localhost), WEBHOOK_ALLOW_LOOPBACK
 * (default true), WEBHOOK_RETRY_DIVISOR (default 1), REQUEST_LOG (default false), SEALING_KEY and SEALING_KEY_PREVIOUS.
 * HOST=0.0.0.0 also serves the local network.
 * Prints the URL once the service is ready. Serves until it gets a signal or npm ends. If a process that it needs
 * ends, it ends the others and prints the reason. The exit code is then not 0. It is 1 if the port or the state is in
 * use.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { commandLine } from './command-line.ts';
import { migrate } from './migrate.ts';
import { LOOPBACK, localOrigin, networkText } from './network.ts';
import { keepSchedule } from './schedule.ts';
import { developmentVariables } from './variables.ts';

const POLL_MS = 100;
/** How long wrangler may take to end. A start also waits this long for an earlier one to end. */
const STOP_MAXIMUM_MS = 5_000;

commandLine(import.meta.filename, { options: {} });
const port = process.env['PORT'] ?? '8787';
const state = resolve(process.env['STATE_DIR'] ?? '.state');
const host = process.env['HOST'] || LOOPBACK;
const origin = localOrigin(host, port);
const variables = developmentVariables(process.env);
/** Read at once, because npm may end before wrangler is started. */
const npm = process.ppid;

/**
 * Lock the state for this start, because another start would find its databases locked. The lock ends with the process.
 */
function lockState(): void {
  mkdirSync(state, { recursive: true });
  const lock = new DatabaseSync(join(state, 'lock.sqlite'), { timeout: STOP_MAXIMUM_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    throw new Error(`Another start serves the state in ${state}. Stop it, or choose another with STATE_DIR.`);
  }
  process.on('exit', () => lock.close());
}

async function awaitPort(): Promise<void> {
  const isFree = () =>
    new Promise<boolean>((answer) => {
      const probe = createServer().once('error', () => answer(false));
      probe.listen(Number(port), host, () => probe.close(() => answer(true)));
    });
  for (const begin = performance.now(); !(await isFree()); await sleep(POLL_MS)) {
    if (performance.now() - begin > STOP_MAXIMUM_MS)
      throw new Error(`Port ${port} is in use. Stop the program that has it, or choose another with PORT.`);
  }
}

function startWrangler(): ChildProcess {
  const options = [
    ...['--ip', host, '--port', port, '--persist-to', state, '--inspector-port', '0'],
    // Only deployments are minified. Minifying takes a fifth of the start, and makes the lines in errors useless.
    '--minify=false',
    // Wrangler and the Worker log at the same level. Both appear only if requests are to be
    // logged.
    ...['--log-level', variables.REQUEST_LOG === 'true' ? 'log' : 'warn'],
    ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ];
  return fork(fileURLToPath(import.meta.resolve('wrangler')), ['dev', ...options], {
    execArgv: ['--no-warnings', '--import', new URL('./wrangler-guard.ts', import.meta.url).href],
    // A process group of its own, so that its workers can be found when it is gone. Windows has no groups.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      // Wrangler has 15 MB of script to compile. On busy cores that is a third of the start.
      NODE_COMPILE_CACHE: 'node_modules/.cache/node',
      WRANGLER_SEND_METRICS: 'false',
      // Otherwise it warns on a machine without internet.
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      // Wrangler's own pages on the same port run any SQL on the database, and show every request with its headers.
      X_LOCAL_EXPLORER: 'false',
      X_LOCAL_OBSERVABILITY: 'false',
    },
  });
}

/**
 * Kill wrangler and its workers as soon as this process ends, even if all Node processes are killed at once. A shell waits
 * for the end of its input, which is the end of this process.
 */
function guardGroup(group: number): void {
  if (process.platform === 'win32') return;
  spawn('sh', ['-c', `read -r _; kill -s KILL -- -${group}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

async function serve(): Promise<void> {
  const wrangler = startWrangler();
  guardGroup(wrangler.pid!);
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    wrangler.kill();
    setTimeout(() => process.exit(), STOP_MAXIMUM_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // npm passes on only SIGINT and SIGTERM, and it may be killed.
  setInterval(() => process.ppid !== npm && stop(), POLL_MS);
  wrangler.on('exit', (code, signal) => {
    if (!isStopped)
      say(`Wrangler ended (${signal ?? `code ${code}`}). Acknowledged writes are kept in ${state}.`);
    process.exit(isStopped ? 0 : code || 1);
  });
  const isUp = () =>
    fetch(`${origin}/health`).then(
      (answer) => answer.ok,
      () => false,
    );
  while (!(await isUp())) await sleep(POLL_MS);
  keepSchedule(origin, () => {
    say(`Nothing listens at ${origin} any more.`);
    wrangler.kill('SIGKILL');
  });
  process.stdout.write(
    `Serving on ${origin} (state in ${state})\n` +
      `  ${origin}/docs   the API reference\n` +
      `  ${origin}/app    the operations pages (the demo creates a user)\n` +
      `  ${origin}/operator   organizations, databases, dead letters (sign in with ${variables.OPERATOR_KEY})\n` +
      `  ${port === '8787' ? '' : `PORT=${port} `}npm run demo   plays a dispatch day, in another terminal\n` +
      networkText(host, port),
  );
}

function say(what: string): void {
  process.stderr.write(`${what}\n`);
}

try {
  lockState();
  await awaitPort();
  migrate(state);
  await serve();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
