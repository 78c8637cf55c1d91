import { sql } from 'drizzle-orm';
import { refusal } from '../../core/lib/problem.ts';
import { type Change, type Context, command, unchanged } from '../../core/writer/command.ts';
import { SUSPENDED } from '../../core/writer/settings.ts';
import { userAudit } from '../user/changes.ts';
import { user } from '../user/table.ts';
import { LIFE_MS, SESSIONS_MAXIMUM } from './rules.ts';
import { sessionsQuery } from './store.ts';
import { session } from './table.ts';

/** A new session. The browser has its token; the writer only gets the hash. */
export interface NewSession {
  uuid: string;
  /** SHA-256 (hex) of the token. */
  tokenHash: string;
  userAgent: string;
  ipAddress: string | null;
}

/** The writes that add a session, and delete expired sessions and those beyond the maximum. */
export function sessionWrites(
  { scope, now }: Context,
  userUuid: string,
  sessionEpoch: number,
  { uuid, ...begun }: NewSession,
): Change['writes'] {
  const own = sql`user_uuid = ${userUuid}`;
  return [
    scope.remove(session, sql`${own} AND (session_epoch <> ${sessionEpoch} OR expires_date <= ${now})`),
    scope.remove(
      session,
      sql`${own} AND uuid IN (SELECT uuid FROM session WHERE organization_uuid = ${scope.organization} AND ${own}
        ORDER BY last_seen_date DESC LIMIT -1 OFFSET ${SESSIONS_MAXIMUM - 1})`,
    ),
    ...scope.insert(session, [
      {
        uuid,
        ...begun,
        userUuid,
        sessionEpoch,
        lastSeenDate: now,
        expiresDate: now + LIFE_MS,
        createDate: now,
      },
    ]),
  ];
}

/**
 * Sign in a user with a verified password, if the user has not changed since (`sessionEpoch`). If the stored hash has
 * an outdated cost, `passwordHash` is a hash of the password with the current cost.
 */
export const beginSession = command('beginSession', {
  ask: (
    { scope },
    { userUuid }: { userUuid: string; sessionEpoch: number; passwordHash: string | null; begun: NewSession },
  ) => ({
    users: sql<{ email: string; sessionEpoch: number }>`
    SELECT email, session_epoch AS "sessionEpoch" FROM user
    WHERE organization_uuid = ${scope.organization} AND uuid = ${userUuid} AND deleted_date IS NULL`,
  }),
  decide(context, { userUuid, sessionEpoch, passwordHash, begun }, { users: [found] }) {
    if (context.organization?.suspendedDate) return SUSPENDED;
    if (found?.sessionEpoch !== sessionEpoch)
      return refusal('signInFailed', 'The user was changed during the sign-in. Sign in again.');
    return {
      writes: [
        ...(passwordHash === null
          ? []
          : [context.scope.update(user, { passwordHash }, sql`uuid = ${userUuid}`)]),
        ...sessionWrites(context, userUuid, sessionEpoch, begun),
      ],
      audit: [
        userAudit('USER_SIGNED_IN', { uuid: userUuid, email: found.email }, [
          { field: 'session', oldValue: null, newValue: begun.uuid },
        ]),
      ],
      answer: { value: {} },
    };
  },
});

/** End sessions of a user by uuid. Sessions that have already ended count as done. */
export const endSessions = command('endSessions', {
  ask: ({ scope, now }, { userUuid }: { userUuid: string; sessionUuids: string[] }) => ({
    listed: sessionsQuery(scope, userUuid, now),
    users: sql<{
      email: string;
    }>`SELECT email FROM user WHERE organization_uuid = ${scope.organization} AND uuid = ${userUuid}`,
  }),
  decide({ scope }, { userUuid, sessionUuids }, { listed, users: [found] }) {
    const answer = { value: {} };
    const ending = listed.map(({ uuid }) => uuid).filter((uuid) => sessionUuids.includes(uuid));
    if (ending.length === 0) return unchanged(answer);
    return {
      writes: [scope.remove(session, { uuids: ending })],
      audit: [
        userAudit(
          'USER_SIGNED_OUT',
          { uuid: userUuid, email: found!.email },
          ending.map((uuid) => ({ field: 'session', oldValue: uuid, newValue: null })),
        ),
      ],
      answer,
    };
  },
});
