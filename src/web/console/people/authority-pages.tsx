import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { putAuthority } from '../../../access/user/authority-commands.ts';
import type { Permission } from '../../../access/user/rules.ts';
import { authorityNameSchema, authorityPutSchema } from '../../../access/user/schema.ts';
import { authoritiesQuery, authorityView } from '../../../access/user/store.ts';
import { PERMISSIONS } from '../../../access/user/table.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { write } from '../../../core/http/write.ts';
import { parseViews } from '../../../core/lib/view.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import { action, asTyped, type PageContext } from '../../ui/confirm/action.ts';
import { Checkboxes, Field, Form, Hidden, Submit } from '../../ui/form/form.tsx';
import { Table } from '../../ui/list/rows.tsx';
import { page } from '../../ui/page/page.tsx';
import { ResourceLink, requireRow, resourcePage, rowQuery } from '../../ui/page/resource.tsx';
import { Card, Facts } from '../../ui/parts/components.tsx';
import { Time } from '../../ui/parts/time.tsx';
import { authorityIn, rightsIn } from './authority-words.ts';

const form = z.strictObject({
  authorityName: authorityNameSchema,
  permissions: authorityPutSchema.shape.permissions,
});

const actions = {
  put: action(
    'changeAuthorities',
    asTyped(form, ({ authorityName }, { permissions }) => ({ authorityName, permissions }), ['permissions']),
    async ({ c, session, words, submission }, _, { authorityName, permissions }) => {
      const heldPermissions = session.user.permissions;
      await write(c, submission, putAuthority, { authorityName, permissions, heldPermissions });
      return { done: words.t('authority.saved', { name: authorityIn(words, authorityName) }) };
    },
  ),
};

/** The pages about authorities. */
export function authorityPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/authority',
    right: 'seeAuthorities',
    view: authoritiesPage,
    actions,
  });
  resourcePage(app, {
    path: '/app/authority/:uuid',
    right: 'seeAuthorities',
    async view(at, { uuid }) {
      const { words } = at;
      const { t } = words;
      const rows = await at.database.all(rowQuery(at.database, 'authority', authorityView, uuid));
      const authority = requireRow(rows, 'authorityNotFound', uuid);
      return {
        title: authorityIn(words, authority.authorityName),
        body: (
          <>
            <Card title={t('account.authority')}>
              <Facts
                facts={[
                  [t('authority.may'), rightsIn(words, authority.permissions)],
                  [t('authority.permissions'), permissionsIn(words, authority)],
                  [t('authority.kind'), kindIn(words, authority)],
                  [t('authority.created'), <Time at={authority.createDate} />],
                  [t('authority.changed'), <Time at={authority.updateDate} />],
                ]}
              />
            </Card>
            {at.may('changeAuthorities') && (
              <Card title={t('authority.change')}>
                <Form<typeof actions> action="put" label={t('authority.changeIt')}>
                  <Hidden name="authorityName" value={authority.authorityName} />
                  <PermissionBoxes at={at} values={authority.permissions} />
                  <Submit>{t('account.save')}</Submit>
                </Form>
              </Card>
            )}
          </>
        ),
      };
    },
    actions,
  });
}

/** The permissions that this user may grant: the user's own. */
const PermissionBoxes: FC<{ at: PageContext; values: readonly string[] }> = ({ at, values }) => {
  const { t } = useWords();
  return (
    <Checkboxes
      name="permissions"
      label={t('authority.permissions')}
      options={PERMISSIONS.filter((name) => at.session.user.permissions.includes(name)).map((value) => ({
        value,
        label: t(`permission.${value}`),
      }))}
      values={values}
    />
  );
};

/** The permissions of an authority, by name. */
const permissionsIn = ({ t }: Words, { permissions }: { permissions: readonly Permission[] }): string =>
  permissions.map((permission) => t(`permission.${permission}`)).join(', ');

const kindIn = ({ t }: Words, { internal }: { internal: unknown }): string =>
  t(internal ? 'authority.builtIn' : 'authority.own');

async function authoritiesPage(at: PageContext) {
  const { rows } = await at.database.ask({ rows: authoritiesQuery(at.database) });
  const { words } = at;
  const { t } = words;
  return {
    title: t('authority.title'),
    body: (
      <>
        <Table
          caption={t('list.total', { total: rows.length })}
          rows={parseViews(rows)}
          empty={t('authority.none')}
          columns={[
            {
              label: t('account.authority'),
              value: ({ uuid, authorityName }) => (
                <ResourceLink resource="authority" uuid={uuid}>
                  {authorityIn(words, authorityName)}
                </ResourceLink>
              ),
            },
            { label: t('authority.may'), value: ({ permissions }) => rightsIn(words, permissions) },
            { label: t('authority.kind'), value: (authority) => kindIn(words, authority) },
          ]}
        />
        {at.may('changeAuthorities') && (
          <Card title={t('authority.new')}>
            <Form<typeof actions> action="put" label={t('authority.new')}>
              <Field name="authorityName" label={t('authority.name')} />
              <PermissionBoxes at={at} values={[]} />
              <Submit>{t('account.create')}</Submit>
            </Form>
          </Card>
        )}
      </>
    ),
  };
}
