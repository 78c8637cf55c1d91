import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { createUser, deleteUser, resetPassword, updateUser } from '../../../access/user/commands.ts';
import { eraseUser } from '../../../access/user/erase-commands.ts';
import { makeInvite } from '../../../access/user/invite.ts';
import { userList } from '../../../access/user/list.ts';
import { generatePassword, hashPassword } from '../../../access/user/password.ts';
import { GIVEN_PASSWORD_MINIMUM, type Permission, permissionsBeyond } from '../../../access/user/rules.ts';
import { userCreateSchema, userUpdateSchema } from '../../../access/user/schema.ts';
import {
  authoritiesQuery,
  type authorityView,
  presentUser,
  type StoredAuthority,
  type StoredUser,
  userView,
} from '../../../access/user/store.ts';
import { PASSWORD_POLICY_MODES, PERMISSIONS } from '../../../access/user/table.ts';
import { type AppEnv, origin, principalOf } from '../../../core/http/types.ts';
import { write } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import { parseViews, type ViewRow } from '../../../core/lib/view.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import { action, asTyped, type PageContext } from '../../ui/confirm/action.ts';
import { Ask } from '../../ui/confirm/confirmation.tsx';
import { confirmDeletion, Deleted, Deletion } from '../../ui/confirm/deletion.tsx';
import { Field, Form, Select, Submit } from '../../ui/form/form.tsx';
import type { FilterChoice } from '../../ui/list/filters.tsx';
import { listing } from '../../ui/list/listing.tsx';
import { instant } from '../../ui/list/rows.tsx';
import { type ByUuid, ResourceLink, requireRow, resourcePage, rowQuery } from '../../ui/page/resource.tsx';
import { Card, Facts, OptionalText } from '../../ui/parts/components.tsx';
import { inviteSecret } from '../../ui/parts/invite.ts';
import { may } from '../../ui/parts/rights.ts';
import { Time } from '../../ui/parts/time.tsx';
import type { Secret } from '../../ui/parts/view.ts';
import { authorityIn } from './authority-words.ts';

const personOf = ({
  firstName,
  lastName,
  email,
  phoneNumber,
  authorityName,
}: Record<string, string | undefined>) => ({
  firstName,
  lastName,
  email,
  phoneNumber: phoneNumber || null,
  authority: { authorityName },
});

/** The action on the page of all users. */
function createUserActions() {
  const form = asTyped(userCreateSchema, ({ passwordPolicyMode, password, ...person }) => ({
    ...personOf(person),
    passwordPolicyMode,
    password: password || null,
  }));
  return {
    create: action(
      'changeUsers',
      form,
      async ({ c, session, words, submission }, _, { password: given, phoneNumber, ...body }) => {
        const byLink = body.passwordPolicyMode === 'INVITE_LINK';
        const password = byLink ? null : (given ?? generatePassword());
        const invite = byLink ? makeInvite(origin(c), principalOf(c).organization.uuid, Date.now()) : null;
        const { replayed } = await write(c, submission, createUser, {
          ...body,
          phoneNumber,
          passwordHash: password === null ? null : await hashPassword(password),
          invite: invite?.stored ?? null,
          heldPermissions: session.user.permissions,
        });
        const { t } = words;
        const done = t('user.isNow', { name: `${body.firstName} ${body.lastName}` });
        if (replayed) return { done };
        const secret: Secret = invite
          ? inviteSecret(words, {
              link: invite.link,
              email: body.email,
              name: `${body.firstName} ${body.lastName}`,
              organization: session.organization.name,
            })
          : { label: t('user.firstPassword'), value: password! };
        return { done, secrets: [secret] };
      },
    ),
  };
}

