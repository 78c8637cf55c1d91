import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { PlainPlayed } from './plain.ts';

const PROGRAM = resolve(import.meta.dirname, 'simulate.ts');
/** A history that takes longer goes on for ever. */
const PATIENCE_MS = 120_000;

const NOTHING = { faults: {}, met: {}, logged: [], trace: [], tables: {} };

/** Play one history in a process of its own, where nothing is left of another. */
export function playApart(
  {
    seed,
    steps,
    without = [],
    traced = false,
  }: { seed: number; steps: number; without?: readonly string[]; traced?: boolean },
  guard?: number,
): Promise<PlainPlayed> {
  const child = spawn(
    process.execPath,
    [
      PROGRAM,
      '--json',
      `--seed=${seed}`,
      `--steps=${steps}`,
      `--without=${without.join()}`,
      ...(traced ? ['--traced'] : []),
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
    child.once('close', (code, signal) => {
      if (code === 0) done(JSON.parse(output) as PlainPlayed);
      else if (signal === 'SIGTERM') done({ ...NOTHING, steps, finding: 'it never ends' });
      else failed(new Error(`the history ${seed} of ${steps} steps ended with ${code}`));
    });
  });
}
