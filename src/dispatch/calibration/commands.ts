import { sql } from 'drizzle-orm';
import { changedFields } from '../../core/lib/changes.ts';
import { newUuid } from '../../core/lib/id.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { auditing } from '../../core/writer/audited.ts';
import { command, unchanged } from '../../core/writer/command.ts';
import {
  type CalibrationName,
  type Conditions,
  calibrationTag,
  conditionsHold,
  namedFile,
  noFile,
} from './rules.ts';
import {
  addOrphan,
  calibration,
  calibrationQuery,
  calibrationView,
  freeOrphan,
  removeOrphans,
  type StoredCalibration,
  toCalibration,
} from './store.ts';

/** An object in the bucket that will become the content of a file. */
export interface UploadedObject {
  objectKey: string;
  sizeBytes: number;
  /** SHA-256 (hex) of the bytes. */
  sha256: string;
}

/** The answer to an upload. */
export interface PutCalibration {
  created: 0 | 1;
  /** The key of the file's previous object. */
  replacedKey: string | null;
  calibration: StoredCalibration;
}

interface Upload extends CalibrationName, UploadedObject {
  /** The key of the file's object if the bucket has lost it; otherwise null. */
  lostKey: string | null;
  conditions: Conditions;
}

/**
 * Make an uploaded object the content of a file. One commit removes it from the list of orphans and
 * adds the previous object there. If the bytes are the same, nothing changes and the new object
 * stays an orphan. The exception is a file whose own object is lost in the bucket (`lostKey`).
 */
export const putCalibration = command('putCalibration', {
  ask: ({ scope, isRetry }, { objectKey, ...name }: Upload) => ({
    files: calibrationQuery(scope, name),
    free: isRetry
      ? sql<{ objectKey: string | null }>`SELECT ${freeOrphan(scope, objectKey)} AS "objectKey"`
      : undefined,
  }),
  decide(
    { scope, now, isRetry },
    { conditions, lostKey, hardwareId, type, objectKey, sizeBytes, sha256 },
    { files, free: [free] },
  ) {
    const name = { hardwareId, type };
    const found = toCalibration(files);
    const isLost = found !== undefined && found.objectKey === lostKey;
    const failed = conditionFailure(name, found, isLost ? { ...conditions, ifNoneMatch: null } : conditions);
    if (failed) return failed;
    const same = found?.sha256 === sha256;
    if (same && !isLost) return unchanged(answerOf(scope, name, false, null));
    if (isRetry && free?.objectKey == null) {
      return refusal('temporarilyUnavailable', 'The upload took too long. Upload the file again.');
    }
    const uuid = found?.uuid ?? newUuid();
    // NULL if the object is claimed for deletion. The column refuses NULL, so nothing is committed.
    const taken = freeOrphan(scope, objectKey);
    return {
      writes: [
        found
          ? scope.update(
              calibration,
              { objectKey: taken, sizeBytes, sha256, updateDate: now },
              sql`uuid = ${uuid}`,
            )
          : sql`INSERT INTO calibration (uuid, organization_uuid, hardware_id, calibration_type, object_key,
            size_bytes, sha256, create_date, update_date)
          VALUES (${uuid}, ${scope.organization}, ${hardwareId}, ${type}, ${taken}, ${sizeBytes}, ${sha256},
            ${now}, ${now})`,
        removeOrphans(scope, [objectKey]),
        ...(found ? addOrphan(scope, found.objectKey, now) : []),
      ],
      audit: [
        same
          ? audited('REPAIRED', uuid, name, undefined, { sizeBytes, sha256 })
          : audited(found ? 'REPLACED' : 'UPLOADED', uuid, name, found, { sizeBytes, sha256 }),
      ],
      answer: answerOf(scope, name, !found, found?.objectKey ?? null),
    };
  },
});

/** Delete a file. Its object becomes an orphan. */
export const deleteCalibration = command('deleteCalibration', {
  ask: ({ scope }, { conditions: _, ...name }: CalibrationName & { conditions: Conditions }) => ({
    files: calibrationQuery(scope, name),
  }),
  decide({ scope, now }, { conditions, ...name }, { files }) {
    const found = toCalibration(files);
    if (!found) return refusal('calibrationNotFound', noFile(name));
    const failed = conditionFailure(name, found, conditions);
    if (failed) return failed;
    const { uuid, objectKey } = found;
    return {
      writes: [scope.remove(calibration, sql`uuid = ${uuid}`), ...addOrphan(scope, objectKey, now)],
      audit: [audited('DELETED', uuid, name, found, { sizeBytes: null, sha256: null })],
      answer: { value: { replacedKey: objectKey } },
    };
  },
});

function conditionFailure(
  name: CalibrationName,
  found: StoredCalibration | undefined,
  conditions: Conditions,
): Refusal | undefined {
  if (conditionsHold(found ? calibrationTag(found.sha256) : null, conditions)) return undefined;
  return refusal(
    'preconditionFailed',
    found
      ? `The ${namedFile(name)} exists, and its ETag does not fit If-Match or If-None-Match. Read it again.`
      : `The ${namedFile(name)} does not exist, so If-Match cannot match.`,
  );
}

/** The file after the commit. */
const answerOf = (
  { organization }: Scope,
  { hardwareId, type }: CalibrationName,
  created: boolean,
  replacedKey: string | null,
) => sql<PutCalibration>`SELECT json_object('created', ${Number(created)}, 'replacedKey', ${replacedKey},
    'calibration', ${calibrationView}) FROM calibration
  WHERE organization_uuid = ${organization} AND hardware_id = ${hardwareId}
    AND calibration_type = ${type}`;

/** The audited fields of a file. */
type Bytes = { sizeBytes: number | null; sha256: string | null };

const audited = (
  what: 'UPLOADED' | 'REPLACED' | 'REPAIRED' | 'DELETED',
  uuid: string,
  { hardwareId, type }: CalibrationName,
  before: StoredCalibration | undefined,
  after: Bytes,
) =>
  auditing('CALIBRATION', () => `${hardwareId}/${type}`)(
    `CALIBRATION_${what}`,
    { uuid },
    changedFields<Bytes>(before ?? null, after),
  );
