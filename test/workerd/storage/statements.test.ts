import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/core/lib/database.ts';
import { Databases } from '../../../src/core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../../src/core/lib/id.ts';
import { sweepOrphans } from '../../../src/dispatch/calibration/objects.ts';
import { type JobKind, longJobs, STEP_STATEMENTS } from '../../../src/storage/long-job/job.ts';
import { insertJob } from '../../../src/storage/long-job/store.ts';
import type { Relocation } from '../../../src/storage/move/store.ts';
import { transferringOf } from '../../../src/storage/transfer/job.ts';
import type { Transfer } from '../../../src/storage/transfer/store.ts';
import { TransferRunner } from '../../../src/storage/transfer/transfer-runner.ts';
import { newWorld } from '../../contract/world.ts';
import { TOO_MANY } from '../../platform/limits.ts';
import { bindings, rowsIn, setOpen } from '../access/database/places.ts';
import { countedD1 } from '../counted.ts';
import { failingD1 } from '../failing.ts';
import { dump, moverOf, plan, relocationOf } from './move/moves.ts';
import { beginExport, exportOf, wipe } from './transfer/exports.ts';
import { planErasure, planImport, transferOf } from './transfer/planned.ts';

const { DB, DB_1 } = bindings;

beforeEach(async () => {
  await setOpen('DB_1', true);
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
});

/** A step of a job: its phase, and its statements in both databases. */
interface Step {
  phase: string;
  statements: number;
}

/** Carry out a job. A new process takes each step, so that the step also makes its claims. `between` changes rows. */
async function stepsOf<J extends { phase: string }>(
  job: () => Promise<J | undefined>,
  begin: (databases: Databases, job: J) => { step(): Promise<boolean> },
  between: (phase: string, step: number) => Promise<unknown> = async () => undefined,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (let found = await job(); found; found = await job()) {
    const [main, other] = [countedD1(DB), countedD1(DB_1)];
    const runner = begin(new Databases({ DB: main.db, DB_1: other.db }), found);
    await runner.step();
    steps.push({ phase: found.phase, statements: main.spent.statements + other.spent.statements });
    await between(found.phase, steps.length);
  }
  return steps;
}

const most = (steps: readonly Step[]): Step =>
  steps.reduce((one, other) => (other.statements > one.statements ? other : one));

const transferRunner = (databases: Databases, job: Transfer) =>
  new TransferRunner({ ...transferringOf(bindings), databases }, job);

describe('The statements of a step', () => {
  it('No step of a move makes more statements than a run has for it', async () => {
    const { tenant } = await newWorld();
    const reader = await beginExport(tenant.uuid);
    await plan(tenant.uuid, 'DB', 'DB_1');
    const steps = await stepsOf<Relocation>(
      () => relocationOf(tenant.uuid),
      (databases, move) => moverOf({ DB: databases.named('DB'), DB_1: databases.named('DB_1') }, move),
      async (phase, step) => {
        if (phase === 'COPYING') {
          const items = Array.from({ length: 40 }, (_, index) => ({ wmsId: `S${step}-${index}` }));
          for (const item of items) await tenant.call('POST', '/track/get-and-couple', item);
        }
        if (phase === 'CLEARING') await reader.body!.cancel();
      },
    );
    expect(new Set(steps.map(({ phase }) => phase))).toEqual(
      new Set(['EMPTYING', 'COPYING', 'CATCHING_UP', 'FROZEN', 'LEFT', 'CLEARING']),
    );
    expect(most(steps).statements).toBeLessThanOrEqual(STEP_STATEMENTS);
    expect(Object.keys(await rowsIn(DB_1, tenant.uuid)).length).toBeGreaterThan(20);
  });

  it('No step that undoes a move makes more statements than a run has for it', async () => {
    const { tenant } = await newWorld();
    const before = await dump(DB, tenant.uuid);
    await plan(tenant.uuid, 'DB', 'DB_1');
    const steps = await stepsOf<Relocation>(
      () => relocationOf(tenant.uuid),
      (databases, move) => moverOf({ DB: databases.named('DB'), DB_1: databases.named('DB_1') }, move),
      async (phase) => {
        if (phase === 'CATCHING_UP')
          await DB_1.prepare('DELETE FROM track WHERE organization_uuid = ?').bind(tenant.uuid).run();
      },
    );
    expect(steps.map(({ phase }) => phase)).toContain('ABANDONED');
    expect(most(steps).statements).toBeLessThanOrEqual(STEP_STATEMENTS);
    expect(await dump(DB, tenant.uuid)).toEqual(before);
    expect(await dump(DB_1, tenant.uuid)).toEqual({});
  });

  it('No step of an import or an erasure makes more statements than a run has for it', async () => {
    const { tenant } = await newWorld();
    const before = await dump(DB, tenant.uuid);
    const text = await exportOf(tenant.uuid);
    await wipe(tenant.uuid);
    const job = await planImport(text, 'DB');
    const importing = await stepsOf(() => transferOf(job.uuid), transferRunner);
    expect(await dump(DB, tenant.uuid)).toEqual(before);
    expect(most(importing).statements).toBeLessThanOrEqual(STEP_STATEMENTS);
    const reader = await beginExport(tenant.uuid);
    const erasure = await planErasure(tenant);
    const erasing = await stepsOf(() => transferOf(erasure.uuid), transferRunner);
    expect(most(erasing).statements).toBeLessThanOrEqual(STEP_STATEMENTS);
    expect(Object.keys(await rowsIn(DB, tenant.uuid)).sort()).toEqual(['long_job']);
    await expect(reader.arrayBuffer()).rejects.toThrow();
  });
});

