/**
 * `npm run simulate -- --seed N --steps N`: random histories of several organizations on the real commands, writer,
 * jobs and consumers, over a thin D1, with faults at every step and checks all the time. `--guards` takes away guards
 * of the writer, one by one, and shows after how many steps each is missed.
 */
import { commandLine } from '../../src/cli/command-line.ts';
import { GUARDS } from './guards.ts';
import { loadService } from './hooks.ts';

const { values } = commandLine(import.meta.filename, {
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '100000' },
    /** Faults that are left out, separated by commas. */
    without: { type: 'string', default: '' },
    guards: { type: 'boolean', default: false },
    /** Take away this guard, by its place in the list. */
    guard: { type: 'string' },
    /** Print one history as JSON, for who starts this as a process. */
    json: { type: 'boolean', default: false },
    /** With what each batch came to, for who compares it. */
    traced: { type: 'boolean', default: false },
  },
});
const [seed, steps] = [Number(values.seed), Number(values.steps)];
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(steps) || steps < 1) {
  console.error('--seed and --steps are whole numbers.');
  process.exit(2);
}
const guard = values.guard === undefined ? undefined : GUARDS[Number(values.guard)];
loadService(guard);
const without = values.without.split(',').filter((name) => name !== '');

if (values.guards) {
  const { missGuards } = await import('./guard-table.ts');
  process.exitCode = await missGuards(seed, steps);
} else if (values.json) {
  const { playOne } = await import('./play-one.ts');
  const asked = { seed, steps, without: new Set(without), traced: values.traced };
  process.stdout.write(JSON.stringify(await playOne(asked, guard)));
} else {
  const { search } = await import('./search.ts');
  process.exitCode = await search(seed, steps, without);
}
