import { sql } from 'drizzle-orm';
import type { Database, Scope } from '../lib/database.ts';
import type { Databases } from '../lib/databases.ts';
import { sha256Hex } from '../lib/hash.ts';
import { type Json, parseJson } from '../lib/json.ts';
import { byTag, livesHere, lookUp } from '../lib/look-up.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { json, type Viewed, type ViewRow, view } from '../lib/view.ts';
import { type OrganizationSettings, organizationView, toSettings } from '../writer/settings.ts';
import { type CredentialKind, tagIn } from './secret.ts';
import { credential } from './table.ts';

/** A credential as it is found by the hash of a secret. Dates in epoch milliseconds. */
export interface FoundCredential {
  uuid: string;
  kind: CredentialKind;
  name: string;
  scopes: string[];
  expiresDate: number | null;
  revokedDate: number | null;
  lastUsedDate: number | null;
  /** End of the overlap of a secret that was rotated out. */
  validUntilDate: number | null;
  organization: OrganizationSettings;
}

interface FoundRow extends Pick<FoundCredential, 'uuid' | 'kind' | 'name'>, ViewRow<typeof organizationView> {
  scopes: Json<string[]>;
  expires_date: number | null;
  revoked_date: number | null;
  last_used_date: number | null;
  valid_until_date: number | null;
}

/** Find the credential that a secret is of, and remember where its organization lives. */
export async function findCredential(
  databases: Databases,
  secret: string,
): Promise<FoundCredential | undefined> {
  const hash = sha256Hex(secret);
  const found = await lookUp(
    databases,
    sql<FoundRow>`SELECT credential.uuid, kind, credential.name, scopes, expires_date, revoked_date, last_used_date,
        valid_until_date, ${organizationView} AS view
      FROM credential_secret
      JOIN credential ON credential.uuid = credential_secret.credential_uuid
      JOIN organization ON organization.uuid = credential_secret.organization_uuid
      WHERE credential_secret.hash = ${hash} AND ${livesHere}`,
    byTag(tagIn(secret), hash),
  );
  if (!found) return undefined;
  const { row, databaseName } = found;
  const organization = toSettings(row);
  databases.remember(organization.uuid, databaseName);
  return {
    uuid: row.uuid,
    kind: row.kind,
    name: row.name,
    scopes: parseJson(row.scopes),
    expiresDate: row.expires_date,
    revokedDate: row.revoked_date,
    lastUsedDate: row.last_used_date,
    validUntilDate: row.valid_until_date,
    organization,
  };
}

/** JSON of a credential as it is stored; never of its secret. */
export const credentialView = view({
  uuid: credential.uuid,
  kind: credential.kind,
  name: credential.name,
  prefix: credential.prefix,
  scopes: json<string[]>(sql`credential.scopes`),
  expiresDate: credential.expiresDate,
  revokedDate: credential.revokedDate,
  lastUsedDate: credential.lastUsedDate,
  createDate: credential.createDate,
  updateDate: credential.updateDate,
});
export type StoredCredential = Viewed<typeof credentialView>;

/** One credential of the organization. */
export const credentialQuery = (scope: Scope, kind: CredentialKind, uuid: string) =>
  sql<ViewRow<typeof credentialView>>`SELECT ${credentialView} AS view FROM credential
    WHERE organization_uuid = ${scope.organization} AND kind = ${kind} AND uuid = ${uuid}`;

/** How exact `lastUsedDate` is. */
export const LAST_USED_STEP_MS = MINUTE_MS;

/**
 * Note that a credential was used. Not a command: nothing is decided on it, it only moves forward, and a
 * write through the writer for each minute of reading would buy nothing.
 */
export async function noteUse(database: Database, uuid: string, now: number): Promise<void> {
  await database.send([
    sql`UPDATE credential SET last_used_date = ${now} WHERE organization_uuid = ${database.organization}
      AND uuid = ${uuid} AND coalesce(last_used_date, 0) < ${now}`,
  ]);
}
