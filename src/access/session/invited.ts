import { sql } from 'drizzle-orm';
import type { Databases } from '../../core/lib/databases.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { tagOf } from '../../core/lib/id.ts';
import { parseJson } from '../../core/lib/json.ts';
import { byTag, livesHere, lookUp } from '../../core/lib/look-up.ts';
import type { Account, Stored } from './store.ts';

/** The user of a link. */
export interface Invited extends Omit<Account, 'passwordHash' | 'sessionEpoch'> {
  slug: string;
  organizationName: string;
  email: string;
  /** SHA-256 (hex) of the link's token. */
  inviteHash: string;
}

/** Find the user whose password can be set with the link of this token. */
export async function findInvited(
  databases: Databases,
  token: string,
  now: number,
): Promise<Invited | undefined> {
  const inviteHash = sha256Hex(token);
  const found = await lookUp(
    databases,
    sql<Stored<Omit<Invited, 'inviteHash'>>>`SELECT organization.uuid AS organization, organization.slug,
        organization.name AS "organizationName", user.uuid, user.email,
        user.first_name || ' ' || user.last_name AS "displayName", authority.permissions
      FROM user
      JOIN organization ON organization.uuid = user.organization_uuid
      JOIN authority ON authority.organization_uuid = organization.uuid AND authority.uuid = user.authority_uuid
      WHERE user.invite_hash = ${inviteHash} AND user.invite_expires_date > ${now} AND user.deleted_date IS NULL AND ${livesHere}`,
    byTag(tagOf(token)),
  );
  return found && { ...found.row, inviteHash, permissions: parseJson(found.row.permissions) };
}
