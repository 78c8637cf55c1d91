import { type SQL, sql } from 'drizzle-orm';
import { livesSomewhere } from '../../core/lib/look-up.ts';
import { named } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import type { LongJob, Pauses } from '../long-job/store.ts';
import type { TRANSFER_PHASES } from '../long-job/table.ts';

export type TransferPhase = (typeof TRANSFER_PHASES)[number];

/** The content of an import, as validated when it was received. */
export interface ImportInput {
  slug: string;
  /** The key of the export in the bucket. */
  objectKey: string;
  databaseName: string;
  sequenceNumber: number;
  /** Rows by table. */
  counts: Record<string, number>;
  listTotals: unknown[][];
}

/** The progress of an import or erasure within its phase. */
export interface TransferProgress extends Pauses {
  /** While importing: the number of bytes of the export that have been written. */
  offset?: number;
  /** While clearing: the number of databases that have been cleared. */
  piece?: number;
}

/** An import or erasure under way. */
export type Transfer = LongJob<
  'ORGANIZATION_IMPORT' | 'ORGANIZATION_ERASURE',
  TransferPhase,
  ImportInput | { slug: string },
  TransferProgress
>;

/** The request of an import; undefined for an erasure. */
export const importOf = ({ input }: Transfer): ImportInput | undefined =>
  'objectKey' in input ? input : undefined;

/** The organizations that exist, or are about to exist, with this uuid or slug. */
export const namesakesQuery = (scope: Scope, uuid: string, slug: string): SQL<{ uuid: string }> =>
  sql`SELECT uuid FROM organization WHERE uuid = ${uuid} AND uuid <> ${scope.organization}
    UNION SELECT uuid FROM organization WHERE slug = ${slug} AND uuid <> ${scope.organization}`;

/** An organization, and whether it is suspended. */
interface Suspension {
  slug: string;
  suspendedDate: number | null;
  unsettled: 0 | 1;
  databaseName: string | null;
}

/** Whether an organization is suspended, where it lives, and its slug. */
export const suspensionQuery = (scope: Scope, uuid: string): SQL<Suspension> =>
  sql`SELECT slug, suspended_date AS "suspendedDate", unsettled_date IS NOT NULL AS unsettled,
      database_name AS "databaseName" FROM organization
    WHERE uuid = ${uuid} AND uuid <> ${scope.organization} AND ${livesSomewhere}`;

export const isSuspended = ({ suspendedDate, unsettled }: Suspension): boolean =>
  suspendedDate !== null && !unsettled;

/** The refusal of an action that needs a suspended organization. */
export const notSuspended = ({ slug }: Suspension): Refusal =>
  refusal('organizationNotSuspended', `${named('Organization', slug)} is not suspended. Suspend it first.`);

/** The uuid of an organization; NULL if it was resumed or moved since the read. */
export const stillSuspended = (uuid: string): SQL => sql`(SELECT uuid FROM organization WHERE uuid = ${uuid}
      AND suspended_date IS NOT NULL AND residence IN ('HERE', 'ELSEWHERE'))`;
