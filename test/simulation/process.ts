import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { PlayedJson } from './play-to-json.ts';

const PROGRAM = resolve(import.meta.dirname, 'simulate.ts');
/** A history that takes longer is assumed never to end. */
const HISTORY_MAXIMUM_MS = 120_000;

const NOTHING = { faults: {}, outcomes: {}, logged: [], trace: [], tables: {} };

/** Play one history in a separate process, where no other history has left any state. */
export function playApart(
  {
    seed,
    steps,
    without = [],
    traced = false,
  }: { seed: number; steps: number; without?: readonly string[]; traced?: boolean },
  guard?: number,
): Promise<PlayedJson> {
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
    { stdio: ['ignore', 'pipe', 'inherit'], timeout: HISTORY_MAXIMUM_MS },
  );
  let output = '';
  child.stdout.on('data', (part) => {
    output += part;
  });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code, signal) => {
      if (code === 0) done(JSON.parse(output) as PlayedJson);
      else if (signal === 'SIGTERM') done({ ...NOTHING, steps, finding: 'the history never ends' });
      else failed(new Error(`the history ${seed} of ${steps} steps ended with ${code}`));
    });
  });
}
