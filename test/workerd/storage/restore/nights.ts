import { vi } from 'vitest';
import { Database } from '../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { ON_REQUEST } from '../../../../src/core/writer/jobs.ts';
import { exportInParts, planNightlyExports } from '../../../../src/storage/restore/nightly-job.ts';
import { completeDates, exportsIn } from '../../../../src/storage/restore/objects.ts';
import { bindings } from '../../access/database/places.ts';
import { operator } from '../../client.ts';
import { DAILY, EVERY_MINUTE, runSchedule } from '../../schedule.ts';
import { ended } from '../move/moves.ts';

const { CALIBRATION } = bindings;

/** Make the planned export of an organization due now. Returns whether one was planned. */
export async function due(db: D1Database, organization: string): Promise<boolean> {
  const { meta } = await db
    .prepare('UPDATE nightly_export_due SET due_date = 0 WHERE organization_uuid = ?')
    .bind(organization)
    .run();
  return meta.changes > 0;
}

/** The dates of the complete exports of an organization, the latest first. */
export const nightsOf = async (organization: string) =>
  completeDates(await exportsIn(CALIBRATION, organization));

/** All objects of the exports of an organization. */
export const nightKeys = async (organization: string): Promise<string[]> =>
  [...(await exportsIn(CALIBRATION, organization)).values()].flatMap(({ keys }) => keys);

/** Export an organization as the schedules do: the daily one plans it, the other one wakes its object. */
export async function nightBySchedule(db: D1Database, organization: string): Promise<string> {
  const before = await nightsOf(organization);
  await runSchedule(DAILY, bindings);
  if (!(await due(db, organization))) throw new Error('no export was planned');
  await runSchedule(EVERY_MINUTE, bindings);
  return vi.waitFor(async () => {
    const [latest] = await nightsOf(organization);
    if (latest === undefined || latest === before[0]) throw new Error('no export yet');
    return latest;
  }, 20_000);
}

/** When a night is, with which bindings, and how long a part is. */
interface Night {
  now?: number;
  env?: object;
  partLength?: number;
}

/** Run the job of an organization once, as its object does. */
export function runOnce(
  organization: string,
  { now = Date.now(), env = {}, partLength = 32_000_000 }: Night = {},
) {
  const over = { ...bindings, ...env };
  const database = new Database(organization, databasesOf(over));
  return exportInParts({ env: over, database, now, lastRun: null }, partLength);
}

/** Plan an export and run the job until it is done. Returns the dates of the complete exports. */
export async function night(db: D1Database, organization: string, options: Night = {}): Promise<string[]> {
  await planNightlyExports(db, options.now ?? Date.now());
  await due(db, organization);
  for (let runs = 0; (await runOnce(organization, options)) !== ON_REQUEST; runs += 1)
    if (runs > 50) throw new Error('the export does not end');
  return nightsOf(organization);
}

/** Request a restore. */
export const requestRestore = (organization: string, body: object = {}) =>
  operator('POST', `/organization/${organization}/restore`, body);

/** Restore an organization, and wait for the end. Returns the operation. */
export async function restore(organization: string, body: object = {}) {
  const { status, body: answer } = await requestRestore(organization, body);
  if (status !== 202) throw new Error(JSON.stringify(answer));
  return { accepted: answer, operation: await ended(answer.operationId) };
}

export const suspend = async (organization: string, to: 'suspend' | 'resume' = 'suspend') => {
  const { status, body } = await operator('POST', `/organization/${organization}/${to}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
};
