import { bucketOf } from '../../core/lib/bucket.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import type { JobKind } from '../long-job/job.ts';
import { tell } from '../move/job.ts';
import type { Relocation } from '../move/store.ts';
import { RestoreRunner } from './restore-runner.ts';

/** Restores as long jobs. */
export const restores: JobKind = {
  types: ['ORGANIZATION_RESTORE'],
  atOnce: 4,
  begin: (env, job) =>
    new RestoreRunner(databasesOf(env), bucketOf(env), job as Relocation, (restored) => tell(env, restored)),
};
