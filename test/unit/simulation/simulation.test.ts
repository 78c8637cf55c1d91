import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { FAULTS } from '../../simulation/faults.ts';
import { GUARDS, patched } from '../../simulation/guards.ts';
import { playApart } from '../../simulation/process.ts';
import { commandOf, shrink } from '../../simulation/shrink.ts';

const SEED = 9;
const STEPS = 1_500;
/** A failure is reported with as few steps as possible. */
const SHRINKING_MS = 600_000;

it.concurrent(
  'a short history passes all checks, and its seed repeats it exactly',
  async () => {
    const options = { seed: SEED, steps: STEPS, without: [] };
    const [once, again] = await Promise.all([playApart(options), playApart(options)]);
    if (once.finding !== undefined) {
      const least = await shrink({ ...options, steps: once.steps, finding: once.finding });
      expect.fail(`${least.finding}\n${commandOf(least)}`);
    }
    expect(again).toEqual(once);
    expect(once.steps).toBe(STEPS);
    expect(Object.keys(once.faults).length).toBeGreaterThan(10);
    expect(Object.keys(once.outcomes).length).toBeGreaterThan(50);
  },
  SHRINKING_MS,
);

it.each(GUARDS)('the simulation can remove the guard: $name', (guard) => {
  const text = readFileSync(resolve(import.meta.dirname, '../../..', guard.file), 'utf8');
  expect(patched(guard, text)).not.toBe(text);
});

it.concurrent(
  'a check fails without a guard, and the report has the fewest steps and faults',
  async () => {
    const guard = GUARDS.findIndex(({ name }) => name === 'one command is decided at a time');
    const options = { seed: SEED, steps: STEPS, without: [] };
    const { finding, steps } = await playApart(options, guard);
    expect(finding).toBeDefined();
    const least = await shrink({ ...options, steps, finding: finding! }, guard);
    // The check fails as soon as an organization starts to work, without any fault.
    expect(least).toMatchObject({ steps: 1, without: Object.keys(FAULTS) });
  },
  SHRINKING_MS,
);
