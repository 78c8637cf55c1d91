import { sql } from 'drizzle-orm';
import { validationRefusal } from '../../core/http/problem-items.ts';
import { missing, named, quoted } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { AuditAction } from '../../core/writer/audit-actions.ts';
import { auditing } from '../../core/writer/audited.ts';
import { command } from '../../core/writer/command.ts';
import { freeOrphan, removeOrphans } from '../../dispatch/calibration/store.ts';
import { insertJob, openJobQuery } from '../long-job/store.ts';
import { moveUnderWay } from '../move/store.ts';
import {
  type ImportInput,
  isSuspended,
  namesakesQuery,
  notSuspended,
  stillSuspended,
  suspensionQuery,
} from './store.ts';

/** A requested import. */
interface WantedImport {
  operationUuid: string;
  organizationUuid: string;
  slug: string;
  /** The row of the organization, by its columns. */
  settings: Record<string, string | number | null>;
  input: Omit<ImportInput, 'slug'>;
  sha256: string;
  pausedCount: number;
  /** Why the named database cannot take it; null where it can. */
  refused: Refusal | null;
}

const audited = (action: AuditAction, uuid: string, slug: string, values: Record<string, unknown>) =>
  auditing('ORGANIZATION', () => slug)(
    action,
    { uuid },
    Object.entries(values).map(([field, newValue]) => ({ field, oldValue: null, newValue })),
  );

/**
 * Accept a request to import an organization from an export. From now on no other organization can use its uuid and
 * slug. The organization stays hidden until all its data has arrived. The command runs in the operator's own log.
 */
export const acceptImport = command('acceptImport', {
  ask: ({ scope, isRetry }, { organizationUuid, slug, input }: WantedImport) => ({
    namesakes: namesakesQuery(scope, organizationUuid, slug),
    free: isRetry
      ? sql<{ objectKey: string | null }>`SELECT ${freeOrphan(scope, input.objectKey)} AS "objectKey"`
      : undefined,
  }),
  decide({ scope, now, isRetry }, wanted, { namesakes, free: [free] }) {
    const { operationUuid, organizationUuid, slug, settings, input, refused } = wanted;
    if (namesakes.length > 0) {
      return refusal(
        'organizationExists',
        `${named('Organization', organizationUuid)} or the slug ${quoted(slug)} exists already.`,
      );
    }
    if (refused) return refused;
    if (isRetry && free?.objectKey == null) {
      return refusal('temporarilyUnavailable', 'The upload took too long. Upload the file again.');
    }
    const names = Object.keys(settings).map((name) => sql.identifier(name));
    const values = Object.values(settings).map((value) => sql`${value}`);
    const { databaseName, sequenceNumber } = input;
    return {
      writes: [
        sql`INSERT INTO organization (${sql.join(names, sql`, `)}, residence)
          SELECT ${sql.join(values, sql`, `)}, 'ARRIVING' WHERE ${scope.organization} <> ${organizationUuid}`,
        // The uuid is NULL if the uploaded export is about to be deleted. The column refuses NULL.
        insertJob(scope, {
          uuid: sql`iif(${freeOrphan(scope, input.objectKey)} IS NULL, NULL, ${operationUuid})`,
          organization: organizationUuid,
          operationType: 'ORGANIZATION_IMPORT',
          phase: 'IMPORTING',
          input: { ...input, slug },
          now,
        }),
        removeOrphans(scope, [input.objectKey]),
      ],
      audit: [
        audited('ORGANIZATION_IMPORT_ACCEPTED', organizationUuid, slug, {
          databaseName,
          operationId: operationUuid,
          sequenceNumber,
          sha256: wanted.sha256,
          pausedWebhooksCount: wanted.pausedCount,
        }),
      ],
      jobs: true,
      answer: { value: { operationUuid } },
    };
  },
});

/** A requested erasure. */
interface WantedErasure {
  operationUuid: string;
  organizationUuid: string;
  slug: string;
}

/**
 * Accept a request to erase a suspended organization: from now on nobody can see it. Runs in the operator's own log.
 */
export const acceptErasure = command('acceptErasure', {
  ask: ({ scope }, { organizationUuid }: WantedErasure) => ({
    organizations: suspensionQuery(scope, organizationUuid),
    jobs: openJobQuery(scope, organizationUuid),
  }),
  decide({ scope, now }, { operationUuid, organizationUuid, slug }, { organizations: [found], jobs }) {
    if (!found) return missing('organizationNotFound', organizationUuid);
    if (found.slug !== slug) {
      const message = 'To confirm, send the slug of the organization in the query parameter slug.';
      return validationRefusal([{ field: 'slug', code: 'validationFailed', message, rejectedValue: slug }]);
    }
    if (jobs.length > 0) return moveUnderWay(organizationUuid);
    if (!isSuspended(found)) return notSuspended(found);
    return {
      writes: [
        insertJob(scope, {
          uuid: operationUuid,
          organization: stillSuspended(organizationUuid),
          operationType: 'ORGANIZATION_ERASURE',
          phase: 'CLEARING',
          input: { slug },
          now,
        }),
        sql`UPDATE organization SET residence = 'ARRIVING', database_name = NULL, arrival_claim = NULL,
          unsettled_date = NULL WHERE uuid = ${organizationUuid} AND uuid <> ${scope.organization}`,
      ],
      audit: [
        audited('ORGANIZATION_ERASURE_ACCEPTED', organizationUuid, slug, { operationId: operationUuid }),
      ],
      jobs: true,
      answer: { value: { operationUuid, databaseName: found.databaseName } },
    };
  },
});
