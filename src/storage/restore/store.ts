import { type SQL, sql } from 'drizzle-orm';
import type { Json } from '../../core/lib/json.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { endQuery } from '../../core/writer/log.ts';
import type { Route } from '../move/store.ts';

/** A complete export in the bucket. */
export interface NightlyExport {
  /** When it began, as an ISO date. */
  exportDate: string;
  /** The number of the last record of its log. */
  sequenceNumber: number;
  /** The SHA-256 (hex) of each part. */
  digests: string[];
  sizeBytes: number;
}

/** An export under way. */
export interface NightlyProgress extends NightlyExport {
  /** Where the next part begins (`ExportPlace`). */
  place: object;
}

/** The request of a restore. */
export interface RestoreInput extends Route {
  exportDate: string;
  /** The SHA-256 (hex) of each part. */
  digests: readonly string[];
  sequenceNumber: number;
  /** Only verify the export. */
  dryRun: boolean;
}

/** When the nightly export of the organization is due, and the export under way. */
export const dueQuery = ({
  organization,
}: Scope): SQL<{ dueDate: number; progress: Json<NightlyProgress> | null }> => sql`SELECT
    due_date AS "dueDate", progress FROM nightly_export_due WHERE organization_uuid = ${organization}`;

/** Look again at a date (epoch milliseconds), and continue there. Without progress the export begins anew. */
export const continueAt = (
  { organization }: Scope,
  dueDate: number,
  progress: NightlyProgress | null,
): Write => sql`UPDATE nightly_export_due SET due_date = ${dueDate},
    progress = ${progress && JSON.stringify(progress)} WHERE organization_uuid = ${organization}`;

/** Nothing is left to do until the schedule plans the next export. */
export const rest = ({ organization }: Scope): Write =>
  sql`DELETE FROM nightly_export_due WHERE organization_uuid = ${organization}`;

/** The end of the log, and whether the organization is suspended. */
export const currentAsks = (scope: Scope) => ({
  ends: endQuery(scope),
  suspended: sql<{ uuid: string }>`SELECT uuid FROM organization
    WHERE uuid = ${scope.organization} AND suspended_date IS NOT NULL`,
});
