import { digest } from './dump.ts';
import { playOne } from './play-one.ts';
import { commandOf, shrink } from './shrink.ts';

/** The length of each history. A short history that fails is soon played again. */
const HISTORY_STEPS = 5_000;
const REPORT_MS = 30_000;

/**
 * Play histories with consecutive seeds, until the steps are done or a check fails. @returns the exit code.
 */
export async function search(seed: number, steps: number, without: string[]): Promise<number> {
  const began = performance.now();
  const faults = new Map<string, number>();
  const outcomes = new Map<string, number>();
  const digests: string[] = [];
  let reported = began;
  let [done, next] = [0, seed];
  const report = () => {
    const seconds = (performance.now() - began) / 1_000;
    console.log(
      `${done} steps, seeds ${seed} to ${next - 1}, ${seconds.toFixed(0)} s, ${(done / seconds).toFixed(0)} steps/s`,
    );
  };
  while (done < steps) {
    const options = { seed: next, steps: Math.min(HISTORY_STEPS, steps - done), without: new Set(without) };
    const played = await playOne(options, undefined);
    next += 1;
    done += played.steps;
    digests.push(digest(played.tables));
    addTo(faults, played.faults);
    addTo(outcomes, played.outcomes);
    if (played.finding !== undefined) {
      console.log(`seed ${options.seed}, after ${played.steps} steps: ${played.finding}`);
      console.log(played.logged.slice(-5).join('\n'));
      const least = await shrink({ ...options, steps: played.steps, without, finding: played.finding });
      console.log(`\nThe shortest history that fails:\n  ${least.finding}\n  ${commandOf(least)}`);
      return 1;
    }
    if (performance.now() - reported < REPORT_MS) continue;
    reported = performance.now();
    report();
  }
  report();
  print('faults', faults);
  const answers = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  const startingWith = (start: string) => new Map([...outcomes].filter(([name]) => name.startsWith(start)));
  print('moves', startingWith('move '));
  print('known effects', startingWith('known: '));
  console.log(
    `${answers} answers of ${outcomes.size} kinds. The digest of all tables is ${digest(digests)}.`,
  );
  console.log('No check failed.');
  return 0;
}

function addTo(sums: Map<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count);
}

function print(title: string, counts: Map<string, number>): void {
  const lines = [...counts]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, count]) => `  ${String(count).padStart(8)}  ${name}`);
  console.log(`${title}:\n${lines.join('\n')}`);
}
