import { type SQL, sql } from 'drizzle-orm';
import { missing } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { isoDate } from '../../core/lib/time.ts';
import type { AuditAction } from '../../core/writer/audit-actions.ts';
import { type Change, type Context, command } from '../../core/writer/command.ts';
import { SUSPENDED } from '../../core/writer/settings.ts';
import { userAudit } from '../user/changes.ts';
import type { StoredInvite } from '../user/rules.ts';
import { user } from '../user/table.ts';
import { type NewSession, sessionWrites } from './commands.ts';

interface FoundUser {
  uuid: string;
  email: string;
  sessionEpoch: number;
}

const findQuery = ({ organization }: Scope, condition: SQL) =>
  sql<FoundUser>`SELECT uuid, email, session_epoch AS "sessionEpoch" FROM user
    WHERE organization_uuid = ${organization} AND ${condition} AND deleted_date IS NULL`;

/** The change for a user's new password. It ends any link and all earlier sessions, and starts a new session. */
function setPassword(
  context: Context,
  found: FoundUser,
  { action, passwordHash, begun }: { action: AuditAction; passwordHash: string; begun: NewSession | null },
): Change<Record<never, never>> {
  const { scope, now } = context;
  const sessionEpoch = found.sessionEpoch + 1;
  return {
    writes: [
      scope.update(
        user,
        {
          passwordHash,
          passwordChangeRequired: 0,
          inviteHash: null,
          inviteExpiresDate: null,
          sessionEpoch,
          updateDate: now,
        },
        sql`uuid = ${found.uuid}`,
      ),
      ...(begun === null ? [] : sessionWrites(context, found.uuid, sessionEpoch, begun)),
    ],
    audit: [
      userAudit(
        action,
        found,
        begun === null ? [] : [{ field: 'session', oldValue: null, newValue: begun.uuid }],
      ),
    ],
    answer: { value: {} },
  };
}

/**
 * Change the password of a user who has just entered the old one, if the user has not changed since (`sessionEpoch`).
 */
export const changePassword = command('changePassword', {
  ask: (
    { scope },
    { userUuid }: { userUuid: string; sessionEpoch: number; passwordHash: string; begun: NewSession },
  ) => ({ users: findQuery(scope, sql`uuid = ${userUuid}`) }),
  decide(context, { userUuid: _, sessionEpoch, ...input }, { users: [found] }) {
    if (found?.sessionEpoch !== sessionEpoch)
      return refusal('formExpired', 'Another user has changed this account. Try again.');
    return setPassword(context, found, { action: 'USER_PASSWORD_CHANGED', ...input });
  },
});

/**
 * Give a user a link that sets a new password. The password and the sessions stay, because anybody can ask for the link.
 * Returns the stored e-mail address.
 */
export const offerLink = command('offerLink', {
  ask: ({ scope }, { userUuid }: { userUuid: string; invite: StoredInvite }) => ({
    users: findQuery(scope, sql`uuid = ${userUuid}`),
  }),
  decide(
    { scope, now, organization },
    { userUuid, invite },
    { users: [found] },
  ): Change<{ email: string }> | Refusal {
    if (organization?.suspendedDate) return SUSPENDED;
    if (!found) return missing('userNotFound', userUuid);
    const link = { inviteHash: invite.hash, inviteExpiresDate: invite.expiresDate, updateDate: now };
    return {
      writes: [scope.update(user, link, sql`uuid = ${found.uuid}`)],
      audit: [
        userAudit('USER_UPDATED', found, [
          { field: 'inviteExpiresDate', oldValue: null, newValue: isoDate(invite.expiresDate) },
        ]),
      ],
      answer: { value: { email: found.email } },
    };
  },
});

/** The use of a link. */
interface Redeemed {
  userUuid: string;
  /** SHA-256 (hex) of the link's token. */
  inviteHash: string;
  passwordHash: string;
  /** The new session; null if the user may not sign in here. */
  begun: NewSession | null;
}

/** Set the password of the user of a link. A link can be used once. */
export const redeemInvite = command('redeemInvite', {
  ask: ({ scope, now }, { userUuid, inviteHash }: Redeemed) => ({
    users: findQuery(
      scope,
      sql`uuid = ${userUuid} AND invite_hash = ${inviteHash} AND invite_expires_date > ${now}`,
    ),
  }),
  decide(context, { passwordHash, begun }, { users: [found] }) {
    if (context.organization?.suspendedDate) return SUSPENDED;
    if (!found) return refusal('inviteNotFound', 'The link is no longer valid. Ask for a new one.');
    return setPassword(context, found, { action: 'USER_PASSWORD_SET', passwordHash, begun });
  },
});
