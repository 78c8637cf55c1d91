import { GUARDS } from './guards.ts';
import { playApart } from './process.ts';

/** As long as histories of a search are. */
const HISTORY_STEPS = 5_000;

/** Take away each guard by itself, and tell after how many steps it is missed. @returns the exit code. */
export async function missGuards(seed: number, steps: number): Promise<number> {
  let unnoticed = 0;
  console.log('     steps  guard that is taken away, and what is found then');
  for (const [index, guard] of GUARDS.entries()) {
    const missed = await search(seed, steps, index);
    if (!missed) unnoticed += 1;
    const [after, what] = missed ? [missed.steps, missed.finding] : ['not missed', ''];
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
