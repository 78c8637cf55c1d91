import { validationRefusal } from '../../core/http/problem-items.ts';
import { MAIN } from '../../core/lib/databases.ts';
import { newUuid } from '../../core/lib/id.ts';
import { missing } from '../../core/lib/missing.ts';
import type { Refusal } from '../../core/lib/problem.ts';
import { auditing } from '../../core/writer/audited.ts';
import { command } from '../../core/writer/command.ts';
import { insertJob, openJobQuery } from '../long-job/store.ts';
import { moveUnderWay } from '../move/store.ts';
import { isSuspended, notSuspended, stillSuspended, suspensionQuery } from '../transfer/store.ts';
import type { NightlyExport, RestoreInput } from './store.ts';

/** A requested restore. */
interface WantedRestore {
  organizationUuid: string;
  nightly: NightlyExport;
  /** The number of the last record of the organization now. */
  lastSequenceNumber: number;
  /** The database for the restored rows. */
  databaseName: string;
  /** Why that database cannot take them; null where it can. */
  refused: Refusal | null;
  dryRun: boolean;
}

/**
 * Accept a request to restore a suspended organization from a nightly export, or only to verify the export. Runs in the
 * operator's own log.
 */
export const acceptRestore = command('acceptRestore', {
  ask: ({ scope }, { organizationUuid }: WantedRestore) => ({
    organizations: suspensionQuery(scope, organizationUuid),
    jobs: openJobQuery(scope, organizationUuid),
  }),
  decide({ scope, now }, wanted, { organizations: [found], jobs }) {
    const { organizationUuid, nightly, lastSequenceNumber, databaseName, refused, dryRun } = wanted;
    if (!found) return missing('organizationNotFound', organizationUuid);
    if (jobs.length > 0) return moveUnderWay(organizationUuid);
    if (refused) return refused;
    const fromName = found.databaseName ?? MAIN;
    if (fromName === databaseName) {
      const message = 'The organization is in this database. Choose another one.';
      return validationRefusal([{ field: 'databaseName', code: 'validationFailed', message }]);
    }
    if (!dryRun && !isSuspended(found)) return notSuspended(found);
    const { exportDate, digests, sequenceNumber } = nightly;
    const operationUuid = newUuid();
    const input: RestoreInput = {
      fromName,
      toName: databaseName,
      exportDate,
      digests,
      sequenceNumber,
      dryRun,
    };
    return {
      writes: [
        insertJob(scope, {
          uuid: operationUuid,
          organization: dryRun ? organizationUuid : stillSuspended(organizationUuid),
          operationType: 'ORGANIZATION_RESTORE',
          phase: 'CHECKING',
          input,
          now,
        }),
      ],
      audit: [
        auditing('ORGANIZATION', () => found.slug)(
          'ORGANIZATION_RESTORE_ACCEPTED',
          { uuid: organizationUuid },
          [
            { field: 'exportDate', oldValue: null, newValue: exportDate },
            { field: 'sequenceNumber', oldValue: lastSequenceNumber, newValue: sequenceNumber },
            { field: 'databaseName', oldValue: fromName, newValue: databaseName },
            { field: 'dryRun', oldValue: null, newValue: dryRun },
            { field: 'operationId', oldValue: null, newValue: operationUuid },
          ],
        ),
      ],
      jobs: true,
      answer: { value: { operationUuid, exportDate, sequenceNumber, lastSequenceNumber } },
    };
  },
});
