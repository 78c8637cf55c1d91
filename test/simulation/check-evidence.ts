import { SIGNATURES_MAXIMUM } from '../../src/dispatch/load/shared/signature-rules.ts';
import { PHOTOS_MAXIMUM } from '../../src/dispatch/photo/rules.ts';
import type { LogCheck } from './log-check.ts';
import type { Row, Store } from './store.ts';
import { Finding } from './world.ts';

/** The audited value of a field. */
const audited = (field: string, value: 'oldValue' | 'newValue'): string =>
  `(SELECT value ->> '${value}' FROM json_each(changes) WHERE value ->> 'field' = '${field}')`;

/** Photos and signatures equal the log, are within their limits, and have one event each. */
export async function checkEvidence(store: Store, { organization }: LogCheck): Promise<void> {
  const read = (text: string): Promise<Row[]> => store.read(text, organization);
  const fail = (what: string): never => {
    throw new Finding(`${organization}: ${what}`);
  };
  const limits = Object.entries(PHOTOS_MAXIMUM).map(([type, most]) => `WHEN '${type}' THEN ${most}`);
  const [crowded] = await read(`SELECT owner_identifier AS name, count(*) AS count FROM photo
    WHERE organization_uuid = ? GROUP BY owner_type, owner_uuid
    HAVING count(*) > CASE owner_type ${limits.join(' ')} END`);
  if (crowded) fail(`${crowded['name']} has ${crowded['count']} photos`);
  const logged =
    await read(`SELECT entity_uuid AS uuid, count(*) FILTER (WHERE action = 'PHOTO_ADDED') AS added,
      count(*) FILTER (WHERE action = 'PHOTO_DELETED') AS deleted,
      EXISTS (SELECT 1 FROM photo WHERE photo.uuid = entity_uuid) AS stored,
      (SELECT count(*) FROM event_log WHERE event_log.organization_uuid = audit_log.organization_uuid
        AND event_log.entity_uuid = audit_log.entity_uuid AND event_type = 'PHOTO_ADDED') AS events
    FROM audit_log WHERE organization_uuid = ? AND entity_type = 'PHOTO' GROUP BY entity_uuid`);
  const wrong = logged.find(
    ({ added, deleted, stored, events }) =>
      added !== 1 || events !== 1 || (deleted as number) + (stored as number) !== 1,
  );
  if (wrong) fail(`the log of a photo is ${JSON.stringify(wrong)}`);
  const [photos] = await read('SELECT count(*) AS count FROM photo WHERE organization_uuid = ?');
  if (logged.filter(({ stored }) => stored === 1).length !== photos!['count'])
    fail('a photo is not in the log');
  await checkSignatures(read, fail);
}

/** The signatures of a load have numbers without gaps, and each record of the log names the one before. */
async function checkSignatures(
  read: (text: string) => Promise<Row[]>,
  fail: (what: string) => never,
): Promise<void> {
  const stored = await read(`SELECT uuid, load_uuid AS load, number, role FROM signature
    WHERE organization_uuid = ? ORDER BY load_uuid, number`);
  const logged = await read(`SELECT entity_uuid AS load,
      ${audited('signature', 'oldValue')} AS before, ${audited('signature', 'newValue')} AS uuid
    FROM audit_log WHERE organization_uuid = ? AND action = 'SIGNATURE_ADDED' ORDER BY sequence_number`);
  for (const [load, rows] of Map.groupBy(stored, (row) => row['load'])) {
    if (rows.length > SIGNATURES_MAXIMUM) fail(`${load} has ${rows.length} signatures`);
    const records = logged.filter((record) => record['load'] === load);
    const wanted = rows.map(({ uuid, role }, index) => ({
      load,
      before: rows.slice(0, index).findLast((other) => other['role'] === role)?.['uuid'] ?? null,
      uuid,
    }));
    if (rows.some(({ number }, index) => number !== index + 1)) fail(`${load} has a gap in its signatures`);
    if (JSON.stringify(records) !== JSON.stringify(wanted))
      fail(
        `${load} has the signatures ${JSON.stringify(wanted)}, but the log has ${JSON.stringify(records)}`,
      );
  }
  if (logged.length !== stored.length) fail('a signature of the log is not stored');
  const [events] = await read(`SELECT count(*) AS count FROM event_log
    WHERE organization_uuid = ? AND event_type = 'SIGNATURE_ADDED'`);
  if (events!['count'] !== stored.length)
    fail(`${events!['count']} events of ${stored.length} signatures exist`);
}
