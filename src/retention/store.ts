import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../core/lib/database.ts';
import type { Scope, Write } from '../core/lib/scope.ts';
import { inList } from '../core/lib/sql.ts';
import { assetLoading } from '../dispatch/load/shared/asset-table.ts';
import type { Uncleared, WrittenObject } from './rules.ts';

/** The maximum number of loading records deleted in one piece. */
const RECORDS_AT_ONCE = 200;

/** The next archive entry that still has rows in the database; for a batch. */
export const unclearedQuery = ({ organization }: Scope): SQL<Uncleared> => sql`SELECT uuid,
    external_identifier AS "externalIdentifier", unit_uuid AS "unitUuid" FROM archive_entry
  WHERE organization_uuid = ${organization} AND cleared = 0 ORDER BY uuid LIMIT 1`;

/** The remaining loading records of an entry, up to a limit. */
export async function recordsLeft(database: Database, { uuid }: Uncleared): Promise<string[]> {
  const rows = await database.all(sql<{ uuid: string }>`SELECT uuid FROM asset_loading
    WHERE organization_uuid = ${database.organization} AND manifest_uuid = ${uuid}
    ORDER BY create_date, uuid LIMIT ${RECORDS_AT_ONCE}`);
  return rows.map((row) => row.uuid);
}

/** Delete loading records of an archived manifest. Nothing shows them. */
export const removeRecords = (scope: Scope, uuids: readonly string[]): Write =>
  scope.remove(assetLoading, { uuids });

/** Delete the other rows of an entry whose loading records are deleted. */
export const finishClearing = ({ organization }: Scope, { uuid }: Uncleared): Write[] => [
  sql`DELETE FROM custom_field WHERE organization_uuid = ${organization} AND owner_uuid = ${uuid}`,
  sql`DELETE FROM loading_correction WHERE organization_uuid = ${organization} AND load_uuid = ${uuid}`,
  sql`UPDATE archive_entry SET cleared = 1 WHERE uuid = ${uuid} AND organization_uuid = ${organization}`,
];

/** The objects among these that are not about to be deleted. */
export const freeQuery = ({ organization }: Scope, objects: readonly WrittenObject[]): SQL => sql`SELECT 1
  FROM calibration_orphan WHERE organization_uuid = ${organization} AND claimed_date IS NULL
    AND object_key ${inList(objects.map(({ objectKey }) => objectKey))}`;

/** When retention has work to do. */
export const dueQuery = ({
  organization,
}: Scope): SQL<{ dueDate: number }> => sql`SELECT due_date AS "dueDate"
  FROM retention_due WHERE organization_uuid = ${organization}`;

/** Schedule the next check (epoch milliseconds). */
export const putOff = ({ organization }: Scope, dueDate: number): Write =>
  sql`UPDATE retention_due SET due_date = ${dueDate} WHERE organization_uuid = ${organization}`;

/** Nothing is left to do until the schedule plans a check. */
export const rest = ({ organization }: Scope): Write =>
  sql`DELETE FROM retention_due WHERE organization_uuid = ${organization}`;
