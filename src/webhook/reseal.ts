import { sql } from 'drizzle-orm';
import { Database, unscoped } from '../lib/database.ts';
import type { Databases } from '../lib/databases.ts';
import { open, type SealingKeys, seal, sealedBy } from '../lib/seal.ts';
import { type FoundSealed, SEALED_PAGE, type SealedRow, sealedPageQuery } from './sealed-store.ts';
import { headerPlace, type KeptHeader, type KeptSecret, secretPlace } from './secret.ts';

/** Webhooks of a database that one run seals anew. */
const RESEALED_MAXIMUM = 200;

/** What is sealed of a webhook, sealed anew by the first key. @throws where none of the keys opens it */
export async function resealed(keys: SealingKeys, { uuid, ...row }: SealedRow): Promise<SealedRow> {
  const again = async (place: string, sealed: string): Promise<string> =>
    sealed.startsWith(sealedBy(keys[0])) ? sealed : seal(keys, place, await open(keys, place, sealed));
  const secrets: KeptSecret[] = JSON.parse(row.secrets);
  const headers: KeptHeader[] = JSON.parse(row.custom_headers);
  for (const kept of secrets) kept.sealed = await again(secretPlace(uuid), kept.sealed);
  for (const kept of headers) kept.value = await again(headerPlace(uuid, kept.name), kept.value);
  return { uuid, secrets: JSON.stringify(secrets), custom_headers: JSON.stringify(headers) };
}

/**
 * Seal anew what another key than the first one has sealed in a database, of all organizations or of one: the one way in which
 * `SEALING_KEY` is rotated. Not a command: nothing that anybody sees changes. Each webhook is a write of its own, of what it
 * holds only if that is still what was read, so whoever breaks off or is outrun loses nothing, and the next run goes on. What
 * no key opens stays as it is.
 */
export async function resealWebhooks(
  databases: Databases,
  name: string,
  keys: SealingKeys,
  organization?: string,
): Promise<void> {
  if (keys.length === 1) return;
  let [after, count, failed] = ['', 0, 0];
  while (count < RESEALED_MAXIMUM || organization !== undefined) {
    const rows = await unscoped(databases.named(name), sealedPageQuery(keys, after, organization));
    for (const row of rows) {
      try {
        await replace(databases, row, await resealed(keys, row));
        count += 1;
      } catch {
        failed += 1;
      }
    }
    if (rows.length < SEALED_PAGE) break;
    after = rows.at(-1)!.uuid;
  }
  if (count + failed > 0)
    console.warn(JSON.stringify({ database: name, resealed: count, notResealed: failed }));
}

const replace = (databases: Databases, found: FoundSealed, next: SealedRow): Promise<unknown> =>
  new Database(found.organization_uuid, databases).send([
    sql`UPDATE webhook SET secrets = ${next.secrets}, custom_headers = ${next.custom_headers}
      WHERE organization_uuid = ${found.organization_uuid} AND uuid = ${found.uuid}
        AND secrets = ${found.secrets} AND custom_headers = ${found.custom_headers}`,
  ]);
