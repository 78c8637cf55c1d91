import { type SQL, sql } from 'drizzle-orm';
import type { FieldChange } from '../audit/chain.ts';
import { changedFields } from '../lib/changes.ts';
import { entityTag, tagListed } from '../lib/hash.ts';
import { newUuid } from '../lib/id.ts';
import { type Refusal, refusal } from '../lib/problem.ts';
import { fold } from '../lib/text.ts';
import { isoDate } from '../lib/time.ts';
import type { Change, Command, Context } from '../writer/command.ts';
import type { StoredInvite } from './invite.ts';
import { ADMINISTRATOR, AUTHORITIES_MAXIMUM, inOrder, type Permission, permissionsBeyond } from './rules.ts';
import {
  type AuthorityReference,
  authoritiesQuery,
  authorityQuery,
  authorityView,
  emailQuery,
  type StoredAuthority,
  type StoredUser,
  userQuery,
  userView,
} from './store.ts';
import { authority as authorityTable, type PASSWORD_POLICY_MODES, PERMISSIONS, user } from './table.ts';

/**
 * Create an authority, or change what the one of this name permits. Links of its users that are not used yet end where
 * it comes to permit more: they were given for less.
 */
export const putAuthority: Command<Asked & { authorityName: string; permissions: Permission[] }> = async (
  context,
  { authorityName, permissions, ...asked },
) => {
  const { database, now } = context;
  if (!context.organization) return refusal('organizationNotFound', 'There is no such organization.');
  if (authorityName === ADMINISTRATOR && permissions.length < PERMISSIONS.length) return administratorShort();
  const rows = await database.all<{ view: string }>(authoritiesQuery(database));
  const held = rows.map(({ view }) => JSON.parse(view) as StoredAuthority);
  const found = held.find((authority) => authority.authorityName === authorityName);
  const refused = beyond(asked, [...permissions, ...(found?.permissions ?? [])]);
  if (refused) return refused;
  // No index sees to it: names that were the same before it was so go on, each under its own.
  const alike = held.find((authority) => fold(authority.authorityName) === fold(authorityName));
  if (!found && alike) return nameInUse(authorityName, alike);
  if (!found && held.length >= AUTHORITIES_MAXIMUM) {
    return refusal(
      'authorityLimitReached',
      `An organization has at most ${AUTHORITIES_MAXIMUM} authorities.`,
    );
  }
  const uuid = found?.uuid ?? newUuid();
  const next = { permissions: inOrder(permissions) };
  const answer = sql`SELECT json_object('created', ${Number(!found)}, 'authority', ${authorityView})
    FROM authority WHERE organization_uuid = ${database.organization} AND uuid = ${uuid}`;
  const changes = changedFields<object>(found ?? null, found ? next : { authorityName, ...next });
  if (changes.length === 0) return { writes: [], audit: [], answer };
  const stored = { permissions: JSON.stringify(next.permissions), updateDate: now };
  const widened = found !== undefined && permissionsBeyond(found.permissions, permissions).length > 0;
  return {
    writes: found
      ? [
          database.update(authorityTable, stored, sql`uuid = ${uuid}`),
          ...(widened
            ? [database.update(user, NO_LINK, sql`authority_uuid = ${uuid} AND invite_hash IS NOT NULL`)]
            : []),
        ]
      : database.insert(authorityTable, [{ uuid, authorityName, internal: 0, createDate: now, ...stored }]),
    audit: [
      {
        action: found ? 'AUTHORITY_UPDATED' : 'AUTHORITY_CREATED',
        entityType: 'AUTHORITY',
        entityUuid: uuid,
        entityExternalId: authorityName,
        changes,
      },
    ],
    answer,
  };
};

/** What the person who asks may do; null for who is not bound by permissions: a credential of the organization. */
interface Asked {
  heldPermissions: Permission[] | null;
}

/** Refuse to give, or to reach for, what the person who asks may not do. */
function beyond({ heldPermissions }: Asked, permissions: readonly Permission[]): Refusal | undefined {
  if (heldPermissions === null) return undefined;
  const more = permissionsBeyond(heldPermissions, permissions);
  if (more.length === 0) return undefined;
  return refusal('permissionRequired', `This takes permissions that you do not have: ${more.join(', ')}.`);
}

