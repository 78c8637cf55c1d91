import { sql } from 'drizzle-orm';
import { Database } from '../../core/lib/database.ts';
import type { Databases } from '../../core/lib/databases.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { byTag, livesHere, lookUp } from '../../core/lib/look-up.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { MINUTE_MS } from '../../core/lib/time.ts';
import { json, type Viewed, type ViewRow, view } from '../../core/lib/view.ts';
import { type OrganizationSettings, organizationView, toSettings } from '../../core/writer/settings.ts';
import { tagIn } from './secret.ts';
import { type CredentialKind, tablesOf } from './table.ts';

/** A credential found by the hash of a secret. Dates are in epoch milliseconds. */
export interface CredentialRow {
  uuid: string;
  kind: CredentialKind;
  name: string;
  scopes: string[];
  expiresDate: number | null;
  revokedDate: number | null;
  lastUsedDate: number | null;
  /** The end of the overlap of a rotated secret. */
  validUntilDate: number | null;
}

/** A credential of an organization. */
export interface FoundCredential extends CredentialRow {
  organization: OrganizationSettings;
}

interface FoundRow extends Pick<CredentialRow, 'uuid' | 'kind' | 'name'> {
  scopes: Json<string[]>;
  expires_date: number | null;
  revoked_date: number | null;
  last_used_date: number | null;
  valid_until_date: number | null;
}

/** Find the credential of a secret, and remember the database of its organization. */
export async function findCredential(
  databases: Databases,
  secret: string,
): Promise<FoundCredential | undefined> {
  const hash = sha256Hex(secret);
  const found = await lookUp(
    databases,
    sql<
      FoundRow & ViewRow<typeof organizationView>
    >`SELECT credential.uuid, kind, credential.name, scopes, expires_date, revoked_date, last_used_date,
        valid_until_date, ${organizationView} AS view
      FROM credential_secret
      JOIN credential ON credential.uuid = credential_secret.credential_uuid
      JOIN organization ON organization.uuid = credential_secret.organization_uuid
      WHERE credential_secret.hash = ${hash} AND ${livesHere}`,
    byTag(tagIn(secret)),
  );
  if (!found) return undefined;
  const { row, databaseName } = found;
  const organization = toSettings(row);
  databases.remember(organization.uuid, databaseName);
  return { ...toFound(row), organization };
}

const toFound = (row: FoundRow): CredentialRow => ({
  uuid: row.uuid,
  kind: row.kind,
  name: row.name,
  scopes: parseJson(row.scopes),
  expiresDate: row.expires_date,
  revokedDate: row.revoked_date,
  lastUsedDate: row.last_used_date,
  validUntilDate: row.valid_until_date,
});

/** Find an operator in `DB` by the hash of its secret. Operators belong to no organization. */
export async function findOperator(databases: Databases, hash: string): Promise<CredentialRow | undefined> {
  const row = await new Database(NO_ORGANIZATION, databases, { retryReads: true }).first(
    sql<FoundRow>`SELECT operator.uuid, kind, name, scopes, expires_date, revoked_date, last_used_date, valid_until_date
      FROM operator_secret JOIN operator ON operator.uuid = operator_secret.credential_uuid
      WHERE operator_secret.hash = ${hash} AND operator_secret.organization_uuid = ${NO_ORGANIZATION}`,
  );
  return row && toFound(row);
}

const viewIn = ({ credential }: ReturnType<typeof tablesOf>) =>
  view({
    uuid: credential.uuid,
    kind: credential.kind,
    name: credential.name,
    prefix: credential.prefix,
    scopes: json<string[]>(sql`${credential.scopes}`),
    expiresDate: credential.expiresDate,
    revokedDate: credential.revokedDate,
    lastUsedDate: credential.lastUsedDate,
    createDate: credential.createDate,
    updateDate: credential.updateDate,
  });
export type CredentialView = ReturnType<typeof viewIn>;
export type StoredCredential = Viewed<CredentialView>;

const views: Record<CredentialKind, CredentialView> = {
  API_KEY: viewIn(tablesOf('API_KEY')),
  ACCESS_TOKEN: viewIn(tablesOf('ACCESS_TOKEN')),
  OPERATOR: viewIn(tablesOf('OPERATOR')),
};

/** JSON of a credential, without its secret. */
export const credentialView = (kind: CredentialKind): CredentialView => views[kind];

/** One credential of the organization, or of no organization. */
export const credentialQuery = (scope: Scope, kind: CredentialKind, uuid: string) =>
  sql<ViewRow<CredentialView>>`SELECT ${credentialView(kind)} AS view FROM ${tablesOf(kind).credential}
    WHERE organization_uuid = ${scope.organization} AND kind = ${kind} AND uuid = ${uuid}`;

/** The precision of `lastUsedDate`. */
const LAST_USED_STEP_MS = MINUTE_MS;

/**
 * Record the use of a credential after the answer, at most once a minute. This is not a command, because no decision
 * depends on the date and it only moves forward.
 */
export function noteCredentialUse(
  c: { executionCtx: Pick<ExecutionContext, 'waitUntil'> },
  database: Database,
  found: CredentialRow,
): void {
  const { kind, uuid } = found;
  const now = Date.now();
  if (now - (found.lastUsedDate ?? 0) < LAST_USED_STEP_MS) return;
  found.lastUsedDate = now;
  const noted = database.send([
    sql`UPDATE ${tablesOf(kind).credential} SET last_used_date = ${now} WHERE organization_uuid = ${database.organization}
      AND uuid = ${uuid} AND coalesce(last_used_date, 0) < ${now}`,
  ]);
  c.executionCtx.waitUntil(noted.catch((error) => console.warn(String(error))));
}
