import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { AppEnv } from '../../http/types.ts';
import { write } from '../../http/write.ts';
import { parseViews } from '../../lib/view.ts';
import { putAuthority } from '../../user/authority-commands.ts';
import { authorityNameSchema, authorityPutSchema } from '../../user/schema.ts';
import { authoritiesQuery, authorityView } from '../../user/store.ts';
import { PERMISSIONS } from '../../user/table.ts';
import { Card, Facts, words } from '../kit/components.tsx';
import { byUuid, found, History, rowQuery, To } from '../kit/detail.tsx';
import { Checkboxes, Field, Form, Hidden, Submit } from '../kit/form.tsx';
import { type At, action, asTyped, page } from '../kit/page.tsx';
import { Table } from '../kit/rows.tsx';
import { Time } from '../kit/time.tsx';
import type { Typed } from '../kit/view.ts';

const form = z.strictObject({
  authorityName: authorityNameSchema,
  permissions: authorityPutSchema.shape.permissions,
});

const putAction = action(
  'changeAuthorities',
  asTyped(form, ({ authorityName, permissions }: Typed) => ({
    authorityName,
    permissions: [permissions ?? []].flat(),
  })),
  async ({ c, session }, _, { authorityName, permissions }) => {
    const heldPermissions = session.user.permissions;
    await write(c, putAuthority, { authorityName, permissions, heldPermissions });
    return { done: `${authorityName} is saved; it holds from now on.` };
  },
);

/** Authorities: what users may do. */
export function authorityPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/authority',
    right: 'seeAuthorities',
    view: authoritiesPage,
    actions: { put: putAction },
  });
  page(app, {
    path: '/app/authority/:uuid',
    right: 'seeAuthorities',
    params: byUuid,
    async view(at, { uuid }) {
      const rows = await at.database.all(rowQuery(at.database, 'authority', authorityView, uuid));
      const authority = found(rows, 'authorityNotFound', 'authority');
      return {
        title: authority.authorityName,
        body: (
          <>
            <Card title="Authority">
              <Facts
                facts={[
                  ['Permissions', authority.permissions.map(words).join(', ')],
                  ['Kind', authority.internal ? 'Built in' : 'Of this organization'],
                  ['Created', <Time at={authority.createDate} />],
                  ['Changed', <Time at={authority.updateDate} />],
                ]}
              />
            </Card>
            {at.may('changeAuthorities') && (
              <Card title="Change">
                <Form action="put" label="Change the authority">
                  <Hidden name="authorityName" value={authority.authorityName} />
                  <PermissionBoxes at={at} values={authority.permissions} />
                  <Submit>Save</Submit>
                </Form>
              </Card>
            )}
            <History at={at} uuid={uuid} />
          </>
        ),
      };
    },
    actions: { put: putAction },
  });
}

/** The permissions that this user may give: the user's own. */
const PermissionBoxes = ({ at, values }: { at: At; values: readonly string[] }) => (
  <Checkboxes
    name="permissions"
    label="Permissions"
    options={PERMISSIONS.filter((name) => at.session.user.permissions.includes(name)).map((value) => ({
      value,
      label: words(value),
    }))}
    values={values}
  />
);

async function authoritiesPage(at: At) {
  const { rows } = await at.database.ask({ rows: authoritiesQuery(at.database) });
  return {
    title: 'Authorities',
    body: (
      <>
        <Table
          caption={`${rows.length} in all`}
          rows={parseViews(rows)}
          empty="No authorities."
          columns={[
            {
              label: 'Authority',
              value: ({ uuid, authorityName }) => (
                <To resource="authority" uuid={uuid}>
                  {authorityName}
                </To>
              ),
            },
            { label: 'Permissions', value: ({ permissions }) => permissions.map(words).join(', ') },
            { label: 'Kind', value: ({ internal }) => (internal ? 'Built in' : 'Of this organization') },
          ]}
        />
        {at.may('changeAuthorities') && (
          <Card title="New authority">
            <Form action="put" label="New authority">
              <Field name="authorityName" label="Name" maxlength={100} required />
              <PermissionBoxes at={at} values={[]} />
              <Submit>Create</Submit>
            </Form>
          </Card>
        )}
      </>
    ),
  };
}
