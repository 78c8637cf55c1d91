/**
 * `npm run simulate -- --seed N --steps N` plays random histories of several organizations. They use the
 * real commands, writer, jobs and consumers over a thin D1, with faults and checks at every step.
 * `--guards` removes guards of the writer, one by one. It prints after how many steps a check fails without
 * each guard.
 */
import { commandLine } from '../../src/cli/command-line.ts';
import { GUARDS } from './guards.ts';
import { loadService } from './hooks.ts';

const { values } = commandLine(import.meta.filename, {
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '100000' },
    /** Faults to leave out, separated by commas. */
    without: { type: 'string', default: '' },
    guards: { type: 'boolean', default: false },
    /** The index of a guard to remove. */
    guard: { type: 'string' },
    /** Play one history and print the result as JSON, for another process. */
    json: { type: 'boolean', default: false },
    /** Include the result of each batch in the JSON, for a comparison. */
    traced: { type: 'boolean', default: false },
  },
});
const [seed, steps] = [Number(values.seed), Number(values.steps)];
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(steps) || steps < 1) {
  console.error('--seed and --steps must be whole numbers, and --steps at least 1.');
  process.exit(2);
}
const guard = values.guard === undefined ? undefined : GUARDS[Number(values.guard)];
loadService(guard);
const without = values.without.split(',').filter((name) => name !== '');

if (values.guards) {
  const { tryWithoutGuards } = await import('./guard-table.ts');
  process.exitCode = await tryWithoutGuards(seed, steps);
} else if (values.json) {
  const { playOne } = await import('./play-one.ts');
  const options = { seed, steps, without: new Set(without), traced: values.traced };
  process.stdout.write(JSON.stringify(await playOne(options, guard)));
} else {
  const { search } = await import('./search.ts');
  process.exitCode = await search(seed, steps, without);
}
