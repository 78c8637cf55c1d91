import { expect, it } from 'vitest';
import { playApart } from '../../simulation/process.ts';

const SEED = 7;
const STEPS = 2_500;

it('nothing is found in a short history, and a seed is a history', async () => {
  const [once, again] = await Promise.all([0, 1].map(() => playApart({ seed: SEED, steps: STEPS })));
  expect(once!.finding).toBeUndefined();
  expect(once!.steps).toBe(STEPS);
  expect(again).toEqual(once);
  expect(Object.keys(once!.faults).length).toBeGreaterThan(10);
  expect(Object.keys(once!.met).length).toBeGreaterThan(50);
});

it('a guard that is taken away is missed', async () => {
  const { finding } = await playApart({ seed: SEED, steps: STEPS }, 2);
  expect(finding).toContain('collides with itself');
});
