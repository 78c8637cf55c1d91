import { settingsOf } from '../env.ts';
import type { Access } from '../http/declaration.ts';
import { hostSlug } from '../http/hosts.ts';
import { type AppContext, hostname } from '../http/types.ts';
import { Database } from '../lib/database.ts';
import { databasesOf } from '../lib/databases.ts';
import { findPublished, type Published } from './store.ts';

/** Whoever has the address may call, and the store is asked. */
export const publishedAccess: Access = {
  security: [],
  errors: ['temporarilyUnavailable'],
  check: () => undefined,
};

/** What tokens look like: 24 bytes in base64url. Anything else names nothing, and is not looked for. */
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

/**
 * What a token of a path names, with a database of its organization; undefined where it names nothing, also on a host
 * that is another organization's. Reads go to the primary: whoever was sent a link sees what it was sent for.
 */
export async function publishedOf(
  c: AppContext,
  token: string,
): Promise<{ published: Published; database: Database } | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const databases = databasesOf(c.env);
  const published = await findPublished(databases, token);
  if (!published) return undefined;
  const slug = hostSlug(hostname(c), settingsOf(c.env).BASE_DOMAIN);
  if (slug !== undefined && slug !== published.slug) return undefined;
  const database = new Database(published.organizationUuid, databases, { patient: true });
  c.set('database', database);
  return { published, database };
}
