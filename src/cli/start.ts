/**
 * `npm start`: applies local migrations and serves through wrangler, with development values for secrets.
 * Environment: PORT (default 8787), STATE_DIR (default .state), BASE_DOMAIN (default localhost),
 * WEBHOOK_ALLOW_LOOPBACK (default true), WEBHOOK_RETRY_DIVISOR (default 1), REQUEST_LOG (default false), SEALING_KEY and
 * SEALING_KEY_PREVIOUS.
 * Says where it serves once it does. Serves until it is told to end, or until a process that it needs is gone: then
 * it ends the others, says so, and exits with another code than 0. Exits with 1 where the port is not free.
 */
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from './command-line.ts';
import { migrate } from './migrate.ts';
import { endLeftovers, readNote, writeNote } from './note.ts';
import { keepSchedule } from './schedule.ts';
import { developmentVariables } from './variables.ts';
import { ask, gone } from './watch.ts';
import { killGroup, wrangler } from './wrangler.ts';

const HOST = '127.0.0.1';
const POLL_MS = 100;
const PROBE_MAXIMUM_MS = 2_000;
const PATIENCE = { pause: 1_000, answer: 5_000, refused: 5_000, silent: 120_000 };
/** How long wrangler may take to end when it is told to. */
const STOP_MAXIMUM_MS = 10_000;

commandLine(import.meta.filename, { options: {} });
const port = process.env['PORT'] ?? '8787';
const state = resolve(process.env['STATE_DIR'] ?? '.state');
const origin = `http://${HOST}:${port}`;
const variables = developmentVariables(process.env);

const isUp = async (at: string): Promise<boolean> => (await ask(at, PROBE_MAXIMUM_MS)) === 'up';

/** Why port or state cannot be had, or undefined where they are free. */
async function refusal(): Promise<string | undefined> {
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    return `PORT is ${port}, which is not a port from 1 to 65535.`;
  }
  const earlier = readNote(state);
  const stop = earlier ? `Stop it with kill ${earlier.pid}` : 'Stop it';
  if (earlier && earlier.origin !== origin && (await isUp(earlier.origin))) {
    return `The state in ${state} is in use: an earlier start serves it at ${earlier.origin}. ${stop}, or choose another with STATE_DIR.`;
  }
  const code = await new Promise<string | undefined>((answer) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => answer(error.code ?? error.message));
    probe.listen(Number(port), HOST, () => probe.close(() => answer(undefined)));
  });
  if (code === undefined) return undefined;
  if (code !== 'EADDRINUSE') return `Port ${port} cannot be listened on: ${code}.`;
  if (!(await isUp(origin))) return `Port ${port} is in use by another program. Choose another with PORT.`;
  const its = earlier?.origin === origin ? stop : 'Stop it';
  return `Port ${port} is in use: an earlier start of this service serves there. ${its}, or choose another with PORT.`;
}

async function serve(): Promise<void> {
  const served = wrangler(
    [
      'dev',
      ...['--ip', HOST, '--port', port, '--persist-to', state, '--show-interactive-dev-session=false'],
      // Minified for deployments only: it takes a fifth of the start, and lines of errors would say nothing.
      ...['--inspector-port', '0', '--minify=false'],
      // With the Worker's lines come wrangler's own: only where those of requests are asked for.
      ...['--log-level', variables.REQUEST_LOG === 'true' ? 'log' : 'warn'],
      ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
    ],
    'inherit',
  );
  const group = served.pid!;
  const forget = writeNote(state, { pid: process.pid, group, origin });
  let isTold = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      isTold = true;
      served.kill(signal);
      setTimeout(() => killGroup(group), STOP_MAXIMUM_MS).unref();
    });
  }
  let why: string | undefined;
  served.on('exit', (code, signal) => {
    forget();
    if (isTold) process.exit(code ?? 1);
    say(why ?? `Wrangler ended (${signal ?? `code ${code}`}).`);
    say(`Nothing is served any more. What was acknowledged is kept in ${state}.`);
    process.exit(code || 1);
  });
  while (!(await isUp(origin))) await sleep(POLL_MS);
  keepSchedule(origin);
  process.stdout.write(
    `Serving on ${origin} (state in ${state})\n` +
      `  ${origin}/docs   the reference, to read and to try\n` +
      `  ${origin}/app    the operations pages: the demo makes a sign-in\n` +
      `  ${origin}/operator   organizations, databases, dead letters: signed in by ${variables.OPERATOR_KEY}\n` +
      `  ${port === '8787' ? '' : `PORT=${port} `}npm run demo   plays a dispatch day, in another terminal\n`,
  );
  why = await gone(origin, PATIENCE);
  killGroup(group);
}

function say(what: string): void {
  process.stderr.write(`${what}\n`);
}

try {
  if (await endLeftovers(state)) say('Ended what an earlier start, which was killed, had left behind.');
  const reason = await refusal();
  if (reason !== undefined) throw new Error(reason);
  mkdirSync(state, { recursive: true });
  migrate(state);
  await serve();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
