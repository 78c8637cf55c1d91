import { sql } from 'drizzle-orm';
import type { Databases } from '../../core/lib/databases.ts';
import { routingTag } from '../../core/lib/id.ts';
import { parseJson } from '../../core/lib/json.ts';
import { byTag, livesHere, lookUp } from '../../core/lib/look-up.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { type Account, onlyCompany, type Stored } from '../session/store.ts';
import type { PasskeyOwner } from './rules.ts';

/** A passkey as its user sees it. Dates are in epoch milliseconds. */
export interface Passkey {
  uuid: string;
  name: string;
  host: string;
  credentialId: string;
  lastUsedDate: number | null;
  createDate: number;
}

/** The passkeys of a user, the newest last; for a batch. */
export const passkeysQuery = ({ organization }: Scope, userUuid: string) => sql<Passkey>`
  SELECT uuid, name, host, credential_id AS "credentialId", last_used_date AS "lastUsedDate", create_date AS "createDate"
  FROM passkey WHERE organization_uuid = ${organization} AND user_uuid = ${userUuid} ORDER BY create_date, uuid`;

/** Whether only the organization's identity provider can sign users in; for a batch. */
export const onlyCompanyQuery = ({ organization }: Scope) =>
  sql<{ onlyCompany: 0 | 1 }>`SELECT ${onlyCompany(organization)} AS "onlyCompany"`;

/** Find an answered challenge; for a batch. */
export const usedQuery = ({ organization }: Scope, challengeHash: string) => sql<{ used: 1 }>`SELECT 1 AS used
  FROM used_challenge WHERE organization_uuid = ${organization} AND challenge_hash = ${challengeHash}`;

/** Find the passkey with this credential id. For a batch. */
export const holderQuery = ({ organization }: Scope, credentialId: string) => sql<{
  uuid: string;
}>`SELECT uuid
  FROM passkey WHERE organization_uuid = ${organization} AND credential_id = ${credentialId}`;

/** A passkey found for a sign-in. */
export interface SigningPasskey {
  uuid: string;
  name: string;
  counter: number;
  email: string;
  sessionEpoch: number;
}

/** Find a passkey of an existing user, if passkeys may sign in; for a batch. */
export const signingQuery = ({ organization }: Scope, userUuid: string, credentialId: string) =>
  sql<SigningPasskey>`SELECT passkey.uuid, passkey.name, passkey.counter, user.email, user.session_epoch AS "sessionEpoch"
    FROM passkey JOIN user ON user.uuid = passkey.user_uuid AND user.deleted_date IS NULL
    WHERE passkey.organization_uuid = ${organization} AND passkey.credential_id = ${credentialId}
      AND passkey.user_uuid = ${userUuid} AND NOT ${onlyCompany(organization)}`;

/** The account of a passkey. */
export interface KeyAccount extends Omit<Account, 'passwordHash'> {
  slug: string;
  publicKey: string;
}

/** Find the account of a passkey by credential id and owner, if the passkey was made at this host. */
export async function findKeyAccount(
  databases: Databases,
  { organization, userUuid }: PasskeyOwner,
  { credentialId, host }: { credentialId: string; host: string },
): Promise<KeyAccount | undefined> {
  const found = await lookUp(
    databases,
    sql<Stored<KeyAccount>>`SELECT organization.uuid AS organization, organization.slug, user.uuid,
        user.first_name || ' ' || user.last_name AS "displayName", user.session_epoch AS "sessionEpoch",
        authority.permissions, passkey.public_key AS "publicKey"
      FROM passkey
      JOIN organization ON organization.uuid = passkey.organization_uuid AND ${livesHere}
      JOIN user ON user.uuid = passkey.user_uuid AND user.organization_uuid = organization.uuid AND user.deleted_date IS NULL
      JOIN authority ON authority.organization_uuid = organization.uuid AND authority.uuid = user.authority_uuid
      WHERE passkey.organization_uuid = ${organization} AND passkey.credential_id = ${credentialId}
        AND passkey.user_uuid = ${userUuid} AND passkey.host = ${host}`,
    byTag(routingTag(organization)),
  );
  return found && { ...found.row, permissions: parseJson(found.row.permissions) };
}
