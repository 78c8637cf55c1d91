import { type SQL, sql } from 'drizzle-orm';
import { refusal } from '../lib/problem.ts';
import { user } from '../user/table.ts';
import type { Change, Command, Context } from '../writer/command.ts';
import { type NewSession, sessionWrites } from './commands.ts';

interface FoundUser {
  uuid: string;
  email: string;
  sessionEpoch: number;
}

const find = ({ database }: Context, condition: SQL): Promise<FoundUser | undefined> =>
  database.first<FoundUser>(sql`SELECT uuid, email, session_epoch AS "sessionEpoch" FROM user
    WHERE organization_uuid = ${database.organization} AND ${condition} AND deleted_date IS NULL`);

/** A user's new password: no link and no session of before, and the session that was begun with it. */
function setPassword(
  context: Context,
  found: FoundUser,
  { action, passwordHash, begun }: { action: string; passwordHash: string; begun: NewSession | null },
): Change {
  const { database, now } = context;
  const sessionEpoch = found.sessionEpoch + 1;
  return {
    writes: [
      database.update(
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
      {
        action,
        entityType: 'USER',
        entityUuid: found.uuid,
        entityExternalId: found.email,
        changes: begun === null ? [] : [{ field: 'session', oldValue: null, newValue: begun.uuid }],
      },
    ],
    answer: { value: {} },
  };
}

/** Change the password of a user who has just shown the old one, as the user was then (`sessionEpoch`). */
export const changePassword: Command<{
  userUuid: string;
  sessionEpoch: number;
  passwordHash: string;
  begun: NewSession;
}> = async (context, { userUuid, sessionEpoch, ...input }) => {
  const found = await find(context, sql`uuid = ${userUuid}`);
  if (found?.sessionEpoch !== sessionEpoch) return refusal('formExpired', 'The user has changed meanwhile.');
  return setPassword(context, found, { action: 'USER_PASSWORD_CHANGED', ...input });
};

/** Set the password of the user whom a link was made for, once; the link ends. */
export const redeemInvite: Command<{
  userUuid: string;
  /** SHA-256 (hex) of the link's token. */
  inviteHash: string;
  passwordHash: string;
  /** Null for a user who may not sign in here. */
  begun: NewSession | null;
}> = async (context, { userUuid, inviteHash, ...input }) => {
  const found = await find(
    context,
    sql`uuid = ${userUuid} AND invite_hash = ${inviteHash} AND invite_expires_date > ${context.now}`,
  );
  if (!found) return refusal('inviteNotFound', 'The link is no longer valid. Ask for a new one.');
  return setPassword(context, found, { action: 'USER_PASSWORD_SET', ...input });
};
