import { TENANT_ROWS } from '../../src/access/database/tenant.ts';
import { NO_ORGANIZATION } from '../../src/core/lib/id.ts';
import { Finding, type World } from './world.ts';

/** An organization and all its rows are in one database, and no move is in progress. */
export async function checkPlaces({ stores, interrupted }: World, organization: string): Promise<void> {
  if (organization === NO_ORGANIZATION) return;
  const home = await stores.homeOf(organization);
  const moves = await stores.named('DB').read(
    `SELECT uuid, phase, finish_date AS date, error_message AS error, error_code AS code FROM long_job
        WHERE organization_uuid = ?`,
    organization,
  );
  const failed = moves.find(
    ({ uuid, error, code }) => error !== null && code !== 'moveForgotten' && !interrupted.has(uuid),
  );
  if (failed) throw new Finding(`${organization}: the move ${failed['uuid']} failed: ${failed['error']}`);
  const open = moves.find(({ date }) => date === null);
  if (open)
    throw new Finding(
      `${organization}: the move ${open['uuid']} does not end, its phase is ${open['phase']}`,
    );
  for (const name of stores.names) {
    const store = stores.named(name);
    const [trigger] = await store.read(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'move\\_%' ESCAPE '\\'",
    );
    if (trigger) throw new Finding(`${name}: ${trigger['name']} is left over`);
    const [row] = await store.read(
      "SELECT residence || ' in ' || coalesce(database_name, 'DB') AS seen FROM organization WHERE uuid = ?",
      organization,
    );
    const seen = row?.['seen'] ?? 'nowhere';
    const wanted = name === home.name ? 'HERE' : name === 'DB' ? 'ELSEWHERE' : undefined;
    if (seen !== (wanted ? `${wanted} in ${home.name}` : 'nowhere'))
      throw new Finding(`${organization}: lives in ${home.name}, but ${name} says: ${seen}`);
    if (name === home.name) continue;
    for (const table of [...TENANT_ROWS.map((rows) => rows.name), 'list_total', 'moved_row']) {
      const [row] = await store.read(
        `SELECT count(*) AS count FROM "${table}" WHERE organization_uuid = ?`,
        organization,
      );
      const left = row!['count'] as number;
      if (left > 0)
        throw new Finding(`${organization}: lives in ${home.name}, but ${name} has ${left} rows of ${table}`);
    }
  }
}
