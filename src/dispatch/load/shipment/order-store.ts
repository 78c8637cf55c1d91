import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../../core/lib/scope.ts';
import { inList } from '../../../core/lib/sql.ts';

/** The external ids among these that manifests or shipments have already, archived ones too. */
export const takenNamesQuery = (
  { organization }: Scope,
  kind: 'manifest' | 'shipment',
  names: readonly string[],
): SQL<{ externalIdentifier: string }> => sql`SELECT external_identifier AS "externalIdentifier"
  FROM ${sql.identifier(kind)} WHERE organization_uuid = ${organization} AND external_identifier ${inList(names)}
    AND deleted_date IS NULL
  UNION SELECT external_identifier FROM archive_entry WHERE organization_uuid = ${organization}
    AND external_identifier ${inList(names)} AND entity_type = ${kind.toUpperCase()} AND deleted_date IS NULL`;
