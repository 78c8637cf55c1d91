/** Wrangler as a process of ours: it ends with us, and nothing that it started outlives it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { COMPILED } from './compiled.ts';

const cli = fileURLToPath(import.meta.resolve('wrangler'));
const guard = new URL(`./wrangler-guard.ts?parent=${process.pid}`, import.meta.url).href;
const environment = {
  ...process.env,
  CI: 'true',
  // 15 MB: a start waits a third less where cores are busy.
  NODE_COMPILE_CACHE: COMPILED,
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  // Pages beside the Worker on its port: any SQL on its database, and every request with its headers.
  X_LOCAL_EXPLORER: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
};

/** Run wrangler with these arguments. Its pid is also the number of its process group (not on Windows). */
export function wrangler(args: readonly string[], output: 'inherit' | 'pipe'): ChildProcess {
  const child = spawn(process.execPath, ['--no-warnings', '--import', guard, cli, ...args], {
    env: environment,
    stdio: ['ignore', output, output],
    // A group of its own, by which its workers are found when it is gone; a terminal signals us alone.
    detached: process.platform !== 'win32',
  });
  child.on('exit', () => killGroup(child.pid!));
  return child;
}

/** Kill whatever is left of a process group. */
export function killGroup(group: number): void {
  signalGroup(group, 'SIGKILL');
}

/** Whether a process group has anybody left in it. */
export const isAlive = (group: number): boolean => signalGroup(group, 0);

function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}