/** The actions on the page of a user. */
function userActions() {
  return {
    update: action(
      'changeUsers',
      asTyped(userUpdateSchema, personOf),
      async ({ c, session, words, submission }, { uuid }: ByUuid, { phoneNumber, ...body }) => {
        const heldPermissions = session.user.permissions;
        await write(c, submission, updateUser, {
          ...body,
          phoneNumber,
          uuid,
          ifMatch: null,
          heldPermissions,
        });
        return { done: words.t('user.changed') };
      },
    ),
    reset: action(
      'changeUsers',
      z.object({}),
      async ({ c, session, words, submission }, { uuid }: ByUuid) => {
        const { link, stored } = makeInvite(origin(c), principalOf(c).organization.uuid, Date.now());
        const heldPermissions = session.user.permissions;
        const { replayed } = await write(c, submission, resetPassword, {
          uuid,
          invite: stored,
          heldPermissions,
        });
        const done = words.t('user.resetDone');
        if (replayed) return { done };
        return { done, secrets: [{ label: words.t('user.link'), value: link }] };
      },
      ({ words: { t } }) => ({
        title: t('user.resetTitle'),
        text: t('user.resetText'),
        yes: t('user.resetYes'),
        no: t('ask.keep'),
        note: false,
      }),
    ),
    delete: action(
      'changeUsers',
      z.object({}),
      async ({ c, session, words, submission }, { uuid }: ByUuid) => {
        const heldPermissions = session.user.permissions;
        await write(c, submission, deleteUser, { uuid, ifMatch: null, heldPermissions });
        return { done: words.t('user.deleted'), to: '/app/user' };
      },
      (at) => {
        const { t } = at.words;
        const asked = confirmDeletion('user', t('user.deleteText'), {
          // Records about a person contain no typed text: it could name the person and would remain after an erasure.
          note: false,
          reasons: [
            { value: 'Left', label: t('user.left') },
            { value: 'Not needed any more', label: t('user.notNeeded') },
            { value: 'Misused', label: t('user.misused') },
          ],
        });
        return asked(at);
      },
    ),
    erase: action(
      'changeUsers',
      z.object({}),
      async ({ c, session, words, submission }, { uuid }: ByUuid) => {
        const heldPermissions = session.user.permissions;
        await write(c, submission, eraseUser, { uuid, ifMatch: null, heldPermissions });
        return { done: words.t('user.erased'), to: '/app/user' };
      },
      ({ words: { t } }) => ({
        title: t('user.eraseTitle'),
        text: t('user.eraseText'),
        yes: t('user.eraseYes'),
        no: t('ask.keep'),
        note: false,
        reasons: [
          { value: 'The person asked for it', label: t('user.askedFor') },
          { value: 'Kept long enough', label: t('user.keptLong') },
        ],
      }),
    ),
  };
}

type CreateUserActions = ReturnType<typeof createUserActions>;
type UserActions = ReturnType<typeof userActions>;

/** The pages about users. */
export function userPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/user',
    title: ({ t }) => t('user.title'),
    right: 'seeUsers',
    list: userList,
    search: ({ t }) => t('user.searched'),
    filters: [{ name: 'role', label: ({ t }) => t('account.authority'), chosen: true }],
    columns: ({ words, words: { t } }) => [
      {
        label: t('user.name'),
        sort: 'lastName',
        plain: ({ firstName, lastName }) => `${firstName} ${lastName}`,
        value: ({ uuid, firstName, lastName }) => (
          <ResourceLink resource="user" uuid={uuid}>
            {firstName} {lastName}
          </ResourceLink>
        ),
      },
      { label: t('account.email'), plain: ({ email }) => email, sort: 'email' },
      {
        label: t('account.authority'),
        plain: ({ authority }) => authorityIn(words, authority.authorityName),
      },
      { label: t('user.created'), sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
    ],
    empty: ({ t }) => t('user.none'),
    more: ({ database }) => authoritiesQuery(database),
    // A filter splits its value at commas.
    choices: (authorities, words) =>
      choicesOf(words, parseViews(authorities)).filter(({ value }) => !value.includes(',')),
    below: (at, authorities) => at.may('changeUsers') && <NewUser authorities={within(at, authorities)} />,
    actions: createUserActions(),
  });

  resourcePage(app, {
    path: '/app/user/:uuid',
    right: 'seeUsers',
    view: userPage,
    actions: userActions(),
  });
}

/** Authorities as choices. */
const choicesOf = (words: Words, authorities: readonly StoredAuthority[]): FilterChoice[] =>
  authorities.map(({ authorityName }) => ({
    value: authorityName,
    label: authorityIn(words, authorityName),
  }));

/** The authorities that this user may assign: none with more permissions than the user has. */
function within({ session }: PageContext, rows: readonly ViewRow<typeof authorityView>[]): StoredAuthority[] {
  return parseViews(rows).filter(({ permissions }) => isWithin(session.user.permissions, permissions));
}

const isWithin = (held: readonly Permission[], permissions: readonly Permission[]): boolean =>
  permissionsBeyond(held, permissions).length === 0;

/**
 * The authority with the fewest permissions among the authorities that change nothing, or else among all. Its users can sign
 * in. A new user has it unless another authority is chosen.
 */
const weakestOf = (authorities: readonly StoredAuthority[]): StoredAuthority | undefined =>
  authorities
    .filter(({ permissions }) => may(permissions, 'signIn'))
    .toSorted((one, other) => strengthOf(one) - strengthOf(other))[0];

/** Every change needs the right to mark. */
const strengthOf = ({ permissions }: StoredAuthority): number =>
  permissions.length + (may(permissions, 'mark') ? PERMISSIONS.length : 0);

