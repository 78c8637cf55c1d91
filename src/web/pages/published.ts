import type { Access } from '../../core/http/declaration.ts';
import { ownSlug } from '../../core/http/hosts.ts';
import type { AppContext } from '../../core/http/types.ts';
import { bucketOf } from '../../core/lib/bucket.ts';
import { Database } from '../../core/lib/database.ts';
import { type Databases, databasesOf } from '../../core/lib/databases.ts';
import { readRecords } from '../../storage/archive/objects.ts';
import { type ArchivedPage, type RecordsAt, readArchivedPage } from './archived.ts';
import { findPublished, type PublishedLoad } from './published-store.ts';
import { spendPublic } from './quota.ts';
import { Gone } from './read-load.ts';

/** Anyone may call these URLs, and each call reads the store. */
export const publishedAccess: Access = {
  security: [],
  errors: ['rateLimited', 'temporarilyUnavailable'],
  check: () => undefined,
};

/** The form of tokens: 24 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

/** How to read the data of public pages: from the database, and from the archive. */
interface Readers<T> {
  living: (database: Database, published: PublishedLoad) => Promise<T | undefined>;
  archived: (page: ArchivedPage, recordsAt: RecordsAt) => Promise<T | undefined>;
}

/**
 * Read the load of a token, in the database or in the archive; undefined if it does not exist. If
 * it moves to the archive during the read, it is looked up again.
 */
export async function readPublished<T>(
  c: AppContext,
  token: string,
  { living, archived }: Readers<T>,
): Promise<{ published: PublishedLoad; shown: T } | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await publishedOf(c, token);
    if (!found) return undefined;
    const { database, published } = found;
    if (published.archived) {
      const location = published.archived;
      const page = await readArchivedPage(bucketOf(c.env), location);
      const shown = await archived(page, (skip, take) =>
        readRecords(bucketOf(c.env), database, location, skip, take),
      );
      return shown && { published: { ...published, organizationName: page.organizationName }, shown };
    }
    try {
      const shown = await living(database, published);
      return shown && { published, shown };
    } catch (error) {
      // A load moves to the archive only once.
      if (!(error instanceof Gone) || attempt > 1) throw error;
    }
  }
}

/** The load of the token in a path, and a database of its organization. */
async function publishedOf(
  c: AppContext,
  token: string,
): Promise<{ published: PublishedLoad; database: Database } | undefined> {
  const found = await findByToken(c, token, findPublished);
  return found && { published: found.shown, database: found.database };
}

/**
 * The thing that the token in a path shows, and a database of its organization. Undefined if it does not exist, or on
 * the host of another organization. Texts without the form of a token are not looked up. Reads use the primary, because
 * people open a link right after they get it.
 */
export async function findByToken<T extends { organizationUuid: string; slug: string }>(
  c: AppContext,
  token: string,
  find: (databases: Databases, token: string) => Promise<T | undefined>,
  form = TOKEN,
): Promise<{ shown: T; database: Database } | undefined> {
  const isToken = form.test(token);
  await spendPublic(c, isToken ? token : null);
  if (!isToken) return undefined;
  const databases = databasesOf(c.env);
  const shown = await find(databases, token);
  if (!shown) return undefined;
  const slug = ownSlug(c);
  if (slug !== undefined && slug !== shown.slug) return undefined;
  const database = new Database(shown.organizationUuid, databases, { retryReads: true });
  c.set('database', database);
  return { shown, database };
}