/** What a body says of a user. */
interface PersonInput {
  firstName: string;
  lastName: string;
  email: string;
  /** Undefined: stays as it is. */
  phoneNumber: string | null | undefined;
  authority: AuthorityReference;
}

/** Create a user, with the hash of its password or of the token of its link: one of the two. */
export const createUser: Command<
  PersonInput &
    Asked & {
      passwordPolicyMode: (typeof PASSWORD_POLICY_MODES)[number];
      passwordHash: string | null;
      invite: StoredInvite | null;
    }
> = async (context, { passwordPolicyMode, passwordHash, invite, heldPermissions, ...person }) => {
  const { database, now } = context;
  const [authorities, holders] = await database.batch([
    authorityQuery(database, person.authority),
    emailQuery(database, fold(person.email)),
  ]);
  const authority = authorities![0] as FoundAuthority | undefined;
  if (!authority) return unknownAuthority(person.authority);
  const refused = beyond({ heldPermissions }, permissionsOf(authority));
  if (refused) return refused;
  if (holders!.length > 0) return emailInUse(person.email);
  const uuid = newUuid();
  return {
    writes: database.insert(user, [
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
      audited('USER_CREATED', uuid, person.email, [
        ...changedFields(null, auditedOf(person, authority)),
        { field: 'passwordPolicyMode', oldValue: null, newValue: passwordPolicyMode },
      ]),
    ],
    answer: answerOf(context, uuid),
  };
};

/** Make a user what the request says; the password is not part of it. Another address or authority ends link and sessions. */
export const updateUser: Command<PersonInput & Asked & { uuid: string; ifMatch: string | null }> = async (
  context,
  { uuid, ifMatch, heldPermissions, ...input },
) => {
  const { database, now } = context;
  const [users, authorities, holders] = await database.batch([
    userQuery(database, uuid),
    authorityQuery(database, input.authority),
    emailQuery(database, fold(input.email)),
  ]);
  const found = matching(users!, ifMatch);
  if ('code' in found) return found;
  const authority = authorities![0] as FoundAuthority | undefined;
  if (!authority) return unknownAuthority(input.authority);
  const reached = [...permissionsOf(authority), ...found.authority.permissions];
  const refused = beyond({ heldPermissions }, reached);
  if (refused) return refused;
  if (holders!.some((holder) => holder['uuid'] !== uuid)) return emailInUse(input.email);
  const { phoneNumber = found.phoneNumber } = input;
  const person = { ...input, phoneNumber };
  const changes = changedFields<object>(auditedOf(found, found.authority), auditedOf(person, authority));
  const answer = answerOf(context, uuid);
  if (changes.length === 0) return { writes: [], audit: [], answer };
  return {
    writes: [
      database.update(
        user,
        { ...columnsOf(person, authority), ...endedBy(found, person, authority), updateDate: now },
        sql`uuid = ${uuid}`,
      ),
    ],
    audit: [audited('USER_UPDATED', uuid, person.email, changes)],
    answer,
  };
};

/** Delete a user: its e-mail address is free again, its password, link and sessions end. */
export const deleteUser: Command<Asked & { uuid: string; ifMatch: string | null }> = async (
  context,
  { uuid, ifMatch, ...asked },
) => {
  const { database, now } = context;
  const found = matching(await database.all(userQuery(database, uuid)), ifMatch);
  if ('code' in found) return found;
  const refused = beyond(asked, found.authority.permissions);
  if (refused) return refused;
  return {
    writes: [
      database.update(user, { ...signedOut(null), deletedDate: now, updateDate: now }, sql`uuid = ${uuid}`),
    ],
    audit: [
      audited('USER_DELETED', uuid, found.email, [{ field: 'deleted', oldValue: false, newValue: true }]),
    ],
    answer: { value: {} },
  };
};

/** Take a user's password and sessions away and let a link set a new one. Any earlier link ends. */
export const resetPassword: Command<Asked & { uuid: string; invite: StoredInvite }> = async (
  context,
  { uuid, invite, ...asked },
) => {
  const { database, now } = context;
  const found = matching(await database.all(userQuery(database, uuid)), null);
  if ('code' in found) return found;
  const refused = beyond(asked, found.authority.permissions);
  if (refused) return refused;
  return {
    writes: [database.update(user, { ...signedOut(invite), updateDate: now }, sql`uuid = ${uuid}`)],
    audit: [
      audited('USER_PASSWORD_RESET', uuid, found.email, [
        { field: 'inviteExpiresDate', oldValue: null, newValue: isoDate(invite.expiresDate) },
      ]),
    ],
    answer: { value: {} },
  };
};

interface FoundAuthority {
  uuid: string;
  authorityName: string;
  /** JSON array. */
  permissions: string;
}

const permissionsOf = ({ permissions }: FoundAuthority): Permission[] =>
  JSON.parse(permissions) as Permission[];

/** No link by which a user sets a password. */
const NO_LINK = { inviteHash: null, inviteExpiresDate: null };

/**
 * What another e-mail address or authority ends. A link was given to that address, for that authority: whoever has it must
 * not become what the user became since. A session was begun under them, too.
 */
const endedBy = (found: StoredUser, { email }: PersonInput, authority: FoundAuthority) =>
  found.email === email && found.authority.uuid === authority.uuid
    ? {}
    : { ...NO_LINK, sessionEpoch: sql`session_epoch + 1` };

/** The user of a row of `userQuery`, if it still has the tag that the caller names. */
function matching(rows: Record<string, unknown>[], ifMatch: string | null): StoredUser | Refusal {
  const view = rows[0]?.['view'] as string | undefined;
  if (view === undefined) return refusal('userNotFound', 'There is no such user.');
  if (ifMatch !== null && !tagListed(ifMatch, entityTag(view))) {
    return refusal('preconditionFailed', 'The user has changed since it was read.');
  }
  return JSON.parse(view) as StoredUser;
}

const columnsOf = (
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
  foldedEmail: fold(email),
});

