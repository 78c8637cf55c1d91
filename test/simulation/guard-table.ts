import { GUARDS } from './guards.ts';
import { playApart } from './process.ts';

/** The length of each history. */
const HISTORY_STEPS = 5_000;

/**
 * Remove each guard by itself and print after how many steps a check fails. @returns the exit code: 1 if a
 * guard was never missed.
 */
export async function tryWithoutGuards(seed: number, steps: number): Promise<number> {
  let unnoticed = 0;
  console.log('     steps  removed guard, and the finding of a check');
  for (const [index, guard] of GUARDS.entries()) {
    const missed = await search(seed, steps, index);
    if (!missed) unnoticed += 1;
    const [after, what] = missed ? [missed.steps, missed.finding] : ['not found', ''];
    console.log(`${String(after).padStart(10)}  ${guard.name}\n            ${what}`);
  }
  return unnoticed === 0 ? 0 : 1;
}

async function search(seed: number, steps: number, guard: number) {
  for (let done = 0, next = seed; done < steps; next += 1) {
    const played = await playApart({ seed: next, steps: Math.min(HISTORY_STEPS, steps - done) }, guard);
    done += played.steps;
    if (played.finding !== undefined) return { seed: next, steps: done, finding: played.finding };
  }
  return undefined;
}
