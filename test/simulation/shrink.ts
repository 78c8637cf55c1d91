import { FAULTS } from './faults.ts';
import { playApart } from './process.ts';

/** A history in which a check fails. */
interface Found {
  seed: number;
  steps: number;
  without: string[];
  finding: string;
}

/** Find a shorter history with fewer kinds of faults in which a check still fails. */
export async function shrink(found: Found, guard?: number): Promise<Found> {
  let least = { ...found, steps: Math.max(1, found.steps) };
  const tries = async (steps: number, without: string[]): Promise<boolean> => {
    const { finding, steps: ended } = await playApart({ seed: found.seed, steps, without }, guard);
    if (finding === undefined) return false;
    least = { seed: found.seed, steps: Math.max(1, Math.min(steps, ended)), without, finding };
    return true;
  };
  const shorten = async () => {
    let enough = least.steps;
    for (let cut = Math.ceil(enough / 2); cut >= 1; cut = cut === 1 ? 0 : Math.ceil(cut / 2)) {
      while (enough - cut > 0 && (await tries(enough - cut, least.without))) enough = least.steps;
    }
  };
  /** Leave out as many faults at once as possible. */
  const leaveOut = async (faults: string[]): Promise<void> => {
    if (faults.length === 0 || (await tries(least.steps, [...least.without, ...faults]))) return;
    if (faults.length === 1) return;
    const half = Math.ceil(faults.length / 2);
    await leaveOut(faults.slice(0, half));
    await leaveOut(faults.slice(half));
  };
  await shorten();
  await leaveOut(Object.keys(FAULTS).filter((fault) => !found.without.includes(fault)));
  await shorten();
  return least;
}

/** The command that plays a history again. */
export const commandOf = ({ seed, steps, without }: Omit<Found, 'finding'>): string =>
  `npm run simulate -- --seed ${seed} --steps ${steps}` +
  (without.length === 0 ? '' : ` --without '${without.join()}'`);
