import { sql } from 'drizzle-orm';
import { unscoped } from '../../core/lib/database.ts';
import { type Databases, MAIN } from '../../core/lib/databases.ts';
import { livesHere, livesSomewhere } from '../../core/lib/look-up.ts';
import { fold, lowerAscii } from '../../core/lib/text.ts';
import { emailKey } from '../user/email-rules.ts';

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

/** The maximum number of organizations that an e-mail names. */
const NAMED_MAXIMUM = 20;

/** The organizations in which an e-mail address has a user, each with the address as it is stored there. */
export async function organizationsOf(
  databases: Databases,
  typed: string,
): Promise<{ name: string; slug: string; email: string }[]> {
  const found = await Promise.all(
    databases.names.map((name) =>
      unscoped(
        databases.named(name),
        // The index of users begins with the organization.
        sql<{
          name: string;
          slug: string;
          email: string;
        }>`SELECT organization.name, organization.slug, user.email
          FROM organization CROSS JOIN user ON user.organization_uuid = organization.uuid
            AND user.folded_email = ${emailKey(typed.trim())} AND user.deleted_date IS NULL
          WHERE ${livesHere} AND organization.suspended_date IS NULL
          ORDER BY organization.name LIMIT ${NAMED_MAXIMUM}`,
      ),
    ),
  );
  return found.flat().slice(0, NAMED_MAXIMUM);
}
