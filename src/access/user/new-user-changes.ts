import { sql } from 'drizzle-orm';
import type { RowsOf } from '../../core/lib/asks.ts';
import { changedFields } from '../../core/lib/changes.ts';
import { newUuid } from '../../core/lib/id.ts';
import { parseJson } from '../../core/lib/json.ts';
import { missingIn, quoted } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { fold } from '../../core/lib/text.ts';
import { isoDate } from '../../core/lib/time.ts';
import { viewOf } from '../../core/lib/view.ts';
import type { Change, Context } from '../../core/writer/command.ts';
import { type Asked, beyond, userAudit } from './changes.ts';
import { emailKey } from './email-rules.ts';
import type { StoredInvite } from './rules.ts';
import {
  type AuthorityReference,
  authorityQuery,
  emailQuery,
  type FoundAuthority,
  type StoredUser,
  userView,
} from './store.ts';
import { type PASSWORD_POLICY_MODES, passkey, user } from './table.ts';

export interface PersonInput {
  firstName: string;
  lastName: string;
  email: string;
  /** Undefined keeps the current number. */
  phoneNumber: string | null | undefined;
  authority: AuthorityReference;
}

export interface NewUser extends PersonInput, Asked {
  passwordPolicyMode: (typeof PASSWORD_POLICY_MODES)[number];
  passwordHash: string | null;
  invite: StoredInvite | null;
}

/** The reads for a new user. */
export const askNewUser = (scope: Scope, { authority, email }: Pick<NewUser, 'authority' | 'email'>) => ({
  authorities: authorityQuery(scope, authority),
  holders: emailQuery(scope, emailKey(email)),
});

/** The change that creates a user, or the refusal. */
export function newUser(
  { scope, now }: Context,
  { passwordPolicyMode, passwordHash, invite, heldPermissions, ...person }: NewUser,
  { authorities: [authority], holders }: RowsOf<ReturnType<typeof askNewUser>>,
): Change<StoredUser> | Refusal {
  if (!authority) return unknownAuthority(person.authority);
  const refused = beyond({ heldPermissions }, parseJson(authority.permissions));
  if (refused) return refused;
  if (holders.length > 0) return emailInUse(person.email);
  const uuid = newUuid();
  return {
    writes: scope.insert(user, [
      {
        uuid,
        ...columnsOf(person, authority),
        passwordHash,
        passwordChangeRequired: Number(passwordPolicyMode === 'TEMP_PASSWORD'),
        inviteHash: invite?.hash ?? null,
        inviteExpiresDate: invite?.expiresDate ?? null,
        sessionEpoch: 0,
        createDate: now,
        updateDate: now,
      },
    ]),
    audit: [
      userAudit('USER_CREATED', { uuid, email: person.email }, [
        ...changedFields(null, auditedOf(person, authority)),
        { field: 'passwordPolicyMode', oldValue: null, newValue: passwordPolicyMode },
      ]),
    ],
    answer: userAnswer(scope, uuid),
  };
}

/** The change that removes a user's ways to sign in, and creates a link that sets a new password. */
export const newLink = (
  { scope, now }: Pick<Context, 'scope' | 'now'>,
  found: { uuid: string; email: string },
  invite: StoredInvite,
) => ({
  writes: [
    scope.update(user, { ...signedOut(invite), updateDate: now }, sql`uuid = ${found.uuid}`),
    scope.remove(passkey, sql`user_uuid = ${found.uuid}`),
  ],
  audit: [
    userAudit('USER_PASSWORD_RESET', found, [
      { field: 'inviteExpiresDate', oldValue: null, newValue: isoDate(invite.expiresDate) },
    ]),
  ],
  answer: { value: {} },
});

export const columnsOf = (
  { firstName, lastName, email, phoneNumber = null }: Omit<PersonInput, 'authority'>,
  { uuid }: FoundAuthority,
) => ({
  firstName,
  lastName,
  email,
  phoneNumber,
  authorityUuid: uuid,
  foldedFirstName: fold(firstName),
  foldedLastName: fold(lastName),
  foldedEmail: emailKey(email),
});

/** The audited fields of a user. */
export const auditedOf = (
  { firstName, lastName, email, phoneNumber = null }: Omit<PersonInput, 'authority'>,
  { authorityName }: Pick<FoundAuthority, 'authorityName'>,
) => ({ firstName, lastName, email, phoneNumber, authority: authorityName });

/** The columns of a user without password and sessions, and with this link. */
export const signedOut = (invite: StoredInvite | null) => ({
  passwordHash: null,
  passwordChangeRequired: 0,
  inviteHash: invite?.hash ?? null,
  inviteExpiresDate: invite?.expiresDate ?? null,
  sessionEpoch: sql`session_epoch + 1`,
});

export const userAnswer = viewOf(userView, user);

export function emailInUse(email: string): Refusal {
  const message = `Another user of the organization has the e-mail address ${quoted(email)}.`;
  return refusal('emailInUse', message, {
    errors: [{ field: 'email', code: 'emailInUse', message, rejectedValue: email }],
  });
}

export function unknownAuthority({ uuid, authorityName }: AuthorityReference): Refusal {
  const code = 'authorityNotFound' as const;
  if (uuid == null) return missingIn('authority.authorityName', code, authorityName!);
  if (authorityName == null) return missingIn('authority.uuid', code, uuid);
  const message = `No authority has the uuid ${quoted(uuid)} and the name ${quoted(authorityName)}.`;
  return refusal(code, message, {
    errors: [{ field: 'authority', code, message, rejectedValue: { uuid, authorityName } }],
  });
}
