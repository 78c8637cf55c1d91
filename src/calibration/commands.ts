import { type SQL, sql } from 'drizzle-orm';
import { changedFields } from '../lib/changes.ts';
import { newUuid } from '../lib/id.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import type { Change, Command, Context } from '../writer/command.ts';
import { type CalibrationName, type Conditions, calibrationTag, conditionsHold } from './rules.ts';
import {
  addOrphan,
  calibrationView,
  freeOrphan,
  readCalibration,
  removeOrphans,
  type StoredCalibration,
} from './store.ts';
import { calibration } from './table.ts';

/** An object in the bucket that is to be a file. */
export interface UploadedObject {
  objectKey: string;
  sizeBytes: number;
  /** SHA-256 (hex) of the bytes. */
  sha256: string;
}

/** What an upload is answered with. */
export interface PutCalibration {
  created: 0 | 1;
  /** The object that the file had before. */
  replacedKey: string | null;
  calibration: StoredCalibration;
}

/**
 * Make a file of an object that has been uploaded: in one commit the file takes the object out of the orphans
 * and puts the one it had there. The same bytes again change nothing, and the new object stays an orphan; but where the
 * file's own object is `lostKey`, which the bucket has lost, there is nothing to keep.
 */
export const putCalibration: Command<
  CalibrationName & UploadedObject & { lostKey: string | null; conditions: Conditions }
> = async (context, { conditions, lostKey, hardwareId, type, objectKey, sizeBytes, sha256 }) => {
  const { database, now } = context;
  const name = { hardwareId, type };
  const found = await readCalibration(database, name);
  const isLost = found !== undefined && found.objectKey === lostKey;
  const failed = conditionFailure(found, isLost ? { ...conditions, ifNoneMatch: null } : conditions);
  if (failed) return failed;
  const same = found?.sha256 === sha256;
  if (same && !isLost) return { writes: [], audit: [], answer: answerOf(context, name, false, null) };
  if (context.isRetry && !(await isFree(context, objectKey))) {
    return refusal('temporarilyUnavailable', 'The upload took so long that it was given up.');
  }
  const uuid = found?.uuid ?? newUuid();
  // Null, which the column refuses, where somebody has set out to delete the object: then nothing is committed.
  const taken = freeOrphan(database, objectKey);
  return {
    writes: [
      found
        ? database.update(
            calibration,
            { objectKey: taken, sizeBytes, sha256, updateDate: now },
            sql`uuid = ${uuid}`,
          )
        : sql`INSERT INTO calibration (uuid, organization_uuid, hardware_id, calibration_type, object_key,
            size_bytes, sha256, create_date, update_date)
          VALUES (${uuid}, ${database.organization}, ${hardwareId}, ${type}, ${taken}, ${sizeBytes}, ${sha256},
            ${now}, ${now})`,
      removeOrphans(database, [objectKey]),
      ...(found ? addOrphan(database, found.objectKey, now) : []),
    ],
    audit: [
      same
        ? audited('REPAIRED', uuid, name, undefined, { sizeBytes, sha256 })
        : audited(found ? 'REPLACED' : 'UPLOADED', uuid, name, found, { sizeBytes, sha256 }),
    ],
    answer: answerOf(context, name, !found, found?.objectKey ?? null),
  };
};

/** Delete a file; its object becomes an orphan. */
export const deleteCalibration: Command<CalibrationName & { conditions: Conditions }> = async (
  context,
  { conditions, ...name },
) => {
  const { database, now } = context;
  const found = await readCalibration(database, name);
  if (!found) return refusal('calibrationNotFound', 'There is no such calibration file.');
  const failed = conditionFailure(found, conditions);
  if (failed) return failed;
  const { uuid, objectKey } = found;
  return {
    writes: [database.remove(calibration, sql`uuid = ${uuid}`), ...addOrphan(database, objectKey, now)],
    audit: [audited('DELETED', uuid, name, found, { sizeBytes: null, sha256: null })],
    answer: { value: { replacedKey: objectKey } },
  };
};

function conditionFailure(found: StoredCalibration | undefined, conditions: Conditions): Refusal | undefined {
  if (conditionsHold(found ? calibrationTag(found.sha256) : null, conditions)) return undefined;
  return refusal(
    'preconditionFailed',
    found
      ? 'The file is not as If-Match or If-None-Match wants it.'
      : 'There is no file for If-Match to match.',
  );
}

async function isFree({ database }: Context, objectKey: string): Promise<boolean> {
  const row = await database.first<{ objectKey: string | null }>(
    sql`SELECT ${freeOrphan(database, objectKey)} AS "objectKey"`,
  );
  return row?.objectKey != null;
}

/** The file after the commit. */
const answerOf = (
  { database }: Context,
  { hardwareId, type }: CalibrationName,
  created: boolean,
  replacedKey: string | null,
): SQL => sql`SELECT json_object('created', ${Number(created)}, 'replacedKey', ${replacedKey},
    'calibration', ${calibrationView}) FROM calibration
  WHERE organization_uuid = ${database.organization} AND hardware_id = ${hardwareId}
    AND calibration_type = ${type}`;

const audited = (
  what: string,
  uuid: string,
  { hardwareId, type }: CalibrationName,
  before: StoredCalibration | undefined,
  after: { sizeBytes: number | null; sha256: string | null },
): Change['audit'][number] => ({
  action: `CALIBRATION_${what}`,
  entityType: 'CALIBRATION',
  entityUuid: uuid,
  entityExternalId: `${hardwareId}/${type}`,
  changes: changedFields<{ sizeBytes: number | null; sha256: string | null }>(before ?? null, after),
});
