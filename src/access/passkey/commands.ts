import { sql } from 'drizzle-orm';
import { newUuid } from '../../core/lib/id.ts';
import { doesNotExist } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import { type Change, type Context, command, unchanged } from '../../core/writer/command.ts';
import { SUSPENDED } from '../../core/writer/settings.ts';
import { type NewSession, sessionWrites } from '../session/commands.ts';
import { sessionsQuery } from '../session/store.ts';
import { userAudit } from '../user/changes.ts';
import { passkey } from '../user/table.ts';
import { counts, PASSKEYS_MAXIMUM } from './rules.ts';
import { holderQuery, onlyCompanyQuery, passkeysQuery, signingQuery, usedQuery } from './store.ts';
import { usedChallenge } from './table.ts';

/** An answered challenge. */
export interface Answered {
  /** SHA-256 (hex). */
  challengeHash: string;
  expiresDate: number;
}

/**
 * The refusal for a challenge that was answered before or has expired. The row of a used challenge is deleted once the
 * challenge has expired. So a challenge without a row is either unused or refused as expired.
 */
const refuseUsed = (
  code: 'signInFailed' | 'formExpired',
  { now }: Context,
  { expiresDate }: Answered,
  used: readonly unknown[],
): Refusal | undefined =>
  used.length > 0 || expiresDate <= now
    ? refusal(code, 'The request has expired or was used already. Try again.')
    : undefined;

/** Record an answered challenge, and delete expired ones. */
const useChallenge = ({ scope, now }: Context, answered: Answered): Change['writes'] => [
  scope.remove(usedChallenge, sql`expires_date <= ${now}`),
  ...scope.insert(usedChallenge, [answered]),
];

/** A passkey to be added. */
interface NewPasskey {
  userUuid: string;
  email: string;
  /** The session that adds it. */
  sessionUuid: string;
  name: string;
  host: string;
  credentialId: string;
  publicKey: string;
  counter: number;
  answered: Answered;
}

/** Add a passkey of a user. */
export const addPasskey = command('addPasskey', {
  ask: ({ scope, now }, { userUuid, credentialId, answered }: NewPasskey) => ({
    sessions: sessionsQuery(scope, userUuid, now),
    own: passkeysQuery(scope, userUuid),
    holders: holderQuery(scope, credentialId),
    used: usedQuery(scope, answered.challengeHash),
    ways: onlyCompanyQuery(scope),
  }),
  decide(context, { email, sessionUuid, answered, ...added }, { sessions, own, holders, used, ways }) {
    const { scope, now } = context;
    const refused = refuseUsed('formExpired', context, answered, used);
    if (refused) return refused;
    // Actions that end sessions also remove passkeys. So a session that was ended must not add a
    // passkey any more.
    if (!sessions.some(({ uuid }) => uuid === sessionUuid))
      return refusal('formExpired', 'Your session has ended. Sign in again.');
    if (ways[0]?.onlyCompany === 1)
      return refusal('validationFailed', 'Users of this organization sign in with the company account only.');
    if (own.length >= PASSKEYS_MAXIMUM)
      return refusal('validationFailed', `You have ${PASSKEYS_MAXIMUM} passkeys. Delete one first.`);
    if (holders.length > 0) return refusal('validationFailed', 'This passkey was added already.');
    return {
      writes: [
        ...useChallenge(context, answered),
        ...scope.insert(passkey, [{ uuid: newUuid(), ...added, lastUsedDate: null, createDate: now }]),
      ],
      audit: [
        userAudit('PASSKEY_ADDED', { uuid: added.userUuid, email }, [
          { field: 'passkey', oldValue: null, newValue: added.name },
        ]),
      ],
      answer: { value: {} },
    };
  },
});

/** A passkey of a user. */
interface Own {
  userUuid: string;
  email: string;
  uuid: string;
}

const noPasskey = (uuid: string): Refusal => refusal('notFound', doesNotExist('Passkey', uuid));

/** Rename a passkey of a user. */
export const renamePasskey = command('renamePasskey', {
  ask: ({ scope }, { userUuid }: Own & { name: string }) => ({ own: passkeysQuery(scope, userUuid) }),
  decide({ scope }, { userUuid, email, uuid, name }, { own }) {
    const found = own.find((one) => one.uuid === uuid);
    if (!found) return noPasskey(uuid);
    if (found.name === name) return unchanged({ value: {} });
    return {
      writes: [scope.update(passkey, { name }, sql`uuid = ${uuid}`)],
      audit: [
        userAudit('PASSKEY_RENAMED', { uuid: userUuid, email }, [
          { field: 'passkey', oldValue: found.name, newValue: name },
        ]),
      ],
      answer: { value: {} },
    };
  },
});

/** Delete a passkey of a user. */
export const deletePasskey = command('deletePasskey', {
  ask: ({ scope }, { userUuid }: Own) => ({ own: passkeysQuery(scope, userUuid) }),
  decide({ scope }, { userUuid, email, uuid }, { own }) {
    const found = own.find((one) => one.uuid === uuid);
    if (!found) return noPasskey(uuid);
    return {
      writes: [scope.remove(passkey, sql`uuid = ${uuid}`)],
      audit: [
        userAudit('PASSKEY_DELETED', { uuid: userUuid, email }, [
          { field: 'passkey', oldValue: found.name, newValue: null },
        ]),
      ],
      answer: { value: {} },
    };
  },
});

/** A sign-in with a verified signature. */
interface Verified {
  userUuid: string;
  credentialId: string;
  /** The user's session epoch (raising it ends all sessions) at the time when the passkey was read. */
  sessionEpoch: number;
  /** The signature counter. */
  counter: number;
  answered: Answered;
  begun: NewSession;
}

/** Sign in a user by a passkey that the user still has. The challenge must be unused, and `counts` checks the counter. */
export const beginPasskeySession = command('beginPasskeySession', {
  ask: ({ scope }, { userUuid, credentialId, answered }: Verified) => ({
    passkeys: signingQuery(scope, userUuid, credentialId),
    used: usedQuery(scope, answered.challengeHash),
  }),
  decide(context, { userUuid, sessionEpoch, counter, answered, begun }, { passkeys: [found], used }) {
    const { scope, now } = context;
    if (context.organization?.suspendedDate) return SUSPENDED;
    const refused = refuseUsed('signInFailed', context, answered, used);
    if (refused) return refused;
    if (found?.sessionEpoch !== sessionEpoch)
      return refusal(
        'signInFailed',
        'The user or the passkey was changed during the sign-in. Sign in again.',
      );
    if (!counts(found.counter, counter))
      return refusal(
        'signInFailed',
        'The use counter of this passkey has not risen, so somebody may have a copy of it.',
      );
    return {
      writes: [
        ...useChallenge(context, answered),
        scope.update(passkey, { counter, lastUsedDate: now }, sql`uuid = ${found.uuid}`),
        ...sessionWrites(context, userUuid, sessionEpoch, begun),
      ],
      audit: [
        userAudit('USER_SIGNED_IN', { uuid: userUuid, email: found.email }, [
          { field: 'session', oldValue: null, newValue: begun.uuid },
          { field: 'passkey', oldValue: null, newValue: found.name },
        ]),
      ],
      answer: { value: {} },
    };
  },
});
