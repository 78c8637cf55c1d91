import { bring } from '../../access/database/arrival.ts';
import { rowsFrom } from '../../access/database/rows.ts';

/** The maximum number of keys in one statement. D1 takes values of 2,000,000 bytes. */
const KEYS_MAXIMUM = 10_000;

/**
 * List the calibration files of the lost time as orphans in the target, unless a restored row names them. Otherwise
 * nobody would delete them: their keys do not show the organization.
 */
export async function addUnnamed(
  source: D1Database,
  target: D1Database,
  organization: string,
  claim: string,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows = await rowsFrom(
      source
        .prepare(
          `SELECT object_key AS key FROM calibration WHERE organization_uuid = ?1 AND object_key > ?2
            UNION SELECT object_key FROM calibration_orphan WHERE organization_uuid = ?1 AND object_key > ?2
            ORDER BY 1 LIMIT ${KEYS_MAXIMUM}`,
        )
        .bind(organization, after),
    );
    const keys = rows.map(({ key }) => String(key));
    await bring(target, organization, claim, [
      target
        .prepare(
          `INSERT INTO calibration_orphan (organization_uuid, object_key, create_date)
            SELECT ?1, value, ?3 FROM json_each(?2) WHERE value NOT IN
              (SELECT object_key FROM calibration WHERE organization_uuid = ?1)
            ON CONFLICT DO NOTHING`,
        )
        .bind(organization, JSON.stringify(keys), Date.now()),
    ]);
    after = keys.length < KEYS_MAXIMUM ? undefined : keys.at(-1);
  }
}
