import { sql } from 'drizzle-orm';
import { resealOf } from '../../core/lib/reseal.ts';
import { open, type SealingKeys, seal, sealedBy } from '../../core/lib/seal.ts';
import { headerContext, type StoredHeader, type StoredSecret, secretContext } from './secret.ts';
import { type FoundSealed, type SealedRow, sealedPageQuery } from './store.ts';

/** The sealed values of a webhook, sealed again with the first key. */
export async function resealedWebhook(keys: SealingKeys, { uuid, ...row }: SealedRow): Promise<SealedRow> {
  const again = async (sealingContext: string, sealed: string): Promise<string> =>
    sealed.startsWith(sealedBy(keys[0]))
      ? sealed
      : seal(keys, sealingContext, await open(keys, sealingContext, sealed));
  const secrets: StoredSecret[] = JSON.parse(row.secrets);
  const headers: StoredHeader[] = JSON.parse(row.custom_headers);
  for (const kept of secrets) kept.sealed = await again(secretContext(uuid), kept.sealed);
  for (const kept of headers) kept.value = await again(headerContext(uuid, kept.name), kept.value);
  return { uuid, secrets: JSON.stringify(secrets), custom_headers: JSON.stringify(headers) };
}

/** Seals the secrets and headers of webhooks again. */
export const resealWebhooks = resealOf<FoundSealed>({
  name: 'webhook',
  page: sealedPageQuery,
  async reseal(keys, found) {
    const next = await resealedWebhook(keys, found);
    return sql`UPDATE webhook SET secrets = ${next.secrets}, custom_headers = ${next.custom_headers}
      WHERE organization_uuid = ${found.organization_uuid} AND uuid = ${found.uuid}
        AND secrets = ${found.secrets} AND custom_headers = ${found.custom_headers}`;
  },
});
