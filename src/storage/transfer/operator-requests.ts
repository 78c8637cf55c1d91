import { OPERATOR_LOG, operatorOf } from '../../access/credential/operator.ts';
import { forgetCredentials } from '../../access/credential/trusted.ts';
import { settingsOf } from '../../core/env.ts';
import { readsOf } from '../../core/http/read.ts';
import { type AppContext, origin } from '../../core/http/types.ts';
import { refuseMissing, type Submission, writeAs } from '../../core/http/write.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { newUuid } from '../../core/lib/id.ts';
import { settingsQuery } from '../../core/writer/settings.ts';
import { readJob } from '../long-job/store.ts';
import { acceptErasure } from './commands.ts';
import { exportOrganization } from './export.ts';
import { NDJSON } from './format.ts';
import { hide } from './hide.ts';

/** Answer with the export of an organization. */
export async function answerExport(c: AppContext, organizationUuid: string): Promise<Response> {
  const found = await readsOf(c, organizationUuid).first(settingsQuery(organizationUuid));
  if (!found) return refuseMissing('organizationNotFound', organizationUuid);
  const { sealingKeys } = settingsOf(c.env);
  const begun =
    c.req.method === 'HEAD'
      ? null
      : await exportOrganization(
          {
            databases: databasesOf(c.env),
            bucket: c.env.CALIBRATION,
            sealingKeys,
            links: origin(c),
          },
          organizationUuid,
        );
  if (begun === undefined) return refuseMissing('organizationNotFound', organizationUuid);
  c.header('Content-Type', NDJSON);
  if (begun) {
    const name = `${begun.slug}-${begun.sequenceNumber}.ndjson`;
    c.header('Content-Disposition', `attachment; filename="${name}"`);
  }
  return begun ? c.body(begun.body) : c.body(null);
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
