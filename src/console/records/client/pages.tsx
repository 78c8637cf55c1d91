import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { createClient, deleteClient, updateClient } from '../../../client/commands.ts';
import { clientList } from '../../../client/list.ts';
import { clientWriteSchema } from '../../../client/schema.ts';
import { clientView, presentClient, type StoredClient } from '../../../client/store.ts';
import { type AppEnv, origin } from '../../../http/types.ts';
import { write } from '../../../http/write.ts';
import { Card, Facts } from '../../kit/components.tsx';
import {
  askToDelete,
  type ByUuid,
  byUuid,
  Deleted,
  Deletion,
  found,
  History,
  rowQuery,
  To,
} from '../../kit/detail.tsx';
import { Field, Form, Submit } from '../../kit/form.tsx';
import { listing } from '../../kit/listing.tsx';
import { type At, action, page } from '../../kit/page.tsx';
import { instant } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';

/** Customers whose pallets these are. */
export function clientPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/client',
    title: 'Clients',
    right: 'see',
    feature: 'CLIENT',
    list: clientList,
    search: 'names and external ids',
    filters: [],
    columns: () => [
      {
        label: 'Client',
        sort: 'displayName',
        plain: ({ displayName }) => displayName,
        value: ({ uuid, displayName }) => (
          <To resource="client" uuid={uuid}>
            {displayName}
          </To>
        ),
      },
      { label: 'External id', plain: ({ externalId }) => externalId, sort: 'externalId' },
      { label: 'Created', sort: 'createDate', plain: ({ createDate }) => instant(createDate) },
    ],
    empty: 'No client is like this.',
    below: (at) =>
      at.may('changeOffice') && (
        <Card title="New client">
          <Form action="create" class="filters" label="New client">
            <Names />
            <Submit>Create</Submit>
          </Form>
        </Card>
      ),
    actions: {
      create: action('changeOffice', clientWriteSchema, async ({ c }, _, names) => {
        const { body } = await write(c, createClient, names);
        return { done: `${names.displayName} is a client now.`, to: `/app/client/${body.uuid}` };
      }),
    },
  });

  page(app, {
    path: '/app/client/:uuid',
    right: 'see',
    feature: 'CLIENT',
    params: byUuid,
    view: clientPage,
    actions: {
      update: action('changeOffice', clientWriteSchema, async ({ c }, { uuid }: ByUuid, names) => {
        await write(c, updateClient, { identifier: uuid, ifMatch: null, ...names });
        return { done: 'The client is changed.' };
      }),
      delete: action(
        'changeOffice',
        z.object({}),
        async ({ c }, { uuid }: ByUuid) => {
          await write(c, deleteClient, { identifier: uuid, ifMatch: null });
          return { done: 'The client is deleted.', to: '/app/client' };
        },
        askToDelete('client', 'One with assigned pallets stays; of another, name and id are free again.'),
      ),
    },
  });
}

const Names = ({ client }: { client?: Pick<StoredClient, 'displayName' | 'externalId'> }) => (
  <>
    <Field name="displayName" label="Name" value={client?.displayName} maxlength={255} required />
    <Field name="externalId" label="External id" value={client?.externalId} maxlength={255} required />
  </>
);

async function clientPage(at: At, { uuid }: ByUuid) {
  const { c, database } = at;
  const rows = await database.all(rowQuery(database, 'client', clientView, uuid));
  const client = presentClient(origin(c), found(rows, 'clientNotFound', 'client'));
  return {
    title: client.displayName,
    aside: <Deleted deleted={client.deleted} />,
    body: (
      <>
        <Card title="Client">
          <Facts
            facts={[
              ['External id', client.externalId],
              ['Created', <Time at={client.createDate} />],
              ['Changed', <Time at={client.updateDate} />],
            ]}
          />
        </Card>
        {at.may('changeOffice') && !client.deleted && (
          <Card title="Change">
            <Form action="update" class="filters" label="Change the client">
              <Names client={client} />
              <Submit>Save</Submit>
            </Form>
            <Deletion what="client" />
          </Card>
        )}
        <History at={at} uuid={uuid} />
      </>
    ),
  };
}
