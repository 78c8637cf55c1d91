import { TENANT_ROWS, type TenantRows } from './tenant.ts';

const EVENTS = ['INSERT', 'UPDATE', 'DELETE'] as const;
export type ChangeEvent = (typeof EVENTS)[number];

/** Why changes are recorded: for a move of the organization, or for the snapshot of an export. */
type Purpose = 'move' | 'export';

/** `uuid` is unique for the purpose: the organization of a move, or the snapshot of an export. */
const nameOf = (purpose: Purpose, uuid: string, table: string, event: ChangeEvent): string =>
  `${purpose}_${table}_${event.toLowerCase()}_${uuid}`;

/** Create triggers that record each change of a table. `record` returns a condition and an INSERT. */
export const createTriggers = (
  db: D1Database,
  purpose: Purpose,
  uuid: string,
  { name, storedIn }: TenantRows,
  record: (event: ChangeEvent) => { when: string; insert: string },
): D1PreparedStatement[] =>
  EVENTS.map((event) => {
    const { when, insert } = record(event);
    return db.prepare(`CREATE TRIGGER IF NOT EXISTS "${nameOf(purpose, uuid, name, event)}"
      AFTER ${event} ON "${storedIn?.table ?? name}" WHEN ${when} BEGIN ${insert}; END`);
  });

/** Statements that drop the triggers that exist, at most as many as given. */
export async function dropTriggers(
  db: D1Database,
  purpose: Purpose,
  uuid: string,
  maximum: number,
): Promise<D1PreparedStatement[]> {
  const names = TENANT_ROWS.flatMap(({ name }) => EVENTS.map((event) => nameOf(purpose, uuid, name, event)));
  const { results } = await db
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name IN (SELECT value FROM json_each(?1)) LIMIT ?2`,
    )
    .bind(JSON.stringify(names), maximum)
    .all<{ name: string }>();
  return results.map(({ name }) => db.prepare(`DROP TRIGGER IF EXISTS "${name}"`));
}