const PersonFields: FC<{ user?: StoredUser; authorities: StoredAuthority[] }> = ({ user, authorities }) => {
  const words = useWords();
  const { t } = words;
  return (
    <>
      <Field name="firstName" label={t('user.firstName')} value={user?.firstName} />
      <Field name="lastName" label={t('user.lastName')} value={user?.lastName} />
      <Field name="email" label={t('account.email')} type="text" inputmode="email" value={user?.email} />
      <Field name="phoneNumber" label={t('user.phone')} type="tel" value={user?.phoneNumber} />
      <Select
        name="authorityName"
        label={t('account.authority')}
        value={user?.authority.authorityName ?? weakestOf(authorities)?.authorityName}
        options={choicesOf(words, authorities)}
      />
    </>
  );
};

const NewUser: FC<{ authorities: StoredAuthority[] }> = ({ authorities }) => {
  const { t } = useWords();
  return (
    <Card title={t('user.new')}>
      <Form<CreateUserActions> action="create" label={t('user.new')}>
        <PersonFields authorities={authorities} />
        <Select
          name="passwordPolicyMode"
          label={t('user.password')}
          options={PASSWORD_POLICY_MODES.map((value) => ({ value, label: t(`passwordMode.${value}`) }))}
        />
        <Field
          name="password"
          label={t('user.firstPassword')}
          type="password"
          autocomplete="new-password"
          hint={t('user.firstPasswordHint', { minimum: GIVEN_PASSWORD_MINIMUM })}
        />
        <Submit>{t('account.create')}</Submit>
      </Form>
    </Card>
  );
};

/** How a user signs in, and when the sign-in link of the user expires. */
const signInQuery = ({ organization }: Database, uuid: string) => sql<{
  inviteExpiresDate: number | null;
  hasPassword: 0 | 1;
  passwordChangeRequired: 0 | 1;
  passkeys: number;
}>`SELECT invite_expires_date AS "inviteExpiresDate",
    password_hash IS NOT NULL AS "hasPassword", password_change_required AS "passwordChangeRequired",
    (SELECT count(*) FROM passkey WHERE organization_uuid = ${organization} AND user_uuid = user.uuid) AS passkeys
  FROM user WHERE organization_uuid = ${organization} AND uuid = ${uuid}`;

async function userPage(at: PageContext, { uuid }: ByUuid) {
  const { c, database, session, words } = at;
  const { t } = words;
  const { users, authorities, signIns } = await database.ask({
    users: rowQuery(database, 'user', userView, uuid),
    authorities: authoritiesQuery(database),
    signIns: signInQuery(database, uuid),
  });
  const stored = requireRow(users, 'userNotFound', uuid);
  const user = presentUser(origin(c), stored);
  const signIn = signIns[0]!;
  const isOther = uuid !== session.user.uuid;
  const reaches = at.may('changeUsers') && isWithin(session.user.permissions, stored.authority.permissions);
  const changes = reaches && !user.deleted;
  return {
    title: `${user.firstName} ${user.lastName}`,
    aside: <Deleted deleted={user.deleted} />,
    body: (
      <>
        <Card title={t('user.one')}>
          <Facts
            facts={[
              [t('account.email'), user.email],
              [t('user.phone'), <OptionalText of={user.phoneNumber} />],
              [t('account.authority'), authorityIn(words, user.authority.authorityName)],
              [
                t('user.password'),
                signIn.hasPassword === 0
                  ? t('user.noPassword')
                  : signIn.passwordChangeRequired === 1
                    ? t('user.toBeChanged')
                    : t('user.passwordSet'),
              ],
              [t('passkey.title'), words.number(signIn.passkeys)],
              [t('user.linkEnds'), <Time at={signIn.inviteExpiresDate} />],
              [t('user.created'), <Time at={user.createDate} />],
            ]}
          />
        </Card>
        {changes && (
          <Card title={t('user.change')}>
            <Form<UserActions> action="update" label={t('user.changeIt')}>
              <PersonFields user={stored} authorities={within(at, authorities)} />
              <p class="hint">{t('user.changeHint')}</p>
              <Submit>{t('account.save')}</Submit>
            </Form>
            <p class="actions">
              <Ask<UserActions> action="reset">{t('user.reset')}</Ask>
            </p>
            {isOther && <Deletion<UserActions> what="user" />}
          </Card>
        )}
        {reaches && isOther && user.email !== '' && (
          <Card title={t('user.eraseYes')}>
            <p class="actions">
              <Ask<UserActions> action="erase">{t('user.erase')}</Ask>
            </p>
          </Card>
        )}
      </>
    ),
  };
}
