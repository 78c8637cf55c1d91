import { retried } from '../../core/lib/store.ts';

/** The size of a database, and the names of its applied migrations; null if it has no list of them. */
export async function measure(db: D1Database): Promise<{ sizeBytes: number; migrations: string[] | null }> {
  const { results, meta } = await retried(() =>
    db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'd1_migrations'").all(),
  );
  if (results.length === 0) return { sizeBytes: meta.size_after, migrations: null };
  // Wrangler and `deploy:migrate` list the applied migrations in this table.
  const applied = await retried(() =>
    db.prepare('SELECT name FROM d1_migrations ORDER BY id').all<{ name: string }>(),
  );
  return { sizeBytes: meta.size_after, migrations: applied.results.map(({ name }) => name) };
}
