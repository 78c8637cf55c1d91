import { type Refusal, refusal } from '../lib/problem.ts';
import { auditing } from '../writer/audited.ts';
import { type Permission, permissionsBeyond } from './rules.ts';

/** What the person who asks may do; null for who is not bound by permissions: a credential of the organization. */
export interface Asked {
  heldPermissions: Permission[] | null;
}

/** Refuse to give, or to reach for, what the person who asks may not do. */
export function beyond({ heldPermissions }: Asked, permissions: readonly Permission[]): Refusal | undefined {
  if (heldPermissions === null) return undefined;
  const more = permissionsBeyond(heldPermissions, permissions);
  if (more.length === 0) return undefined;
  return refusal('permissionRequired', `This takes permissions that you do not have: ${more.join(', ')}.`);
}

/** No link by which a user sets a password. */
export const NO_LINK = { inviteHash: null, inviteExpiresDate: null };

/** What of a user identifies the person, besides its e-mail address as the name of the record: what people call things, too. */
export const PERSONAL = ['firstName', 'lastName', 'email', 'phoneNumber', 'passkey'];

/** The audit entry of a user. */
export const audited = auditing<{ uuid: string; email: string | null }>(
  'USER',
  ({ email }) => email,
  PERSONAL,
);
