import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { type AppEnv, origin } from '../../http/types.ts';
import type { Database } from '../../lib/database.ts';
import { parseViews, type ViewRow } from '../../lib/view.ts';
import { userList } from '../../user/list.ts';
import { PASSWORD_MINIMUM, type Permission, permissionsBeyond } from '../../user/rules.ts';
import {
  authoritiesQuery,
  type authorityView,
  presentUser,
  type StoredAuthority,
  type StoredUser,
  userView,
} from '../../user/store.ts';
import { PASSWORD_POLICY_MODES } from '../../user/table.ts';
import { Card, Facts, Value } from '../kit/components.tsx';
import { type ByUuid, byUuid, Deleted, Deletion, found, History, rowQuery, To } from '../kit/detail.tsx';
import { Field, Form, Select, Submit } from '../kit/form.tsx';
import { listing } from '../kit/listing.tsx';
import { type At, page } from '../kit/page.tsx';
import { Ask } from '../kit/question.tsx';
import { instant } from '../kit/rows.tsx';
import { Time } from '../kit/time.tsx';
import { createAction, userActions } from './user-actions.ts';

const MODES = { INVITE_LINK: 'A link sets it', TEMP_PASSWORD: 'A first password' } as const;

/** Users. */
export function userPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/user',
    title: 'Users',
    right: 'seeUsers',
    list: userList,
    search: 'names and e-mail addresses',
    filters: [{ name: 'role', label: 'Authority' }],
    columns: () => [
      {
        label: 'Name',
        sort: 'lastName',
        plain: ({ firstName, lastName }) => `${firstName} ${lastName}`,
        value: ({ uuid, firstName, lastName }) => (
          <To resource="user" uuid={uuid}>
            {firstName} {lastName}
          </To>
        ),
      },
      { label: 'E-mail address', plain: ({ email }) => email, sort: 'email' },
      { label: 'Authority', plain: ({ authority }) => authority.authorityName },
      { label: 'Created', sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
    ],
    empty: 'No user is like this.',
    more: ({ database }) => authoritiesQuery(database),
    below: (at, authorities) =>
      at.may('changeUsers') && (
        <Card title="New user">
          <Form action="create" label="New user">
            <PersonFields authorities={within(at, authorities)} />
            <Select
              name="passwordPolicyMode"
              label="Password"
              options={PASSWORD_POLICY_MODES.map((value) => ({ value, label: MODES[value] }))}
            />
            <Field
              name="password"
              label="First password"
              type="password"
              autocomplete="new-password"
              hint={`Only where one is given: at least ${PASSWORD_MINIMUM} characters; empty makes one. It has to be changed at the first sign-in.`}
            />
            <Submit>Create</Submit>
          </Form>
        </Card>
      ),
    actions: { create: createAction() },
  });

  page(app, {
    path: '/app/user/:uuid',
    right: 'seeUsers',
    params: byUuid,
    view: userPage,
    actions: userActions(),
  });
}

/** The authorities that this user may give: none that may do more. */
function within({ session }: At, rows: readonly ViewRow<typeof authorityView>[]): StoredAuthority[] {
  return parseViews(rows).filter(({ permissions }) => isWithin(session.user.permissions, permissions));
}

const isWithin = (held: readonly Permission[], permissions: readonly Permission[]): boolean =>
  permissionsBeyond(held, permissions).length === 0;

const PersonFields = ({
  user,
  authorities,
}: {
  user?: StoredUser;
  authorities: StoredAuthority[];
}): Child => (
  <>
    <Field name="firstName" label="First name" value={user?.firstName} maxlength={100} required />
    <Field name="lastName" label="Last name" value={user?.lastName} maxlength={100} required />
    <Field name="email" label="E-mail address" type="email" value={user?.email} maxlength={254} required />
    <Field name="phoneNumber" label="Phone number" type="tel" value={user?.phoneNumber} maxlength={50} />
    <Select
      name="authorityName"
      label="Authority"
      value={user?.authority.authorityName}
      options={authorities.map(({ authorityName }) => ({ value: authorityName, label: authorityName }))}
    />
  </>
);

/** When the link of a user ends, and how many sessions there are. */
const signInQuery = ({ organization }: Database, uuid: string) => sql<{
  inviteExpiresDate: number | null;
  hasPassword: 0 | 1;
  passwordChangeRequired: 0 | 1;
}>`SELECT invite_expires_date AS "inviteExpiresDate",
    password_hash IS NOT NULL AS "hasPassword", password_change_required AS "passwordChangeRequired"
  FROM user WHERE organization_uuid = ${organization} AND uuid = ${uuid}`;

async function userPage(at: At, { uuid }: ByUuid) {
  const { c, database, session } = at;
  const { users, authorities, signIns } = await database.ask({
    users: rowQuery(database, 'user', userView, uuid),
    authorities: authoritiesQuery(database),
    signIns: signInQuery(database, uuid),
  });
  const stored = found(users, 'userNotFound', 'user');
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
        <Card title="User">
          <Facts
            facts={[
              ['E-mail address', user.email],
              ['Phone number', <Value of={user.phoneNumber} />],
              ['Authority', user.authority.authorityName],
              [
                'Password',
                signIn.hasPassword === 0
                  ? 'None yet'
                  : signIn.passwordChangeRequired === 1
                    ? 'To be changed at the first sign-in'
                    : 'Set',
              ],
              ['Link that sets it ends', <Time at={signIn.inviteExpiresDate} />],
              ['Created', <Time at={user.createDate} />],
            ]}
          />
        </Card>
        {changes && (
          <Card title="Change">
            <Form action="update" label="Change the user">
              <PersonFields user={stored} authorities={within(at, authorities)} />
              <p class="hint">
                Another e-mail address or authority ends the sessions of this user, and a link that is not
                used yet.
              </p>
              <Submit>Save</Submit>
            </Form>
            <p class="actions">
              <Ask action="reset">Reset the password</Ask>
            </p>
            {isOther && <Deletion what="user" />}
          </Card>
        )}
        {reaches && isOther && user.email !== '' && (
          <Card title="Erase">
            <p class="actions">
              <Ask action="erase">Erase the person</Ask>
            </p>
          </Card>
        )}
        <History at={at} uuid={uuid} />
      </>
    ),
  };
}