/** What of a user stands in the audit log. */
const auditedOf = (
  { firstName, lastName, email, phoneNumber = null }: Omit<PersonInput, 'authority'>,
  { authorityName }: Pick<FoundAuthority, 'authorityName'>,
) => ({ firstName, lastName, email, phoneNumber, authority: authorityName });

/** No password, no session of before, and only this link. */
const signedOut = (invite: StoredInvite | null) => ({
  passwordHash: null,
  passwordChangeRequired: 0,
  inviteHash: invite?.hash ?? null,
  inviteExpiresDate: invite?.expiresDate ?? null,
  sessionEpoch: sql`session_epoch + 1`,
});

const answerOf = ({ database }: Context, uuid: string): SQL => sql`SELECT ${userView} FROM user
  WHERE organization_uuid = ${database.organization} AND uuid = ${uuid}`;

const audited = (
  action: string,
  uuid: string,
  email: string,
  changes: FieldChange[],
): Change['audit'][number] => ({
  action,
  entityType: 'USER',
  entityUuid: uuid,
  entityExternalId: email,
  changes,
});

function administratorShort(): Refusal {
  const message = `${ADMINISTRATOR} has every permission.`;
  return refusal('validationFailed', message, {
    errors: [{ field: 'permissions', code: 'validationFailed', message }],
  });
}

function nameInUse(rejectedValue: string, held: StoredAuthority): Refusal {
  const code = 'authorityNameInUse' as const;
  const message = `There is an authority ${held.authorityName}.`;
  return refusal(code, message, { errors: [{ field: 'authorityName', code, message, rejectedValue }] });
}

function emailInUse(email: string): Refusal {
  const message = 'Another user of the organization has this e-mail address.';
  return refusal('emailInUse', message, {
    errors: [{ field: 'email', code: 'emailInUse', message, rejectedValue: email }],
  });
}

function unknownAuthority({ uuid, authorityName }: AuthorityReference): Refusal {
  const both = uuid != null && authorityName != null;
  const message = both
    ? 'There is no authority with this uuid and name.'
    : 'There is no such authority in the organization.';
  const field = both ? 'authority' : uuid == null ? 'authority.authorityName' : 'authority.uuid';
  return refusal('authorityNotFound', message, {
    errors: [
      { field, code: 'authorityNotFound', message, rejectedValue: both ? null : (uuid ?? authorityName) },
    ],
  });
}
