import type { Env } from '../../core/env.ts';
import { bucketOf } from '../../core/lib/bucket.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { writerOf } from '../../core/writer/client.ts';
import type { JobKind } from '../long-job/job.ts';
import type { Transfer } from './store.ts';
import { TransferRunner, type Transferring } from './transfer-runner.ts';

/** Imports and erasures as long jobs. */
export const transfers: JobKind = {
  types: ['ORGANIZATION_IMPORT', 'ORGANIZATION_ERASURE'],
  atOnce: 4,
  begin: (env, job) => new TransferRunner(transferringOf(env), job as Transfer),
};

/** The environment of imports and erasures in the Worker. */
export const transferringOf = (env: Env): Transferring => ({
  databases: databasesOf(env),
  bucket: bucketOf(env),
  forget: async (organization) => writerOf(env, organization).forget(),
  wake: async (organization) => writerOf(env, organization).scheduleJobs(Date.now()),
});
