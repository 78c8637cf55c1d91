import type { z } from '@hono/zod-openapi';
import { settingsOf } from '../../core/env.ts';
import type { AppContext } from '../../core/http/types.ts';
import { type Submission, writeAs } from '../../core/http/write.ts';
import { databasesOf, MAIN } from '../../core/lib/databases.ts';
import { ProblemError } from '../../core/lib/problem.ts';
import { failureOf } from '../../core/lib/store.ts';
import { placeWriter } from '../../core/writer/client.ts';
import type { StoredOrganization } from '../../core/writer/settings.ts';
import { OPERATOR_LOG, operatorOf } from '../credential/operator.ts';
import { forgetCredentials } from '../credential/trusted.ts';
import { roomFor } from '../database/room.ts';
import { createOrganization, slugInUse, suspendOrganization, updateOrganization } from './commands.ts';
import { beginChange, livesElsewhere, syncDirectory } from './directory.ts';
import type { organizationCreateSchema, organizationUpdateSchema } from './schema.ts';

/** Create an organization for the operator. */
export async function newOrganization(
  c: AppContext,
  submission: Submission,
  { databaseName, ...settings }: z.output<typeof organizationCreateSchema>,
): Promise<StoredOrganization> {
  const databases = databasesOf(c.env);
  const database = await roomFor(databases, databaseName, settingsOf(c.env).DATABASE_LIMIT_BYTES);
  const input = { ...settings, database };
  const { body } = await writeAs(c, submission, OPERATOR_LOG, operatorOf(c), createOrganization, input);
  if (body.databaseName !== MAIN) await syncDirectory(databases, body.uuid);
  await placeWriter(c.env, body.uuid, body.databaseName);
  return body;
}

/** Change settings of an organization. Omitted settings stay. */
export const changeOrganization = (
  c: AppContext,
  submission: Submission,
  uuid: string,
  body: z.output<typeof organizationUpdateSchema>,
): Promise<StoredOrganization> =>
  change(c, uuid, body.slug, async () => {
    const written = await writeAs(c, submission, uuid, operatorOf(c), updateOrganization, body);
    return written.body;
  });

/** Suspend an organization, or resume it. */
export const setSuspended = (
  c: AppContext,
  submission: Submission,
  uuid: string,
  suspended: boolean,
): Promise<StoredOrganization> =>
  change(c, uuid, undefined, async () => {
    const written = await writeAs(c, submission, uuid, operatorOf(c), suspendOrganization, { suspended });
    return written.body;
  });

/**
 * Run `written`, which changes settings in the organization's database. Then update its row in `DB`, which lists it and
 * finds it by slug. @throws 409 if another organization has the new slug
 */
export async function change(
  c: AppContext,
  uuid: string,
  slug: string | undefined,
  written: () => Promise<StoredOrganization>,
): Promise<StoredOrganization> {
  const databases = databasesOf(c.env);
  if (!(await livesElsewhere(databases, uuid))) return forgetting(written());
  try {
    await beginChange(databases, uuid, slug, Date.now());
  } catch (error) {
    if (failureOf(error) !== 'collision') throw error;
    throw new ProblemError(slugInUse(slug!));
  }
  try {
    return await forgetting(written());
  } finally {
    await syncDirectory(databases, uuid);
  }
}

/** Clear everything that this isolate has cached before the change. */
async function forgetting(written: Promise<StoredOrganization>): Promise<StoredOrganization> {
  const organization = await written;
  forgetCredentials();
  return organization;
}
