import { readRecords } from '../archive/objects.ts';
import type { Access } from '../http/declaration.ts';
import { ownSlug } from '../http/hosts.ts';
import type { AppContext } from '../http/types.ts';
import { Database } from '../lib/database.ts';
import { databasesOf } from '../lib/databases.ts';
import { type ArchivedPage, type RecordsAt, readPage } from './archived.ts';
import { spendPublic } from './quota.ts';
import { Gone } from './reading.ts';
import { findPublished, type Published } from './store.ts';

/** Whoever has the address may call, and the store is asked. */
export const publishedAccess: Access = {
  security: [],
  errors: ['rateLimited', 'temporarilyUnavailable'],
  check: () => undefined,
};

/** What tokens look like: 24 bytes in base64url. Anything else names nothing, and is not looked for. */
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

/** How something is read that public pages show: out of the database, and out of the archive. */
export interface Readers<T> {
  living: (database: Database, published: Published) => Promise<T | undefined>;
  archived: (page: ArchivedPage, recordsAt: RecordsAt) => Promise<T | undefined>;
}

/**
 * What is shown of what a token names, wherever it is; undefined where there is no such thing. Where it goes to the
 * archive meanwhile, it is looked for again.
 */
export async function readPublished<T>(
  c: AppContext,
  token: string,
  { living, archived }: Readers<T>,
): Promise<{ published: Published; shown: T } | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await publishedOf(c, token);
    if (!found) return undefined;
    const { database, published } = found;
    if (published.archived) {
      const place = published.archived;
      const page = await readPage(c.env.CALIBRATION, place);
      const shown = await archived(page, (skip, take) =>
        readRecords(c.env.CALIBRATION, database, place, skip, take),
      );
      return shown && { published: { ...published, organizationName: page.organizationName }, shown };
    }
    try {
      const shown = await living(database, published);
      return shown && { published, shown };
    } catch (error) {
      // It goes there once.
      if (!(error instanceof Gone) || attempt > 1) throw error;
    }
  }
}

/**
 * What a token of a path names, with a database of its organization; undefined where it names nothing, also on a host
 * that is another organization's. Reads go to the primary: whoever was sent a link sees what it was sent for.
 */
async function publishedOf(
  c: AppContext,
  token: string,
): Promise<{ published: Published; database: Database } | undefined> {
  const isToken = TOKEN.test(token);
  await spendPublic(c, isToken ? token : null);
  if (!isToken) return undefined;
  const databases = databasesOf(c.env);
  const published = await findPublished(databases, token);
  if (!published) return undefined;
  const slug = ownSlug(c);
  if (slug !== undefined && slug !== published.slug) return undefined;
  const database = new Database(published.organizationUuid, databases, { patient: true });
  c.set('database', database);
  return { published, database };
}
