import { type SQL, sql } from 'drizzle-orm';
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
