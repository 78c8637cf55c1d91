import { TENANT_ROWS } from '../../../../src/access/database/tenant.ts';
import { Database } from '../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../../../src/core/lib/id.ts';
import { openJobs } from '../../../../src/storage/long-job/store.ts';
import { MoveRunner } from '../../../../src/storage/move/move-runner.ts';
import type { Phase, Relocation } from '../../../../src/storage/move/store.ts';
import { sweepMoves } from '../../../../src/storage/move/sweep.ts';
import { bindings, newTenantIn } from '../../access/database/places.ts';
import { operator, type Tenant } from '../../client.ts';

/** Tables without moved rows. An organization has another number in each database. */
const NOT_MOVED = ['long_job', 'organization_number', 'recent_answer'];

/** A row of a view without its derived columns. */
function withoutDerived(name: string, row: Record<string, unknown>): object {
  const derived = TENANT_ROWS.find((table) => table.name === name)?.derived ?? [];
  return Object.fromEntries(Object.entries(row).filter(([column]) => !derived.includes(column)));
}

/** All rows of an organization in a database, by table, without rows about moves. */
export async function dump(db: D1Database, organization: string): Promise<Record<string, string[]>> {
  const { results: tables } = await db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND sql LIKE '%organization_uuid%' AND name NOT LIKE 'computed_%' AND name NOT IN ('audit_log', 'pallet_activity', 'list_part') ORDER BY name",
    )
    .all<{ name: string }>();
  const rows = await db.batch<Record<string, unknown>>(
    tables.map(({ name }) =>
      db.prepare(`SELECT * FROM "${name}" WHERE organization_uuid = ?`).bind(organization),
    ),
  );
  return Object.fromEntries(
    tables
      .map(({ name }, index): [string, string[]] => [
        name,
        // An empty list has a total of 0 or no total.
        rows[index]!.results.filter(({ total }) => total !== 0)
          .map((row) => JSON.stringify(withoutDerived(name, row)))
          .sort(),
      ])
      .filter(([name, found]) => found.length > 0 && !NOT_MOVED.includes(name)),
  );
}

/** The number of audit records in rows of `command_log`. */
export const recordsIn = (rows: readonly string[] | undefined): number =>
  (rows ?? []).reduce((sum, row) => sum + JSON.parse(JSON.parse(row).records).length, 0);

/** Request a move and wait for its end. @returns the operation. */
export async function move(tenant: Tenant, databaseName: string) {
  const { status, body } = await operator('POST', `/organization/${tenant.uuid}/move`, { databaseName });
  if (status !== 202) throw new Error(JSON.stringify(body));
  return ended(body.operationId);
}

/** Wait until a move has ended. @returns its operation. */
export async function ended(operationId: string) {
  const deadline = Date.now() + 50_000;
  for (;;) {
    const { body } = await operator('GET', `/operation/${operationId}`);
    if (body.finishDate !== null) return body;
    if (Date.now() > deadline) throw new Error(JSON.stringify(body));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The move of an organization that is in progress. */
export async function relocationOf(organization: string): Promise<Relocation | undefined> {
  const database = new Database(NO_ORGANIZATION, databasesOf(bindings));
  const open = await openJobs<Relocation>(database, ['ORGANIZATION_MOVE'], 100);
  return open.find((relocation) => relocation.organization === organization);
}

/** Insert a move that only the test carries out. */
export async function plan(organization: string, fromName: string, toName: string): Promise<Relocation> {
  await bindings.DB.prepare(
    `INSERT INTO long_job (uuid, organization_uuid, operation_type, phase, input, progress, phase_date, create_date,
      update_date) VALUES (?1, ?2, 'ORGANIZATION_MOVE', 'EMPTYING', ?3, '{}', ?4, ?4, ?4)`,
  )
    .bind(crypto.randomUUID(), organization, JSON.stringify({ fromName, toName }), Date.now())
    .run();
  return (await relocationOf(organization))!;
}

/** A runner for a move with these bindings. It writes to no log. */
export const moverOf = (env: object, relocation: Relocation): MoveRunner =>
  new MoveRunner(databasesOf(env), relocation, async () => undefined);

/** Continue a move with these bindings until its end. */
export async function carryOn(env: object, relocation: Relocation): Promise<void> {
  const mover = moverOf(env, relocation);
  while (!(await mover.step()));
}

/** Number of triggers that moves of an organization have in a database. */
export const triggerCount = async (db: D1Database, organization: string): Promise<number> => {
  const found = db
    .prepare("SELECT count(*) AS count FROM sqlite_schema WHERE name LIKE 'move\\_%' || ? ESCAPE '\\'")
    .bind(organization);
  return (await found.first<number>('count'))!;
};

/** The location of an organization according to `DB` and `DB_1`. */
export const residences = (organization: string): Promise<(string | null)[]> =>
  Promise.all(
    [bindings.DB, bindings.DB_1].map((db) =>
      db
        .prepare(
          "SELECT residence || ' in ' || coalesce(database_name, 'DB') AS seen FROM organization WHERE uuid = ?",
        )
        .bind(organization)
        .first<string>('seen'),
    ),
  );

/** Number of stored moves of an organization, finished or not. */
export const movesOf = (organization: string): Promise<number | null> =>
  bindings.DB.prepare('SELECT count(*) AS count FROM long_job WHERE organization_uuid = ?')
    .bind(organization)
    .first<number>('count');

/** Look for forgotten moves. */
export const sweep = async (): Promise<void> => {
  const databases = databasesOf(bindings);
  for (const name of databases.names) await sweepMoves(databases, name);
};

/** An organization whose move has reached a phase, and a runner that still knows only this phase. */
export async function moving(fromName: 'DB' | 'DB_1', until: Phase) {
  const { DB, DB_1 } = bindings;
  const tenant = await newTenantIn(fromName);
  const { uuid } = tenant;
  for (const wmsId of ['P', 'Q']) await tenant.call('POST', '/track/get-and-couple', { wmsId });
  const [from, to] = fromName === 'DB' ? [DB, DB_1] : [DB_1, DB];
  const planned = await plan(uuid, fromName, fromName === 'DB' ? 'DB_1' : 'DB');
  const mover = moverOf(bindings, planned);
  while ((await relocationOf(uuid))!.phase !== until) await mover.step();
  return { tenant, uuid, planned, mover, from, to };
}
