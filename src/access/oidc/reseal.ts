import { sql } from 'drizzle-orm';
import { livesHere } from '../../core/lib/look-up.ts';
import { resealOf, SEALED_PAGE, type SealedIn } from '../../core/lib/reseal.ts';
import { open, type SealingKeys, seal } from '../../core/lib/seal.ts';
import { clientSecretContext, secretSealedBy } from './store.ts';

/** Reseal a client secret with the first key. @throws if none of the keys opens it */
export const resealedSecret = async (keys: SealingKeys, uuid: string, sealed: string): Promise<string> =>
  seal(keys, clientSecretContext(uuid), await open(keys, clientSecretContext(uuid), sealed));

/** Reseals the client secrets of identity providers. */
export const resealProviders = resealOf<SealedIn & { sealed: string }>({
  name: 'identity provider',
  page: ([, ...others], after, organization) =>
    sql`SELECT p.uuid, p.organization_uuid, p.client_secret AS sealed FROM identity_provider p
      JOIN organization ON organization.uuid = p.organization_uuid AND ${livesHere}
      WHERE p.uuid > ${after} AND (${sql.join(others.map(secretSealedBy), sql` OR `)})
        ${organization === undefined ? sql`` : sql`AND p.organization_uuid = ${organization}`}
      ORDER BY p.uuid LIMIT ${SEALED_PAGE}`,
  async reseal(keys, { uuid, organization_uuid, sealed }) {
    const next = await resealedSecret(keys, uuid, sealed);
    return sql`UPDATE identity_provider SET client_secret = ${next}
      WHERE organization_uuid = ${organization_uuid} AND uuid = ${uuid} AND client_secret = ${sealed}`;
  },
});
