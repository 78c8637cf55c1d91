import { OPERATOR_LOG, operatorOf } from '../../access/credential/operator.ts';
import { forgetCredentials } from '../../access/credential/trusted.ts';
import { SnapshotGone } from '../../access/database/snapshot.ts';
import { settingsOf } from '../../core/env.ts';
import { validationRefusal } from '../../core/http/problem-items.ts';
import { readsOf } from '../../core/http/read.ts';
import { type AppContext, origin } from '../../core/http/types.ts';
import { refuseMissing, type Submission, writeAs } from '../../core/http/write.ts';
import { bucketOf } from '../../core/lib/bucket.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { newUuid } from '../../core/lib/id.ts';
import { ProblemError } from '../../core/lib/problem.ts';
import { settingsQuery } from '../../core/writer/settings.ts';
import { readJob } from '../long-job/store.ts';
import { acceptErasure } from './commands.ts';
import { continueExport, type Exporting, exportOrganization } from './export.ts';
import { placeOf } from './export-place.ts';
import { NDJSON } from './format.ts';
import { hide } from './hide.ts';

/** Answer with the export of an organization, or with its next part after a place that an earlier answer named. */
export async function answerExport(
  c: AppContext,
  organizationUuid: string,
  after?: string,
): Promise<Response> {
  const found = await readsOf(c, organizationUuid).first(settingsQuery(organizationUuid));
  if (!found) return refuseMissing('organizationNotFound', organizationUuid);
  c.header('Content-Type', NDJSON);
  if (c.req.method === 'HEAD') return c.body(null);
  const exporting: Exporting = {
    databases: databasesOf(c.env),
    bucket: bucketOf(c.env),
    sealingKeys: settingsOf(c.env).sealingKeys,
    links: origin(c),
  };
  if (after !== undefined) return c.body(await nextPart(exporting, organizationUuid, after));
  const begun = await exportOrganization(exporting, organizationUuid);
  if (!begun) return refuseMissing('organizationNotFound', organizationUuid);
  const name = `${begun.slug}-${begun.sequenceNumber}.ndjson`;
  c.header('Content-Disposition', `attachment; filename="${name}"`);
  return c.body(begun.body);
}

/** The next part of an export. @throws 400 */
async function nextPart(exporting: Exporting, organizationUuid: string, after: string) {
  const refused = (message: string): never => {
    throw new ProblemError(validationRefusal([{ field: 'after', code: 'validationFailed', message }]));
  };
  const place = placeOf(after);
  try {
    const body = place && (await continueExport(exporting, organizationUuid, place));
    return body ?? refused('The last line of the previous part has a member "next". Send its value.');
  } catch (error) {
    if (error instanceof SnapshotGone)
      return refused('This export has ended. To start a new one, send no parameter "after".');
    throw error;
  }
}

/** Start erasing an organization on behalf of the operator; returns the operation. */
export async function beginErasure(
  c: AppContext,
  submission: Submission,
  organizationUuid: string,
  slug: string,
): Promise<string> {
  const input = { operationUuid: newUuid(), organizationUuid, slug };
  const { body, replayed } = await writeAs(c, submission, OPERATOR_LOG, operatorOf(c), acceptErasure, input);
  if (!replayed) await hide(databasesOf(c.env), organizationUuid, body.databaseName);
  forgetCredentials();
  return body.operationUuid;
}

/** The operation that an operator's request started. @throws 404 */
export async function findOperation(c: AppContext, operationId: string) {
  const found = await readJob(readsOf(c, OPERATOR_LOG), operationId);
  return found ?? refuseMissing('operationNotFound', operationId);
}
