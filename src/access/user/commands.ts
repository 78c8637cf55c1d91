import { sql } from 'drizzle-orm';
import { changedFields } from '../../core/lib/changes.ts';
import { parseJson } from '../../core/lib/json.ts';
import { missing, named } from '../../core/lib/missing.ts';
import type { Refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import type { ViewRow } from '../../core/lib/view.ts';
import { command, isRefusal, staleMatch, unchanged } from '../../core/writer/command.ts';
import { type Asked, beyond, NO_LINK, userAudit } from './changes.ts';
import { emailKey } from './email-rules.ts';
import {
  askNewUser,
  auditedOf,
  columnsOf,
  emailInUse,
  type NewUser,
  newLink,
  newUser,
  type PersonInput,
  signedOut,
  unknownAuthority,
  userAnswer,
} from './new-user-changes.ts';
import type { StoredInvite } from './rules.ts';
import {
  authorityQuery,
  emailQuery,
  type FoundAuthority,
  type StoredUser,
  userQuery,
  type userView,
} from './store.ts';
import { identity, passkey, user } from './table.ts';

/** Create a user, with the hash of a password or of a link's token. */
export const createUser = command('createUser', {
  ask: ({ scope }, input: NewUser) => askNewUser(scope, input),
  decide: newUser,
});

/** Change a user, but not the password. A new e-mail address or authority ends the user's link and sessions. */
export const updateUser = command('updateUser', {
  ask: (
    { scope },
    { uuid, authority, email }: PersonInput & Asked & { uuid: string; ifMatch: string | null },
  ) => ({
    users: userQuery(scope, uuid),
    authorities: authorityQuery(scope, authority),
    holders: emailQuery(scope, emailKey(email)),
  }),
  decide(
    { scope, now },
    { uuid, ifMatch, heldPermissions, ...input },
    { users, authorities: [authority], holders },
  ) {
    const found = matching(users, { uuid, ifMatch });
    if (isRefusal(found)) return found;
    if (!authority) return unknownAuthority(input.authority);
    const reached = [...parseJson(authority.permissions), ...found.authority.permissions];
    const refused = beyond({ heldPermissions }, reached);
    if (refused) return refused;
    if (holders.some((holder) => holder.uuid !== uuid)) return emailInUse(input.email);
    const { phoneNumber = found.phoneNumber } = input;
    const person = { ...input, phoneNumber };
    const changes = changedFields<object>(auditedOf(found, found.authority), auditedOf(person, authority));
    const answer = userAnswer(scope, uuid);
    if (changes.length === 0) return unchanged(answer);
    return {
      writes: [
        scope.update(
          user,
          { ...columnsOf(person, authority), ...endedBy(found, person, authority), updateDate: now },
          sql`uuid = ${uuid}`,
        ),
        // The owner of the former e-mail address is no longer the user.
        ...(found.email === person.email ? [] : withoutKeys(scope, uuid)),
      ],
      audit: [userAudit('USER_UPDATED', { uuid, email: person.email }, changes)],
      answer,
    };
  },
});

/** Delete a user. The e-mail address can be used again. Password, link and sessions end. */
export const deleteUser = command('deleteUser', {
  ask: ({ scope }, { uuid }: Asked & { uuid: string; ifMatch: string | null }) => ({
    users: userQuery(scope, uuid),
  }),
  decide({ scope, now }, { uuid, ifMatch, ...asked }, { users }) {
    const found = matching(users, { uuid, ifMatch });
    if (isRefusal(found)) return found;
    const refused = beyond(asked, found.authority.permissions);
    if (refused) return refused;
    return {
      writes: [
        scope.update(user, { ...signedOut(null), deletedDate: now, updateDate: now }, sql`uuid = ${uuid}`),
        ...withoutKeys(scope, uuid),
      ],
      audit: [userAudit('USER_DELETED', found, [{ field: 'deleted', oldValue: false, newValue: true }])],
      answer: { value: {} },
    };
  },
});

/** Remove the user's other ways to sign in: the identity at a provider, and passkeys. */
const withoutKeys = (scope: Scope, userUuid: string) => [
  scope.remove(identity, sql`user_uuid = ${userUuid}`),
  scope.remove(passkey, sql`user_uuid = ${userUuid}`),
];

/**
 * Remove a user's password, passkeys and sessions, and create a link that sets a new password. An earlier link ends.
 */
export const resetPassword = command('resetPassword', {
  ask: ({ scope }, { uuid }: Asked & { uuid: string; invite: StoredInvite }) => ({
    users: userQuery(scope, uuid),
  }),
  decide({ scope, now }, { uuid, invite, ...asked }, { users }) {
    const found = matching(users, { uuid, ifMatch: null });
    if (isRefusal(found)) return found;
    const refused = beyond(asked, found.authority.permissions);
    if (refused) return refused;
    return newLink({ scope, now }, found, invite);
  },
});

/**
 * The columns that end link and sessions if e-mail address or authority change. A link was made for that address and
 * authority, so its holder must not get the user's new permissions. Sessions also began under the old values.
 */
const endedBy = (found: StoredUser, { email }: PersonInput, authority: FoundAuthority) =>
  found.email === email && found.authority.uuid === authority.uuid
    ? {}
    : { ...NO_LINK, sessionEpoch: sql`session_epoch + 1` };

/** The user from rows of `userQuery`, or the refusal if it does not exist or does not match the ETag. */
function matching(
  [row]: readonly ViewRow<typeof userView>[],
  { uuid, ifMatch }: { uuid: string; ifMatch: string | null },
): StoredUser | Refusal {
  if (!row) return missing('userNotFound', uuid);
  return staleMatch(ifMatch, row.view, named('User', uuid)) ?? parseJson(row.view);
}
