import type { Watermark, WatermarkStore } from '../../../../src/core/writer/writer-state.ts';
import { db, type Tenant } from './requests.ts';

/** Save the rows of an organization. @returns a function that restores them. */
export async function remember(organization: string): Promise<() => Promise<void>> {
  const { results } = await db
    .prepare(`SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND sql LIKE '%organization_uuid%'
      AND name NOT LIKE 'computed_%' AND name NOT IN ('organization_number', 'audit_log', 'pallet_activity', 'list_total')`)
    .all<{ name: string }>();
  const kept: [string, Record<string, unknown>[]][] = [];
  for (const { name } of results) {
    const rows = await db
      .prepare(`SELECT * FROM ${name} WHERE organization_uuid = ?1`)
      .bind(organization)
      .all();
    kept.push([name, rows.results]);
  }
  return async () => {
    await db.batch(
      kept.flatMap(([name, rows]) => [
        db.prepare(`DELETE FROM ${name} WHERE organization_uuid = ?1`).bind(organization),
        ...rows.map((row) => {
          const columns = Object.keys(row);
          const values = columns.map((_, index) => `?${index + 1}`);
          return db
            .prepare(`INSERT OR REPLACE INTO ${name} (${columns.join(', ')}) VALUES (${values.join(', ')})`)
            .bind(...Object.values(row));
        }),
      ]),
    );
  };
}

/** Events of a tenant, in order. */
export const eventsOf = async (tenant: Tenant) =>
  (await tenant.call('GET', '/event?limit=1000')).body.content;

/** Watermarks for a test, stored as the object's storage would. */
export function marks(): WatermarkStore & { mark: Watermark | undefined } {
  return {
    mark: undefined,
    async read() {
      return this.mark;
    },
    async write(mark) {
      this.mark = mark;
    },
  };
}
