import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Told } from './play-one.ts';

const PROGRAM = resolve(import.meta.dirname, 'simulate.ts');
const PATIENCE_MS = 300_000;

/** Play one history in a process of its own, where nothing is left of another. */
export function playApart(
  { seed, steps, without = [] }: { seed: number; steps: number; without?: readonly string[] },
  guard?: number,
): Promise<Told> {
  const child = spawn(
    process.execPath,
    [
      PROGRAM,
      '--json',
      `--seed=${seed}`,
      `--steps=${steps}`,
      `--without=${without.join()}`,
      ...(guard === undefined ? [] : [`--guard=${guard}`]),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], timeout: PATIENCE_MS },
  );
  let output = '';
  child.stdout.on('data', (part) => {
    output += part;
  });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => {
      if (code === 0) done(JSON.parse(output) as Told);
      else failed(new Error(`the history ${seed} of ${steps} steps ended with ${code}`));
    });
  });
}
