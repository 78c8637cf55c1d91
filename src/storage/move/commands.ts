import { MAIN } from '../../core/lib/databases.ts';
import { newUuid } from '../../core/lib/id.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import { auditing } from '../../core/writer/audited.ts';
import { command } from '../../core/writer/command.ts';
import { insertJob, openJobQuery } from '../long-job/store.ts';
import { locationQuery } from './store.ts';

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
    if (!location) return refusal('organizationNotFound', 'There is no such organization.');
    if (open.length > 0)
      return refusal('moveUnderWay', 'The organization is being moved. Ask again when it is.');
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
  decide({ organization }, { fromName, toName }: { fromName: string; toName: string }) {
    if (!organization) return refusal('organizationNotFound', 'There is no such organization.');
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
