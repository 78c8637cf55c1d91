import { sql } from 'drizzle-orm';
import { unscoped } from '../../core/lib/database.ts';
import { type Databases, MAIN } from '../../core/lib/databases.ts';
import { livesSomewhere } from '../../core/lib/look-up.ts';
import { fold, lowerAscii } from '../../core/lib/text.ts';

/**
 * The slug of the organization that a person means by a text: a slug, or else the name of one organization. Any other text is
 * returned as a slug that does not exist, so that all failures are alike. It reads the names of all organizations, which
 * are few enough.
 */
export async function slugMeant(databases: Databases, typed: string): Promise<string> {
  const slug = lowerAscii(typed.trim());
  // Without `DB`, the organizations of other databases are still found by their slugs.
  const all = await unscoped(
    databases.named(MAIN),
    sql<{ slug: string; name: string }>`SELECT slug, name FROM organization WHERE ${livesSomewhere}`,
  ).catch(() => []);
  if (all.some((one) => one.slug === slug)) return slug;
  const name = fold(typed.trim());
  const named = all.filter((one) => fold(one.name.trim()) === name);
  return named.length === 1 ? named[0]!.slug : slug;
}
