import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { type AppEnv, origin } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import { createClient, deleteClient, updateClient } from '../../../../dispatch/client/commands.ts';
import { clientWriteSchema } from '../../../../dispatch/client/schema.ts';
import {
  clientList,
  clientView,
  presentClient,
  type StoredClient,
} from '../../../../dispatch/client/store.ts';
import { useWords } from '../../../../messages/context.ts';
import { action, type PageContext } from '../../../ui/confirm/action.ts';
import { confirmDeletion, Deleted, Deletion } from '../../../ui/confirm/deletion.tsx';
import { Field, Form, Submit } from '../../../ui/form/form.tsx';
import { listing } from '../../../ui/list/listing.tsx';
import { instant } from '../../../ui/list/rows.tsx';
import { type ByUuid, ResourceLink, requireRow, resourcePage, rowQuery } from '../../../ui/page/resource.tsx';
import { Card, Facts } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';

const createActions = {
  create: action('changeOffice', clientWriteSchema, async ({ c, words, submission }, _, names) => {
    const { body } = await write(c, submission, createClient, names);
    return {
      done: words.t('customer.made', { name: names.displayName }),
      to: `/app/client/${body.uuid}`,
    };
  }),
};

const actions = {
  update: action(
    'changeOffice',
    clientWriteSchema,
    async ({ c, words, submission }, { uuid }: ByUuid, names) => {
      await write(c, submission, updateClient, { identifier: uuid, ifMatch: null, ...names });
      return { done: words.t('customer.changed') };
    },
  ),
  delete: action(
    'changeOffice',
    z.object({}),
    async ({ c, words, submission }, { uuid }: ByUuid) => {
      await write(c, submission, deleteClient, { identifier: uuid, ifMatch: null });
      return { done: words.t('customer.deleted'), to: '/app/client' };
    },
    confirmDeletion('client', ({ t }) => t('customer.deletion')),
  ),
};

/** The pages about clients, who own pallets. */
export function clientPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/client',
    title: ({ t }) => t('customer.title'),
    right: 'see',
    feature: 'CLIENT',
    list: clientList,
    search: ({ t }) => t('customer.search'),
    filters: [],
    columns: ({ words: { t } }) => [
      {
        label: t('customer.one'),
        sort: 'displayName',
        plain: ({ displayName }) => displayName,
        value: ({ uuid, displayName }) => (
          <ResourceLink resource="client" uuid={uuid}>
            {displayName}
          </ResourceLink>
        ),
      },
      { label: t('made.externalId'), plain: ({ externalId }) => externalId, sort: 'externalId' },
      { label: t('made.created'), sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
    ],
    empty: ({ t }) => t('customer.empty'),
    below: (at) =>
      at.may('changeOffice') && (
        <Card title={at.words.t('customer.new')}>
          <Form<typeof createActions> action="create" class="filters" label={at.words.t('customer.new')}>
            <Names />
            <Submit>{at.words.t('made.create')}</Submit>
          </Form>
        </Card>
      ),
    actions: createActions,
  });

  resourcePage(app, {
    path: '/app/client/:uuid',
    right: 'see',
    feature: 'CLIENT',
    view: clientPage,
    actions,
  });
}

const Names: FC<{ client?: Pick<StoredClient, 'displayName' | 'externalId'> }> = ({ client }) => {
  const { t } = useWords();
  return (
    <>
      <Field name="displayName" label={t('customer.name')} value={client?.displayName} />
      <Field name="externalId" label={t('made.externalId')} value={client?.externalId} />
    </>
  );
};

async function clientPage(at: PageContext, { uuid }: ByUuid) {
  const { c, database, words } = at;
  const { t } = words;
  const rows = await database.all(rowQuery(database, 'client', clientView, uuid));
  const client = presentClient(origin(c), requireRow(rows, 'clientNotFound', uuid));
  return {
    title: client.displayName,
    aside: <Deleted deleted={client.deleted} />,
    body: (
      <>
        <Card title={t('customer.one')}>
          <Facts
            facts={[
              [t('made.externalId'), client.externalId],
              [t('made.created'), <Time at={client.createDate} />],
              [t('made.changed'), <Time at={client.updateDate} />],
            ]}
          />
        </Card>
        {at.may('changeOffice') && !client.deleted && (
          <Card title={t('made.change')}>
            <Form<typeof actions> action="update" class="filters" label={t('customer.changeIt')}>
              <Names client={client} />
              <Submit>{t('made.save')}</Submit>
            </Form>
            <Deletion<typeof actions> what="client" />
          </Card>
        )}
      </>
    ),
  };
}
