import { type Databases, MAIN } from '../../core/lib/databases.ts';

/**
 * Hide an organization that is about to be erased in the database where it lives, as `DB` does already. If that
 * database does not respond, the job does it later.
 */
export async function hide(
  databases: Databases,
  organization: string,
  databaseName: string | null,
): Promise<void> {
  if (databaseName === null) return;
  try {
    await databases
      .named(databaseName)
      .prepare(
        `UPDATE organization SET residence = 'ARRIVING', database_name = NULL
          WHERE uuid = ? AND residence = 'HERE' AND suspended_date IS NOT NULL`,
      )
      .bind(organization)
      .run();
    databases.remember(organization, MAIN);
  } catch (error) {
    console.warn(JSON.stringify({ organization, hide: String(error) }));
  }
}
