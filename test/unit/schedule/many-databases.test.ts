import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Deployment, EXPIRED } from './deployment.ts';

const COUNT = 150;
const MINUTE_MS = 60_000;
const MINUTES = 4;
const DAILY = '17 3 * * *';
/** The platform starts up to 250 invocations of a consumer. A turn must not need many of them. */
const QUEUE = { invocations: 10, retries: 20, messagesAtOnce: 1 };
/** The tasks of each minute that reach an organization. */
const KINDS = ['overdue', 'noteSilence', 'endSignInLimit'];

let deployment: Deployment;
let logged: () => string;
beforeEach(async () => {
  vi.useFakeTimers();
  const { mock: warnings } = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const { mock: errors } = vi.spyOn(console, 'error').mockReturnValue(undefined);
  logged = () => [...warnings.calls, ...errors.calls].flat().join('\n');
  deployment = new Deployment(COUNT, QUEUE);
  await deployment.fill(Date.now());
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  deployment.close();
});

/** Let minutes pass, each with its cron trigger. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await deployment.trigger('* * * * *');
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
  }
}

/** The longest time in which nothing was done for an organization, by the kind of work and the database. */
function longestGaps(from: number): Map<string, number> {
  const gaps = new Map<string, number>();
  for (const name of deployment.databases.keys())
    for (const kind of KINDS) {
      const key = `${kind} ${name}`;
      const dates = [from, ...(deployment.dates.get(key) ?? []), Date.now()];
      gaps.set(key, Math.max(...dates.slice(1).map((date, index) => date - dates[index]!)));
    }
  return gaps;
}

it('each of 150 databases is asked every minute, and pruned daily', async () => {
  const from = Date.now();
  expect(await deployment.rowsOf('DB_149', 'recent_answer')).toHaveLength(EXPIRED);
  await deployment.trigger(DAILY);
  await pass(1);
  expect(Math.max(...longestGaps(from).values())).toBeLessThanOrEqual(MINUTE_MS);
  const gone = async (name: string) => (await deployment.rowsOf(name, 'recent_answer')).length;
  await pass(MINUTES - 1);
  expect(Math.max(...longestGaps(from).values())).toBeLessThan(1.2 * MINUTE_MS);
  // Daily turns start every 15 seconds.
  await vi.advanceTimersByTimeAsync(COUNT * 15_000);
  const left = await Promise.all([...deployment.databases.keys()].map(gone));
  expect(left.filter((rows) => rows > 0)).toEqual([]);
  const measured = await deployment.rowsOf('DB', 'database_measurement');
  expect(measured).toHaveLength(COUNT);
  for (const { database_name: name, minute_date: minute, day_date: day, failure_date: failure } of measured)
    expect([name, Number(minute) > from + (MINUTES - 2) * MINUTE_MS, Number(day) >= from, failure]).toEqual([
      name,
      true,
      true,
      null,
    ]);
  expect(logged()).toBe('');
}, 180_000);

it('databases that fail, databases that hang and objects that hang delay no other database', async () => {
  const names = [...deployment.databases.keys()];
  const [failing, hanging, silent] = [names.slice(5, 25), names.slice(40, 45), names.slice(60, 64)];
  for (const name of failing) deployment.databases.get(name)!.health = 'fails';
  for (const name of hanging) deployment.databases.get(name)!.health = 'hangs';
  for (const name of silent) deployment.silentObjects.add(name);
  const from = Date.now();
  await deployment.trigger(DAILY);
  await pass(MINUTES);
  const broken = new Set([...failing, ...hanging]);
  const gaps = [...longestGaps(from)];
  const late = gaps.filter(([key, gap]) => !broken.has(key.split(' ')[1]!) && gap > 1.5 * MINUTE_MS);
  expect(late).toEqual([]);
  // The metrics and the log name the databases that fail.
  const measured = await deployment.rowsOf('DB', 'database_measurement');
  const down = measured.filter((row) => row['failure_date'] !== null).map((row) => row['database_name']);
  expect(down.toSorted()).toEqual([...broken].sort());
  const incomplete = measured
    .filter((row) => Number(row['minute_date']) < from + MINUTE_MS)
    .map((row) => row['database_name']);
  expect(incomplete.toSorted()).toEqual([...broken, ...silent].sort());
  for (const name of [...broken, ...silent]) expect(logged()).toContain(`{"database":"${name}",`);
  // They are asked again as soon as they answer, and a daily turn continues.
  for (const name of broken) deployment.databases.get(name)!.health = 'answers';
  await pass(1);
  await vi.advanceTimersByTimeAsync(COUNT * 15_000);
  for (const name of broken) {
    expect([name, (await deployment.rowsOf(name, 'recent_answer')).length]).toEqual([name, 0]);
    expect([name, deployment.dates.has(`noteSilence ${name}`)]).toEqual([name, true]);
  }
}, 180_000);

it('the test finds turns that share the queries of an invocation, as in one loop over all databases', async () => {
  const shared = new Deployment(COUNT, { ...QUEUE, messagesAtOnce: COUNT });
  await shared.fill(Date.now());
  await shared.trigger('* * * * *');
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  const asked = [...shared.databases.keys()].filter((name) =>
    KINDS.every((kind) => shared.dates.has(`${kind} ${name}`)),
  );
  expect(asked.length).toBeLessThan(COUNT);
  expect(logged()).toContain('Too many API requests by single worker invocation.');
  shared.close();
}, 180_000);
