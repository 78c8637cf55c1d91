import { MAIN } from '../../core/lib/databases.ts';
import { newUuid } from '../../core/lib/id.ts';
import { missing } from '../../core/lib/missing.ts';
import type { Refusal } from '../../core/lib/problem.ts';
import { auditing } from '../../core/writer/audited.ts';
import { command } from '../../core/writer/command.ts';
import { insertJob, openJobQuery } from '../long-job/store.ts';
import { locationQuery, moveUnderWay } from './store.ts';

/** A requested move. */
interface Wanted {
  organizationUuid: string;
  databaseName: string;
  /** Why the target cannot take an organization that is not there already; null where it can. */
  refused: Refusal | null;
}

/**
 * Accept a request to move an organization to another database. `MoveRunner` carries it out. If the organization
 * already lives there, the operation succeeds at once. Runs in the operator's own log.
 */
export const acceptMove = command('acceptMove', {
  ask: ({ scope }, { organizationUuid }: Wanted) => ({
    locations: locationQuery(scope, organizationUuid),
    open: openJobQuery(scope, organizationUuid),
  }),
  decide({ scope, now }, { organizationUuid, databaseName, refused }, { locations: [location], open }) {
    if (!location) return missing('organizationNotFound', organizationUuid);
    if (open.length > 0) return moveUnderWay(organizationUuid);
    const fromName = location.databaseName ?? MAIN;
    const isThere = fromName === databaseName;
    if (!isThere && refused) return refused;
    const operationUuid = newUuid();
    return {
      writes: [
        insertJob(scope, {
          uuid: operationUuid,
          organization: organizationUuid,
          operationType: 'ORGANIZATION_MOVE',
          phase: isThere ? 'DONE' : 'EMPTYING',
          input: { fromName, toName: databaseName },
          now,
        }),
      ],
      audit: [
        auditing('ORGANIZATION', () => location.slug)(
          'ORGANIZATION_MOVE_ACCEPTED',
          { uuid: organizationUuid },
          [
            { field: 'databaseName', oldValue: fromName, newValue: databaseName },
            { field: 'operationId', oldValue: null, newValue: operationUuid },
          ],
        ),
      ],
      jobs: true,
      answer: { value: { operationUuid } },
    };
  },
});

/** Record in the organization's log that it was moved: usually its first record at the new place. */
export const noteMove = command('noteMove', {
  decide({ scope, organization }, { fromName, toName }: { fromName: string; toName: string }) {
    if (!organization) return missing('organizationNotFound', scope.organization);
    return {
      writes: [],
      audit: [
        auditing('ORGANIZATION', () => organization.slug)('ORGANIZATION_MOVED', organization, [
          { field: 'databaseName', oldValue: fromName, newValue: toName },
        ]),
      ],
      answer: { value: null },
    };
  },
});
