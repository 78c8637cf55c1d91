import { OpenAPIHono, z } from '@hono/zod-openapi';
import { OPERATOR_LOG, operatorAccess, operatorOf } from '../../access/credential/operator.ts';
import { roomFor } from '../../access/database/room.ts';
import { settingsOf } from '../../core/env.ts';
import { endpoint, OPERATOR_PATH } from '../../core/http/endpoint.ts';
import { validationRefusal } from '../../core/http/problem-items.ts';
import { readsOf } from '../../core/http/read.ts';
import { dateTime, identifier, optional, optionalOr, uuidName } from '../../core/http/schema.ts';
import type { AppContext, AppEnv } from '../../core/http/types.ts';
import { writeAs } from '../../core/http/write.ts';
import { bucketOf } from '../../core/lib/bucket.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { missing } from '../../core/lib/missing.ts';
import { ProblemError } from '../../core/lib/problem.ts';
import { endQuery } from '../../core/writer/log.ts';
import { settingsQuery } from '../../core/writer/settings.ts';
import { acceptedDescription, acceptedSchema } from '../../log/operation/schema.ts';
import { acceptRestore } from './commands.ts';
import { completeDates, exportsIn, readComplete } from './objects.ts';
import type { NightlyExport } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Operator';

const restoreSchema = z
  .strictObject({
    exportDate: optional(dateTime.describe('Date of the export; if omitted, the latest one')),
    databaseName: optional(
      identifier.describe(
        'Another database for the restored rows. It may be closed. If omitted, the open one with the most free space',
      ),
    ),
    dryRun: optionalOr(z.boolean().describe('Only verify the export, and change nothing'), false),
  })
  .openapi('OrganizationRestore');

const restoreAcceptedSchema = acceptedSchema
  .extend({
    exportDate: dateTime,
    sequenceNumber: z.int().describe('Number of the last audit record in the export'),
    lastSequenceNumber: z.int().describe('Number of the last audit record now; later ones are lost'),
  })
  .openapi('RestoreAccepted');

endpoint(app, {
  method: 'post',
  path: `${OPERATOR_PATH}/organization/{organizationUuid}/restore`,
  operationId: 'restoreOrganization',
  tag,
  summary: 'Restore an organization from a nightly export',
  description:
    'Restores one suspended organization. Other organizations are not concerned. The rows of the ' +
    'export are brought to another database, and the organization moves there. A restore that fails ' +
    'changes nothing. Work since the export is lost, but no marker code and no number is used again: ' +
    'the log and the events continue after a gap with `STORE_REWOUND`. All sessions end. Files stay ' +
    'as they are. With `dryRun` the export is only verified.',
  access: operatorAccess('TRANSFER'),
  params: z.object({ organizationUuid: uuidName }),
  body: restoreSchema,
  responses: { 202: { description: acceptedDescription, schema: restoreAcceptedSchema } },
  errors: [
    'organizationNotFound',
    'organizationNotSuspended',
    'databaseNotFound',
    'databaseClosed',
    'databaseFull',
    'moveUnderWay',
  ],
  async handler(c, { params: { organizationUuid }, body, submission }) {
    const reads = readsOf(c, organizationUuid);
    const asked = await reads.ask({ found: settingsQuery(organizationUuid), ends: endQuery(reads) });
    if (asked.found.length === 0) throw new ProblemError(missing('organizationNotFound', organizationUuid));
    const nightly = await wantedExport(c, organizationUuid, body.exportDate);
    const databases = databasesOf(c.env);
    const here = databases.databaseNameOf(organizationUuid);
    const limit = settingsOf(c.env).DATABASE_LIMIT_BYTES;
    const room = await roomFor(databases, body.databaseName, limit, here);
    const { body: answer } = await writeAs(c, submission, OPERATOR_LOG, operatorOf(c), acceptRestore, {
      organizationUuid,
      nightly,
      // A log without a record has no end: nobody has written since the organization was created.
      lastSequenceNumber: asked.ends[0]?.sequenceNumber ?? 0,
      databaseName: typeof room === 'string' ? room : '',
      refused: typeof room === 'string' ? null : room,
      dryRun: body.dryRun,
    });
    const { operationUuid: operationId, ...chosen } = answer;
    c.header('Location', `${OPERATOR_PATH}/operation/${operationId}`);
    return c.json({ operationId, ...chosen }, 202);
  },
});

/** The export of a date, or the latest one. @throws 400 with the dates that there are */
async function wantedExport(
  c: AppContext,
  organization: string,
  exportDate: string | undefined,
): Promise<NightlyExport> {
  const bucket = bucketOf(c.env);
  const dates = completeDates(await exportsIn(bucket, organization));
  const [latest] = dates;
  const chosen = exportDate === undefined ? latest : dates.find((date) => date === exportDate);
  const found = chosen === undefined ? undefined : await readComplete(bucket, organization, chosen);
  if (found) return found;
  const message =
    dates.length === 0
      ? 'The organization has no nightly export.'
      : `The organization has no export of this date. Its exports are of ${dates.join(', ')}.`;
  throw new ProblemError(validationRefusal([{ field: 'exportDate', code: 'validationFailed', message }]));
}

export const restoreRoutes = app;
