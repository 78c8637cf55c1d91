import { sql } from 'drizzle-orm';
import { Database, unscoped } from '../lib/database.ts';
import type { Databases } from '../lib/databases.ts';
import { livesHere } from '../lib/look-up.ts';
import { open, type SealingKeys, seal } from '../lib/seal.ts';
import { clientSecretPlace, secretSealedBy } from './store.ts';

/** Providers of a database that one run seals anew. */
const RESEALED_MAXIMUM = 200;

/** A client secret sealed anew by the first key. @throws where none of the keys opens it */
export const resealedSecret = async (keys: SealingKeys, uuid: string, sealed: string): Promise<string> =>
  seal(keys, clientSecretPlace(uuid), await open(keys, clientSecretPlace(uuid), sealed));

/** Seal anew what the other key has sealed of providers, as `resealWebhooks` does, of all organizations or of one. */
export async function resealProviders(
  databases: Databases,
  name: string,
  keys: SealingKeys,
  organization?: string,
): Promise<void> {
  const [, other] = keys;
  if (other === undefined) return;
  const rows = await unscoped(
    databases.named(name),
    sql<{
      uuid: string;
      organization: string;
      sealed: string;
    }>`SELECT p.uuid, p.organization_uuid AS organization,
        p.client_secret AS sealed FROM identity_provider p
      JOIN organization ON organization.uuid = p.organization_uuid AND ${livesHere}
      WHERE ${secretSealedBy(other)}
        ${organization === undefined ? sql`` : sql`AND p.organization_uuid = ${organization}`}
      LIMIT ${RESEALED_MAXIMUM}`,
  );
  for (const { uuid, organization: owner, sealed } of rows) {
    const next = await resealedSecret(keys, uuid, sealed);
    await new Database(owner, databases).send([
      sql`UPDATE identity_provider SET client_secret = ${next}
        WHERE organization_uuid = ${owner} AND uuid = ${uuid} AND client_secret = ${sealed}`,
    ]);
  }
}
