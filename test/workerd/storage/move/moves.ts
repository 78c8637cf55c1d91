import { TENANT_ROWS } from '../../../../src/access/database/tenant.ts';
import { Database } from '../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../../../src/core/lib/id.ts';
import { MoveRunner } from '../../../../src/storage/move/move-runner.ts';
import { openRelocations, type Phase, type Relocation } from '../../../../src/storage/move/store.ts';
import { sweepMoves } from '../../../../src/storage/move/sweep.ts';
import { bindings, newTenantIn } from '../../access/database/places.ts';
import { operator, type Tenant } from '../../client.ts';

/** What has no rows that are moved; an organization has another number in each database. */
const NOT_MOVED = ['relocation', 'untagged_secret', 'organization_job', 'organization_number'];

/** A row of a view without what follows from the rest. */
function withoutDerived(name: string, row: Record<string, unknown>): object {
  const derived = TENANT_ROWS.find((table) => table.name === name)?.derived ?? [];
  return Object.fromEntries(Object.entries(row).filter(([column]) => !derived.includes(column)));
}

/** All rows of an organization in a database, table by table; without what a move is about. */
export async function dump(db: D1Database, organization: string): Promise<Record<string, string[]>> {
  const { results: tables } = await db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND sql LIKE '%organization_uuid%' ORDER BY name",
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
        // A list that is empty has a total of 0, or none.
        rows[index]!.results.filter(({ total }) => total !== 0)
          .map((row) => JSON.stringify(withoutDerived(name, row)))
          .sort(),
      ])
      .filter(([name, found]) => found.length > 0 && !NOT_MOVED.includes(name)),
  );
}

/** Ask for a move, and wait for its end: the operation. */
export async function move(tenant: Tenant, databaseName: string) {
  const { status, body } = await operator('POST', `/organization/${tenant.uuid}/move`, { databaseName });
  if (status !== 202) throw new Error(JSON.stringify(body));
  return ended(body.operationId);
}

/** The operation of a move, once it has come to its end. */
export async function ended(operationId: string) {
  const deadline = Date.now() + 50_000;
  for (;;) {
    const { body } = await operator('GET', `/operation/${operationId}`);
    if (body.finishDate !== null) return body;
    if (Date.now() > deadline) throw new Error(JSON.stringify(body));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The move of an organization that is under way. */
export async function relocationOf(organization: string): Promise<Relocation | undefined> {
  const open = await openRelocations(new Database(NO_ORGANIZATION, databasesOf(bindings)), 100);
  return open.find((relocation) => relocation.organization === organization);
}

/** Note a move that nobody carries on but the test. */
export async function plan(organization: string, fromName: string, toName: string): Promise<Relocation> {
  await bindings.DB.prepare(
    `INSERT INTO relocation (uuid, organization_uuid, from_name, to_name, phase, progress, phase_date, create_date,
      update_date) VALUES (?1, ?2, ?3, ?4, 'EMPTYING', '{}', ?5, ?5, ?5)`,
  )
    .bind(crypto.randomUUID(), organization, fromName, toName, Date.now())
    .run();
  return (await relocationOf(organization))!;
}

/** Who carries a move on with these bindings, and tells no log of it. */
export const moverOf = (env: object, relocation: Relocation): MoveRunner =>
  new MoveRunner(databasesOf(env), relocation, async () => undefined);

/** Carry a move to its end with these bindings, from where it has come to. */
export async function carryOn(env: object, relocation: Relocation): Promise<void> {
  const mover = moverOf(env, relocation);
  while (!(await mover.step()));
}

/** How many triggers of moves of an organization stand in a database. */
export const standing = async (db: D1Database, organization: string): Promise<number> => {
  const found = db
    .prepare("SELECT count(*) AS count FROM sqlite_schema WHERE name LIKE 'move\\_%' || ? ESCAPE '\\'")
    .bind(organization);
  return (await found.first<number>('count'))!;
};

/** Where an organization is, as `DB` and `DB_1` see it. */
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

/** How many moves of an organization are noted, at their end or not. */
export const movesOf = (organization: string): Promise<number | null> =>
  bindings.DB.prepare('SELECT count(*) AS count FROM relocation WHERE organization_uuid = ?')
    .bind(organization)
    .first<number>('count');

/** Look for moves that are forgotten. */
export const sweep = async (): Promise<void> => {
  const databases = databasesOf(bindings);
  for (const name of databases.names) await sweepMoves(databases, name);
};

/** An organization that is moved between the databases, up to a phase, by who knows of nothing that happens behind. */
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
