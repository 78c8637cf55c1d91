import { FAULTS } from './faults.ts';
import { playApart } from './process.ts';

/** A history in which something is found. */
interface Found {
  seed: number;
  steps: number;
  without: string[];
  finding: string;
}

/** Fewer steps, and then fewer kinds of faults, as long as anything is found. */
export async function shrink(found: Found, guard?: number): Promise<Found> {
  let least = found;
  const tries = async (steps: number, without: string[]): Promise<boolean> => {
    const { finding, steps: ended } = await playApart({ seed: found.seed, steps, without }, guard);
    if (finding === undefined) return false;
    least = { seed: found.seed, steps: Math.min(steps, ended), without, finding };
    return true;
  };
  const shorten = async () => {
    let enough = least.steps;
    for (let cut = Math.ceil(enough / 2); cut >= 1; cut = cut === 1 ? 0 : Math.ceil(cut / 2)) {
      while (enough - cut > 0 && (await tries(enough - cut, least.without))) enough = least.steps;
    }
  };
  await shorten();
  for (const fault of Object.keys(FAULTS)) {
    if (!least.without.includes(fault)) await tries(least.steps, [...least.without, fault]);
  }
  await shorten();
  return least;
}

/** How a history is played again. */
export const commandOf = ({ seed, steps, without }: Omit<Found, 'finding'>): string =>
  `npm run simulate -- --seed ${seed} --steps ${steps}` +
  (without.length === 0 ? '' : ` --without '${without.join()}'`);