describe('The statements of a run', () => {
  it('A run of the jobs makes fewer statements than the platform allows, however many jobs are open', async () => {
    const taken = Array.from({ length: 14 }, () => 0);
    const kind: JobKind = {
      types: ['ORGANIZATION_ERASURE'],
      atOnce: 14,
      begin: (_, { input }) => ({
        async step() {
          taken[Number((input as { index: number }).index)]! += 1;
          return false;
        },
      }),
    };
    const database = new Database(NO_ORGANIZATION, new Databases({ DB }));
    const now = Date.now();
    const run = () =>
      longJobs([kind])({ env: bindings, database, now, lastRun: now }).then(() =>
        taken.splice(0, taken.length, ...taken.map(() => 0)),
      );
    await DB.prepare('DELETE FROM long_job').run();
    for (const count of [1, 3, 14]) {
      const indexes = Array.from({ length: count }, (_, index) => index);
      await database.send(
        indexes.map((index) =>
          insertJob(database, {
            uuid: crypto.randomUUID(),
            organization: crypto.randomUUID(),
            operationType: 'ORGANIZATION_ERASURE',
            phase: 'CLEARING',
            input: { slug: 'slug', index },
            now,
          }),
        ),
      );
      const steps = await run();
      const sum = steps.reduce((one, other) => one + other, 0);
      expect(sum * STEP_STATEMENTS).toBeLessThan(950);
      expect(Math.min(...steps.slice(0, count))).toBeGreaterThan(0);
      await DB.prepare('DELETE FROM long_job').run();
    }
  });

  it('A sweep of orphans ends after some statements, and the next one continues', async () => {
    const before = Date.now() - 10 * 60 * 60_000;
    const organizations = Array.from({ length: 250 }, () => crypto.randomUUID());
    await DB.prepare(
      `INSERT INTO calibration_orphan (organization_uuid, object_key, create_date)
        SELECT value, 'calibration/' || value, ?2 FROM json_each(?1)`,
    )
      .bind(JSON.stringify(organizations), before)
      .run();
    const { db, spent } = countedD1(DB);
    const _databases = new Databases({ DB: db, DB_1 });
    const sweep = () => sweepOrphans(db, bindings.CALIBRATION, Date.now());
    expect(await sweep()).toBeLessThan(250);
    expect(spent.statements).toBeLessThan(300);
    while ((await sweep()) > 0);
    const left = DB.prepare('SELECT count(*) AS count FROM calibration_orphan WHERE create_date = ?');
    expect(await left.bind(before).first('count')).toBe(0);
  });
});

it('A move that meets the limits of the platform at every call continues, and is never abandoned', async () => {
  const { tenant } = await newWorld();
  const before = await dump(DB, tenant.uuid);
  await plan(tenant.uuid, 'DB', 'DB_1');
  const messages = [
    TOO_MANY,
    'D1 DB exceeded its CPU time limit and was reset.',
    "D1 DB's isolate exceeded its memory limit and was reset.",
    'Worker exceeded memory limit.',
  ];
  for (let at = 1; ; at += 1) {
    const move = await relocationOf(tenant.uuid);
    if (!move) break;
    const message = messages[at % messages.length]!;
    const [main, other] = [
      failingD1({ message, from: at % 5, to: at % 5 }),
      failingD1({ message, from: at % 3, to: at % 3 }, DB_1),
    ];
    await moverOf({ DB: main.db, DB_1: other.db }, move)
      .step()
      .catch(() => undefined);
    expect((await relocationOf(tenant.uuid))?.phase).not.toBe('ABANDONED');
  }
  expect(await dump(DB, tenant.uuid)).toEqual({});
  expect(await dump(DB_1, tenant.uuid)).toEqual(before);
});
