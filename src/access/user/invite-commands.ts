import { sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';
import { type Change, command } from '../../core/writer/command.ts';
import { emailKey } from './email-rules.ts';
import { askNewUser, type emailInUse, newLink, newUser, type PersonInput } from './new-user-changes.ts';
import { ADMINISTRATOR, type StoredInvite } from './rules.ts';

interface Invitation extends Pick<PersonInput, 'firstName' | 'lastName' | 'email'> {
  invite: StoredInvite;
}

const authority = { authorityName: ADMINISTRATOR };

/**
 * Invite an administrator for the operator. If the e-mail address belongs to an administrator who has never set a
 * password, the user gets a new link. So an operator can replace a link that was lost or has expired.
 */
export const inviteAdministrator = command('inviteAdministrator', {
  ask: ({ scope }, { email }: Invitation) => ({
    ...askNewUser(scope, { authority, email }),
    invited: invitedQuery(scope, email),
  }),
  decide(
    context,
    { invite, ...person },
    { invited: [invited], ...rows },
  ): Change<unknown> | ReturnType<typeof emailInUse> {
    if (invited) return newLink(context, invited, invite);
    return newUser(
      context,
      {
        ...person,
        phoneNumber: null,
        authority,
        passwordPolicyMode: 'INVITE_LINK',
        passwordHash: null,
        invite,
        heldPermissions: null,
      },
      rows,
    );
  },
});

/** The invited administrator with an e-mail address, who cannot sign in yet. */
const invitedQuery = ({ organization }: Scope, email: string) => sql<{ uuid: string; email: string }>`SELECT
    user.uuid, user.email FROM user
  JOIN authority ON authority.organization_uuid = user.organization_uuid AND authority.uuid = user.authority_uuid
  WHERE user.organization_uuid = ${organization} AND user.folded_email = ${emailKey(email)} AND user.deleted_date IS NULL
    AND user.password_hash IS NULL AND authority.authority_name = ${ADMINISTRATOR}
    AND NOT EXISTS (SELECT 1 FROM passkey WHERE organization_uuid = ${organization} AND user_uuid = user.uuid)
    AND NOT EXISTS (SELECT 1 FROM identity WHERE organization_uuid = ${organization} AND user_uuid = user.uuid)`;
