import { type Refusal, refusal } from '../../core/lib/problem.ts';
import { auditing } from '../../core/writer/audited.ts';
import { type Permission, permissionsBeyond } from './rules.ts';

/**
 * The permissions of the user who makes the request. Null for a credential of the organization, to which they do not
 * apply.
 */
export interface Asked {
  heldPermissions: Permission[] | null;
}

/** The refusal if a user grants, or acts on, permissions that the user does not have. */
export function beyond({ heldPermissions }: Asked, permissions: readonly Permission[]): Refusal | undefined {
  if (heldPermissions === null) return undefined;
  const more = permissionsBeyond(heldPermissions, permissions);
  if (more.length === 0) return undefined;
  return refusal(
    'permissionRequired',
    `This requires permissions that you do not have: ${more.join(', ')}.`,
    { facts: { permissions: more } },
  );
}

/** The columns of a user without a link for setting a password. */
export const NO_LINK = { inviteHash: null, inviteExpiresDate: null };

/** The fields of a user that identify the person. The e-mail address is also the name of the record. */
export const PERSONAL = ['firstName', 'lastName', 'email', 'phoneNumber', 'passkey'];

/** The audit entry of a user. */
export const userAudit = auditing<{ uuid: string; email: string | null }>(
  'USER',
  ({ email }) => email,
  PERSONAL,
);
