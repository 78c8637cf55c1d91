import { TENANT_ROWS } from '../../../../src/access/database/tenant.ts';
import { Database } from '../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../../../src/core/lib/id.ts';
import { openJobs } from '../../../../src/storage/long-job/store.ts';
import type { Transfer } from '../../../../src/storage/transfer/store.ts';
import { bindings } from '../../access/database/places.ts';
import type { Tenant } from '../../client.ts';
import { linesOf } from './exports.ts';

const { DB, CALIBRATION } = bindings;

/** An import or erasure that is due. */
export async function transferOf(job: string): Promise<Transfer | undefined> {
  const database = new Database(NO_ORGANIZATION, databasesOf(bindings));
  const types = ['ORGANIZATION_IMPORT', 'ORGANIZATION_ERASURE'] as const;
  return (await openJobs<Transfer>(database, types, 100)).find(({ uuid }) => uuid === job);
}

/** Store an import that only the test carries out, of an export that was received. */
export async function planImport(text: string, databaseName: string): Promise<Transfer> {
  const [header, own, ...rest] = linesOf(text);
  const { uuid, slug } = header.organization;
  const counts = Object.fromEntries(TENANT_ROWS.map(({ name }) => [name, 0]));
  for (const { table } of rest) if (table) counts[table]! += 1;
  const objectKey = `import/${crypto.randomUUID()}`;
  await CALIBRATION.put(objectKey, text);
  const { sequenceNumber, listTotals } = header;
  const values = Object.entries<unknown>(own.values);
  await DB.prepare(
    `INSERT INTO organization (${values.map(([name]) => name)}, residence) VALUES (${values.map(() => '?')}, 'ARRIVING')`,
  )
    .bind(...values.map(([, value]) => value))
    .run();
  const input = { slug, objectKey, databaseName, sequenceNumber, counts, listTotals };
  return insert(uuid, 'ORGANIZATION_IMPORT', 'IMPORTING', input);
}

/** Store an erasure that only the test carries out. */
export async function planErasure({ uuid, slug }: Tenant): Promise<Transfer> {
  await DB.prepare("UPDATE organization SET residence = 'ARRIVING', database_name = NULL WHERE uuid = ?")
    .bind(uuid)
    .run();
  return insert(uuid, 'ORGANIZATION_ERASURE', 'CLEARING', { slug });
}

async function insert(organization: string, type: string, phase: string, input: object): Promise<Transfer> {
  const job = crypto.randomUUID();
  await DB.prepare(
    `INSERT INTO long_job (uuid, organization_uuid, operation_type, phase, input, progress, phase_date, create_date, update_date)
      VALUES (?1, ?2, ?3, ?4, ?5, '{}', ?6, ?6, ?6)`,
  )
    .bind(job, organization, type, phase, JSON.stringify(input), Date.now())
    .run();
  return (await transferOf(job))!;
}
