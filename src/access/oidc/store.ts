import { type SQL, sql } from 'drizzle-orm';
import type { Databases } from '../../core/lib/databases.ts';
import type { Json } from '../../core/lib/json.ts';
import { bySlug, livesHere, lookUp } from '../../core/lib/look-up.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { type SealingKeys, sealedBy } from '../../core/lib/seal.ts';
import { emailKey } from '../user/email-rules.ts';
import type { Permission } from '../user/rules.ts';

/** The identity provider of an organization. */
export interface Provider {
  uuid: string;
  issuer: string;
  clientId: string;
  /** Sealed. */
  clientSecret: string;
  passwordSignIn: 0 | 1;
  provenDate: number | null;
}

/** The organization's provider, if any; for a batch. */
export const providerQuery = ({
  organization,
}: Scope) => sql<Provider>`SELECT uuid, issuer, client_id AS "clientId",
    client_secret AS "clientSecret", password_sign_in AS "passwordSignIn", proven_date AS "provenDate"
  FROM identity_provider WHERE organization_uuid = ${organization}`;

/** The sealing context of a provider's client secret. */
export const clientSecretContext = (providerUuid: string): string =>
  `identity provider ${providerUuid} secret`;

/** An SQL condition: the secret of provider `p` is sealed with this key. */
export const secretSealedBy = (key: string): SQL =>
  sql`substr(p.client_secret, 1, ${sealedBy(key).length}) = ${sealedBy(key)}`;

/** An SQL condition: the secret of provider `p` is not sealed with the first key. */
export const providerSealedOtherwise = (keys: SealingKeys): SQL => sql`NOT ${secretSealedBy(keys[0])}`;

/** An organization with a provider. */
export interface Provided extends Pick<Provider, 'passwordSignIn'> {
  uuid: string;
  name: string;
}

/** Find the organization of a slug, if it has a provider. */
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

/** The user of the claims: found by subject, else by verified e-mail address. */
export interface FoundIdentity {
  uuid: string;
  displayName: string;
  email: string;
  sessionEpoch: number;
  permissions: Json<Permission[]>;
  /** The user's subject at this provider; null before the first sign-in. */
  subject: string | null;
}

/** The claims of a provider; `email` is null if it is not verified. */
export interface ClaimedIdentity {
  issuer: string;
  subject: string;
  email: string | null;
}

/** The possible users of claims, at most two. The user with this subject is first; for a batch. */
export const identityQuery = (
  { organization }: Scope,
  { issuer, subject, email }: ClaimedIdentity,
) => sql<FoundIdentity>`
  SELECT user.uuid, user.first_name || ' ' || user.last_name AS "displayName", user.email,
    user.session_epoch AS "sessionEpoch", authority.permissions,
    (SELECT i.subject FROM identity i WHERE i.organization_uuid = ${organization} AND i.user_uuid = user.uuid
      AND i.issuer = ${issuer}) AS subject
  FROM user JOIN authority ON authority.organization_uuid = user.organization_uuid AND authority.uuid = user.authority_uuid
  WHERE user.uuid IN (SELECT i.user_uuid FROM identity i WHERE i.organization_uuid = ${organization}
        AND i.issuer = ${issuer} AND i.subject = ${subject}
      UNION ALL SELECT u.uuid FROM user u WHERE u.organization_uuid = ${organization}
        AND u.folded_email = ${emailKey(email ?? '')} AND u.deleted_date IS NULL AND u.folded_email <> '')
    AND user.organization_uuid = ${organization} AND user.deleted_date IS NULL
  ORDER BY subject IS NOT ${subject}`;

/**
 * The user of claims. Undefined if no user matches, or if the user with the e-mail address has another subject at the
 * provider.
 */
export const claimedBy = (
  [found]: readonly FoundIdentity[],
  { subject }: ClaimedIdentity,
): FoundIdentity | undefined =>
  found && (found.subject === null || found.subject === subject) ? found : undefined;
