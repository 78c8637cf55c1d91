import { sql } from 'drizzle-orm';
import { refusal } from '../lib/problem.ts';
import { user } from '../user/table.ts';
import type { Change, Command, Context } from '../writer/command.ts';
import { LIFE_MS, SESSIONS_MAXIMUM } from './rules.ts';
import { sessionsQuery } from './store.ts';
import { session } from './table.ts';

/** A session to be begun: its token stays with the browser, the writer gets the hash. */
export interface NewSession {
  uuid: string;
  /** SHA-256 (hex) of the token. */
  tokenHash: string;
  userAgent: string;
  ipAddress: string | null;
}

/** The row of a new session, and the end of those that are over or too many. */
export function sessionWrites(
  { database, now }: Context,
  userUuid: string,
  sessionEpoch: number,
  { uuid, ...begun }: NewSession,
): Change['writes'] {
  const own = sql`user_uuid = ${userUuid}`;
  return [
    database.remove(session, sql`${own} AND (session_epoch <> ${sessionEpoch} OR expires_date <= ${now})`),
    database.remove(
      session,
      sql`${own} AND uuid IN (SELECT uuid FROM session WHERE organization_uuid = ${database.organization} AND ${own}
        ORDER BY last_seen_date DESC LIMIT -1 OFFSET ${SESSIONS_MAXIMUM - 1})`,
    ),
    ...database.insert(session, [
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
 * Sign a user in whose password was verified, as the user was at that time (`sessionEpoch`). `passwordHash` is that
 * password hashed at today's cost, where the stored one is not.
 */
export const beginSession: Command<{
  userUuid: string;
  sessionEpoch: number;
  passwordHash: string | null;
  begun: NewSession;
}> = async (context, { userUuid, sessionEpoch, passwordHash, begun }) => {
  const { database } = context;
  const found = await database.first<{ email: string; sessionEpoch: number }>(sql`
    SELECT email, session_epoch AS "sessionEpoch" FROM user
    WHERE organization_uuid = ${database.organization} AND uuid = ${userUuid} AND deleted_date IS NULL`);
  if (found?.sessionEpoch !== sessionEpoch) return refusal('signInFailed', 'The user has changed meanwhile.');
  return {
    writes: [
      ...(passwordHash === null ? [] : [database.update(user, { passwordHash }, sql`uuid = ${userUuid}`)]),
      ...sessionWrites(context, userUuid, sessionEpoch, begun),
    ],
    audit: [
      {
        action: 'USER_SIGNED_IN',
        entityType: 'USER',
        entityUuid: userUuid,
        entityExternalId: found.email,
        changes: [{ field: 'session', oldValue: null, newValue: begun.uuid }],
      },
    ],
    answer: { value: {} },
  };
};

/** End sessions of a user, each by its uuid; those that have ended already are as they should be. */
export const endSessions: Command<{ userUuid: string; sessionUuids: string[] }> = async (
  { database, now },
  { userUuid, sessionUuids },
) => {
  const [listed, users] = await database.batch<[{ uuid: string }[], { email: string }[]]>([
    sessionsQuery(database, userUuid, now),
    sql`SELECT email FROM user WHERE organization_uuid = ${database.organization} AND uuid = ${userUuid}`,
  ]);
  const ending = listed.map(({ uuid }) => uuid).filter((uuid) => sessionUuids.includes(uuid));
  if (ending.length === 0) return { writes: [], audit: [], answer: { value: {} } };
  return {
    writes: [database.remove(session, { uuids: ending })],
    audit: [
      {
        action: 'USER_SIGNED_OUT',
        entityType: 'USER',
        entityUuid: userUuid,
        entityExternalId: users[0]!.email,
        changes: ending.map((uuid) => ({ field: 'session', oldValue: uuid, newValue: null })),
      },
    ],
    answer: { value: {} },
  };
};
