import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { newTenant } from './client.ts';
import type { Run } from './crash/caller.ts';
import { type Random, randomOf } from './crash/random.ts';
import { verify } from './crash/verify.ts';
import { Contest, Warehouse } from './crash/warehouse.ts';
import type { Service } from './service.ts';
import { ownService } from './shared.ts';

const CALLERS = 12;
const KILLS = 14;
/** Every third kill ends all processes, as a power cut does. The others end only the process that runs the Worker. */
const POWER_CUT_EVERY = 3;
/** In this round, after a power cut, the service is killed again while it starts. */
const KILL_TWICE = 3;
/** Least number of acknowledgements between two kills. The most is just below twice as many. */
const WRITES_MINIMUM = 16;
const FIRST_CODE = 5_000_000_000;
/** SEED=… repeats the random choices of a failed run. Timing still differs. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

let service: Service | undefined;
afterAll(() => service?.dispose());

it('a service killed under load loses nothing acknowledged and does nothing twice', async () => {
  service = await ownService();
  const tenant = await newTenant(service, 'crash', { markerCodeStart: FIRST_CODE });
  const random = randomOf(SEED);
  const killer = new Killer(service, random);
  const run: Run = {
    service,
    tenant,
    going: true,
    acknowledged: () => killer.acknowledged(),
    settled: [],
    faults: [],
  };
  const contest = new Contest();
  const warehouses = Array.from(
    { length: CALLERS },
    (_, index) => new Warehouse(run, `C${index}`, contest, randomOf(SEED + index + 1)),
  );
  const working = Promise.allSettled(warehouses.map((warehouse) => warehouse.work()));
  try {
    await killer.killRepeatedly(working);
    await sleep(500);
  } finally {
    run.going = false;
  }
  for (const result of await working) {
    if (result.status === 'rejected') run.faults.push(String(result.reason));
  }
  await verify(run, warehouses, contest, FIRST_CODE, random);
  report(run, warehouses, killer.kills);
  expect(run.faults, `SEED=${SEED}`).toEqual([]);
  // A run proves something only with enough kills and unknown outcomes.
  expect(killer.kills).toBeGreaterThan(KILLS);
  expect(run.settled.filter(({ unknown }) => unknown > 0).length).toBeGreaterThan(KILLS);
});

/** Kills the service in turn at random instants and right after an acknowledgement. */
class Killer {
  readonly #service: Service;
  readonly #random: Random;
  #count = 0;
  #awaited = Number.POSITIVE_INFINITY;
  #reached = (): void => undefined;
  kills = 0;

  constructor(service: Service, random: Random) {
    this.#service = service;
    this.#random = random;
  }

  acknowledged(): void {
    this.#count += 1;
    if (this.#count < this.#awaited) return;
    this.#awaited = Number.POSITIVE_INFINITY;
    this.#reached();
  }

  async killRepeatedly(working: Promise<unknown>): Promise<void> {
    for (let round = 0; round < KILLS; round += 1) {
      await this.#acknowledgements(WRITES_MINIMUM + this.#random.below(WRITES_MINIMUM), working);
      // A kill right after an answer shows an acknowledgement that came before its commit.
      if (round % 2 === 0) await sleep(this.#random.below(200));
      this.kills += 1;
      if (round % POWER_CUT_EVERY !== 0) {
        await this.#service.crash();
        await this.#service.recovered();
        continue;
      }
      await this.#service.kill();
      if (round === KILL_TWICE) {
        this.#service.launch();
        await sleep(this.#random.below(3_000));
        this.kills += 1;
        await this.#service.kill();
      }
      await this.#service.start();
    }
  }

  /** Waits for this many further acknowledgements, or for the callers to end. */
  async #acknowledgements(count: number, working: Promise<unknown>): Promise<void> {
    this.#count = 0;
    const reached = new Promise<void>((reach) => {
      this.#reached = reach;
      this.#awaited = count;
    });
    // Callers that have all failed acknowledge nothing more, but the test must still end.
    await Promise.race([reached, working]);
  }
}

function report({ settled, faults }: Run, warehouses: Warehouse[], kills: number): void {
  const late = settled.filter(({ unknown }) => unknown > 0);
  const figures = {
    seed: SEED,
    kills,
    acknowledgedWrites: settled.length,
    retriedWithTheirKey: late.length,
    ofThoseAlreadyCommitted: late.filter(({ answer }) => answer.headers.has('Idempotent-Replayed')).length,
    refusals: settled.filter(({ answer }) => answer.status >= 400).length,
    blocks: warehouses.flatMap(({ blocks }) => blocks).length,
    tracks: warehouses.flatMap(({ tracks }) => tracks).length,
    manifests: warehouses.flatMap(({ manifests }) => manifests).length,
    faults: faults.length,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
