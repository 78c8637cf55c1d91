import type { SQL } from 'drizzle-orm';
import { Database } from '../lib/database.ts';
import { databasesOf } from '../lib/databases.ts';
import { entityTag, tagListed } from '../lib/hash.ts';
import { type Json, parseJson } from '../lib/json.ts';
import { type MissingCode, missing } from '../lib/missing.ts';
import { ProblemError } from '../lib/problem.ts';
import type { ViewRow } from '../lib/view.ts';
import { settingsQuery, toSettings } from '../writer/settings.ts';
import { validationRefusal } from './problem-items.ts';
import { type AppContext, principalOf } from './types.ts';

/** The format of a D1 bookmark. The name of its database comes first, unless that is `DB`. */
const BOOKMARK = /^(DB_\d{1,4}:)?[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/**
 * Reads for the caller's organization, from the primary or from the nearest replica that is as recent as the caller's
 * `x-d1-bookmark`. The answer also has a bookmark.
 */
export function reads(c: AppContext): Database {
  return readsOf(c, principalOf(c).organization.uuid);
}

/** The same for an organization that the route names (operator API). */
export function readsOf(c: AppContext, organization: string): Database {
  const bookmark = c.req.header('x-d1-bookmark');
  if (bookmark !== undefined && !BOOKMARK.test(bookmark)) {
    const message = 'Send a bookmark from an earlier response.';
    throw new ProblemError(
      validationRefusal([
        { field: 'x-d1-bookmark', code: 'validationFailed', message, rejectedValue: bookmark.slice(0, 300) },
      ]),
    );
  }
  return readsFrom(c, organization, bookmark ?? 'first-primary');
}

/** Reads from the primary, ignoring the caller's bookmark. Used if a replica turned out to be behind. */
export function primaryReads(c: AppContext): Database {
  return readsFrom(c, principalOf(c).organization.uuid, 'first-primary');
}

/**
 * The time zone of dates without an offset: of the caller's organization, or of the organization in the path (operator
 * API). Other callers have UTC.
 */
export async function timeZoneOf(c: AppContext): Promise<string> {
  const principal = c.get('principal');
  if (principal) return principal.organization.timeZone;
  const { organizationUuid: named } = c.req.param();
  if (named === undefined) return 'UTC';
  const uuid = named.toLowerCase();
  const row = await new Database(uuid, databasesOf(c.env)).first(settingsQuery(uuid));
  return row ? toSettings(row).timeZone : 'UTC';
}

function readsFrom(c: AppContext, organization: string, from: string): Database {
  const database = new Database(organization, databasesOf(c.env), { retryReads: true, from });
  c.set('database', database);
  return database;
}

/**
 * Whether the caller has the current representation: If-None-Match lists its tag, by weak comparison (RFC 9110 section
 * 13.1.2).
 */
export function hasCurrent(c: AppContext, tag: string): boolean {
  const seen = c.req.header('If-None-Match');
  return seen !== undefined && tagListed(seen, tag);
}

/** Answer with a resource and a strong ETag of its stored form; 304 if If-None-Match names it. */
export function answerTagged<T>(c: AppContext, view: Json<T>, present: (stored: T) => unknown): Response {
  const tag = entityTag(view);
  c.header('ETag', tag);
  c.header('Cache-Control', 'private, no-cache');
  if (hasCurrent(c, tag)) return c.body(null, 304);
  return c.json(present(parseJson(view)) as object);
}

/** Answer with the record that a query finds. @throws 404 `code` if `identifier` names no record */
export async function answerRecord<T>(
  c: AppContext,
  database: Database,
  query: SQL<ViewRow<SQL<T>>>,
  { code, identifier }: { code: MissingCode; identifier: string },
  present: (stored: T) => unknown,
): Promise<Response> {
  const row = await database.first(query);
  if (!row) throw new ProblemError(missing(code, identifier));
  return c.json(present(parseJson(row.view)) as object);
}
