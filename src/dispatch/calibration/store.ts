import { type SQL, sql } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { deepLink } from '../../core/http/link.ts';
import type { Database } from '../../core/lib/database.ts';
import { parseJson } from '../../core/lib/json.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { isoDate } from '../../core/lib/time.ts';
import { type Viewed, type ViewRow, view } from '../../core/lib/view.ts';
import { CALIBRATION_TYPES, type CalibrationName, calibrationTag } from './rules.ts';

/**
 * A calibration file of a camera. Its bytes are an object in the bucket. Dates are epoch
 * milliseconds.
 */
export const calibration = sqliteTable('calibration', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  hardwareId: text('hardware_id').notNull(),
  type: text('calibration_type', { enum: CALIBRATION_TYPES }).notNull(),
  objectKey: text('object_key').notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  /** SHA-256 (hex) of the bytes. */
  sha256: text('sha256').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});

/** An orphan: an object that no file uses. It is being uploaded, or it will be deleted. */
export const calibrationOrphan = sqliteTable(
  'calibration_orphan',
  {
    organizationUuid: text('organization_uuid').notNull(),
    objectKey: text('object_key').notNull(),
    /** Epoch milliseconds. */
    createDate: integer('create_date').notNull(),
    /** When it was claimed for deletion, in epoch milliseconds. After that no file may use it. */
    claimedDate: integer('claimed_date'),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.objectKey] })],
);

export const calibrationView = view({
  uuid: calibration.uuid,
  hardwareId: calibration.hardwareId,
  type: calibration.type,
  objectKey: calibration.objectKey,
  sizeBytes: calibration.sizeBytes,
  sha256: calibration.sha256,
  createDate: calibration.createDate,
  updateDate: calibration.updateDate,
});
export type StoredCalibration = Viewed<typeof calibrationView>;

/** A calibration file in a list. */
export function presentListed(links: string, stored: StoredCalibration) {
  return {
    uuid: stored.uuid,
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'calibration', stored.uuid),
    hardwareId: stored.hardwareId,
    calibrationType: stored.type,
    sizeBytes: stored.sizeBytes,
    eTag: calibrationTag(stored.sha256),
  };
}

/** A calibration file in the answer to its upload. */
export function presentCalibration(links: string, stored: StoredCalibration) {
  const { type, sha256 } = stored;
  return { ...presentListed(links, stored), type, sha256 };
}

/** Read the JSON of a file by its name. */
export const calibrationQuery = ({ organization }: Scope, { hardwareId, type }: CalibrationName) =>
  sql<ViewRow<typeof calibrationView>>`SELECT ${calibrationView} AS view FROM calibration
    WHERE organization_uuid = ${organization} AND hardware_id = ${hardwareId}
      AND calibration_type = ${type}`;

/** The file from rows of `calibrationQuery`. */
export const toCalibration = ([row]: readonly ViewRow<typeof calibrationView>[]):
  | StoredCalibration
  | undefined => row && parseJson(row.view);

export async function readCalibration(
  database: Database,
  name: CalibrationName,
): Promise<StoredCalibration | undefined> {
  const { files } = await database.ask({ files: calibrationQuery(database, name) });
  return toCalibration(files);
}

/** SQL expression: the key of an orphan that is not claimed for deletion. Null if it does not exist. */
export const freeOrphan = (database: Scope, objectKey: string): SQL => sql`(SELECT object_key
  FROM calibration_orphan WHERE organization_uuid = ${database.organization} AND object_key = ${objectKey}
    AND claimed_date IS NULL)`;

/** Add an object to the list of orphans. */
export const addOrphan = (database: Scope, objectKey: string, now: number): Write[] =>
  database.insert(calibrationOrphan, [{ objectKey, createDate: now }]);

/** Remove objects from the list of orphans, because a file uses them or they are deleted. */
export const removeOrphans = (database: Scope, objectKeys: readonly string[]): Write =>
  database.remove(calibrationOrphan, sql`object_key ${inList(objectKeys)}`);

/**
 * SQL condition: the organization of an orphan is being exported. At the instant of the export, a
 * file may still use the object.
 */
const isExported: SQL = sql`EXISTS (SELECT 1 FROM export
  WHERE export.organization_uuid = calibration_orphan.organization_uuid)`;

/**
 * Claim orphans for deletion. A claimed orphan can no longer become a file. Returns the keys that
 * were orphans.
 */
export async function claimOrphans(
  database: Database,
  objectKeys: readonly string[],
  now: number,
): Promise<string[]> {
  const claimed = database.update(
    calibrationOrphan,
    { claimedDate: now },
    sql`object_key ${inList(objectKeys)} AND NOT ${isExported}`,
  );
  const rows = await database.all(sql<{ objectKey: string }>`${claimed} RETURNING object_key AS "objectKey"`);
  return rows.map(({ objectKey }) => objectKey);
}
