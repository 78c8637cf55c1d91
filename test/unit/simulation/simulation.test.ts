import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { FAULTS } from '../../simulation/faults.ts';
import { GUARDS, patched } from '../../simulation/guards.ts';
import { playApart } from '../../simulation/process.ts';
import { commandOf, shrink } from '../../simulation/shrink.ts';

const SEED = 9;
const STEPS = 1_500;
/** A failure is told in as few steps as are found. */
const SHRINKING_MS = 600_000;

it.concurrent(
  'nothing is found in a short history, and a seed is a history',
  async () => {
    const asked = { seed: SEED, steps: STEPS, without: [] };
    const [once, again] = await Promise.all([playApart(asked), playApart(asked)]);
    if (once.finding !== undefined) {
      const least = await shrink({ ...asked, steps: once.steps, finding: once.finding });
      expect.fail(`${least.finding}\n${commandOf(least)}`);
    }
    expect(again).toEqual(once);
    expect(once.steps).toBe(STEPS);
    expect(Object.keys(once.faults).length).toBeGreaterThan(10);
    expect(Object.keys(once.met).length).toBeGreaterThan(50);
  },
  SHRINKING_MS,
);

it.each(GUARDS)('the simulation can take away the guard: $name', (guard) => {
  const text = readFileSync(resolve(import.meta.dirname, '../../..', guard.file), 'utf8');
  expect(patched(guard, text)).not.toBe(text);
});

it.concurrent(
  'a guard that is taken away is missed, and told in the fewest steps and faults',
  async () => {
    const guard = GUARDS.findIndex(({ name }) => name === 'one command is decided at a time');
    const asked = { seed: SEED, steps: STEPS, without: [] };
    const { finding, steps } = await playApart(asked, guard);
    expect(finding).toBeDefined();
    const least = await shrink({ ...asked, steps, finding: finding! }, guard);
    // It is found as soon as an organization begins to work, and nothing has to go wrong for that.
    expect(least).toMatchObject({ steps: 1, without: Object.keys(FAULTS) });
  },
  SHRINKING_MS,
);
