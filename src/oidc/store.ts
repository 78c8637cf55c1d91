import { type SQL, sql } from 'drizzle-orm';
import type { Databases } from '../lib/databases.ts';
import type { Json } from '../lib/json.ts';
import { bySlug, livesHere, lookUp } from '../lib/look-up.ts';
import type { Scope } from '../lib/scope.ts';
import { type SealingKeys, sealedBy } from '../lib/seal.ts';
import { fold } from '../lib/text.ts';
import type { Permission } from '../user/rules.ts';

/** The provider of an organization. */
export interface Provider {
  uuid: string;
  issuer: string;
  clientId: string;
  /** Sealed. */
  clientSecret: string;
  passwordSignIn: 0 | 1;
  provenDate: number | null;
}

/** The organization's provider, if it has one; for a batch. */
export const providerQuery = ({
  organization,
}: Scope) => sql<Provider>`SELECT uuid, issuer, client_id AS "clientId",
    client_secret AS "clientSecret", password_sign_in AS "passwordSignIn", proven_date AS "provenDate"
  FROM identity_provider WHERE organization_uuid = ${organization}`;

/** Where a provider's client secret belongs. */
export const clientSecretPlace = (providerUuid: string): string => `identity provider ${providerUuid} secret`;

/** In SQL, of the provider `p`: that a key has sealed its secret. */
export const secretSealedBy = (key: string): SQL =>
  sql`substr(p.client_secret, 1, ${sealedBy(key).length}) = ${sealedBy(key)}`;

/** In SQL, of the provider `p`: that the first key has not sealed its secret. */
export const providerSealedOtherwise = (keys: SealingKeys): SQL => sql`NOT ${secretSealedBy(keys[0])}`;

/** An organization that has a provider. */
export interface Provided extends Pick<Provider, 'passwordSignIn'> {
  uuid: string;
  name: string;
}

/** The organization with a slug, where it has a provider. */
export async function findProvided(databases: Databases, slug: string): Promise<Provided | undefined> {
  const found = await lookUp(
    databases,
    sql<Provided>`SELECT organization.uuid, organization.name, p.password_sign_in AS "passwordSignIn" FROM organization
      JOIN identity_provider p ON p.organization_uuid = organization.uuid
      WHERE organization.slug = ${slug} AND ${livesHere}`,
    bySlug(slug),
  );
  return found?.row;
}

/** Whom a provider's answer is about: who is known by its subject, else who has its verified e-mail address. */
export interface FoundIdentity {
  uuid: string;
  displayName: string;
  email: string;
  sessionEpoch: number;
  permissions: Json<Permission[]>;
  /** The subject that the user is known by to this provider; null until the first time. */
  subject: string | null;
}

/** What a provider has vouched for; `email` is null where it has not verified one. */
export interface Claimed {
  issuer: string;
  subject: string;
  email: string | null;
}

/** The users that claims may be about, at most two: whoever is known by the subject comes first; for a batch. */
export const identityQuery = (
  { organization }: Scope,
  { issuer, subject, email }: Claimed,
) => sql<FoundIdentity>`
  SELECT user.uuid, user.first_name || ' ' || user.last_name AS "displayName", user.email,
    user.session_epoch AS "sessionEpoch", authority.permissions,
    (SELECT i.subject FROM identity i WHERE i.organization_uuid = ${organization} AND i.user_uuid = user.uuid
      AND i.issuer = ${issuer}) AS subject
  FROM user JOIN authority ON authority.organization_uuid = user.organization_uuid AND authority.uuid = user.authority_uuid
  WHERE user.uuid IN (SELECT i.user_uuid FROM identity i WHERE i.organization_uuid = ${organization}
        AND i.issuer = ${issuer} AND i.subject = ${subject}
      UNION ALL SELECT u.uuid FROM user u WHERE u.organization_uuid = ${organization}
        AND u.folded_email = ${fold(email ?? '')} AND u.deleted_date IS NULL AND u.folded_email <> '')
    AND user.organization_uuid = ${organization} AND user.deleted_date IS NULL
  ORDER BY subject IS NOT ${subject}`;

/** The user whom claims are about; undefined where there is none, or the one with the address is somebody else to the provider. */
export const claimedBy = (
  [found]: readonly FoundIdentity[],
  { subject }: Claimed,
): FoundIdentity | undefined =>
  found && (found.subject === null || found.subject === subject) ? found : undefined;
