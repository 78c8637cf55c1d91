import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { operator, sendPatiently } from './client.ts';
import type { Service } from './service.ts';

/** The schedule that starts retention, as in wrangler.toml. */
const DAILY = '17 3 * * *';
const YEAR_MS = 365 * 86_400_000;

/** Changes stored rows of an organization while the service does not run. */
export async function changeStored(
  service: Service,
  organization: string,
  change: (database: DatabaseSync) => void,
): Promise<void> {
  await service.kill();
  const folder = join(service.stateDir, 'v3/d1');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.sqlite'))) {
    const database = new DatabaseSync(join(folder, file));
    const hasTables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'organization'").get();
    if (hasTables && database.prepare('SELECT 1 FROM organization WHERE uuid = ?').get(organization)) {
      change(database);
    }
    database.close();
  }
  await service.start();
}

/** Makes all closed work a year older, and returns the number of rows. */
export const age = (database: DatabaseSync, organization: string): number =>
  ['manifest', 'shipment']
    .map((table) =>
      database
        .prepare(`UPDATE ${table} SET close_date = close_date - ? WHERE organization_uuid = ?`)
        .run(YEAR_MS, organization),
    )
    .reduce((sum, { changes }) => sum + Number(changes), 0);

/** Sets a retention of 90 days, and makes the schedule handle the organization today. */
export async function retain(service: Service, organization: string): Promise<void> {
  const path = `/organization/${organization}`;
  await operator(service, 200, { method: 'PUT', path, json: { retentionDays: 90 } });
  await sendPatiently(service, {
    method: 'GET',
    path: `/cdn-cgi/local/scheduled?cron=${encodeURIComponent(DAILY)}`,
  });
}
