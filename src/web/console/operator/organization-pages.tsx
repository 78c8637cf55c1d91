import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { OPERATOR_LOG } from '../../../access/credential/operator.ts';
import {
  changeOrganization,
  newOrganization,
  setSuspended,
} from '../../../access/organization/change-organization.ts';
import { searchedOrganizations } from '../../../access/organization/list.ts';
import { readsOf } from '../../../core/http/read.ts';
import { identifier } from '../../../core/http/schema.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { databasesOf } from '../../../core/lib/databases.ts';
import type { StoredOrganization } from '../../../core/writer/settings.ts';
import { openJobQuery } from '../../../storage/long-job/store.ts';
import { beginMove } from '../../../storage/move/begin-move.ts';
import { answerExport, beginErasure } from '../../../storage/transfer/operator-requests.ts';
import { action, type PageContext } from '../../ui/confirm/action.ts';
import { Ask } from '../../ui/confirm/confirmation.tsx';
import { CustomFieldLines } from '../../ui/form/custom-field-lines.tsx';
import { ActionButton, Field, Form, Select, Submit } from '../../ui/form/form.tsx';
import { withFind } from '../../ui/list/filters.tsx';
import type { Column } from '../../ui/list/rows.tsx';
import { page } from '../../ui/page/page.tsx';
import { type ByUuid, byUuid } from '../../ui/page/resource.tsx';
import { Badge, Card, Facts, OptionalText, statusWords } from '../../ui/parts/components.tsx';
import { Time } from '../../ui/parts/time.tsx';
import { AdministratorFields, invite, inviteForm } from './administrator.tsx';
import { operatorList } from './listed.tsx';
import { organizationOf } from './organization.ts';
import {
  ClientField,
  createForm,
  FirstFields,
  OtherFields,
  SandboxField,
  updateForm,
} from './organization-form.tsx';

/** The action of the list of organizations. */
const createActions = {
  create: action('operator:PROVISION', createForm, async (at, _, { organization, administrator }) => {
    const created = await newOrganization(at.c, at.submission, organization);
    if (administrator) return invite(at, created, administrator);
    return { done: `${created.name} is created.`, to: `/operator/organization/${created.uuid}` };
  }),
};
/** The actions on the page of an organization. */
const actions = {
  change: action('operator:PROVISION', updateForm, async ({ c, submission }, { uuid }: ByUuid, body) => {
    const { name } = await changeOrganization(c, submission, uuid, body);
    return { done: `The settings of ${name} are saved.` };
  }),
  invite: action('operator:PROVISION', inviteForm, async (at, { uuid }: ByUuid, person) =>
    invite(at, await organizationOf(at, uuid), person),
  ),
  suspend: action(
    'operator:PROVISION',
    z.object({}),
    async ({ c, submission }, { uuid }: ByUuid) => {
      const { name } = await setSuspended(c, submission, uuid, true);
      return { done: `${name} is suspended.` };
    },
    async (at, { uuid }) => ({
      title: `Suspend ${(await organizationOf(at, uuid)).name}?`,
      text: (
        <p>
          Within 10 seconds all of its keys, sessions and devices stop working. Public pages stay online.
          Accepted work is completed.
        </p>
      ),
      yes: 'Suspend',
      no: 'Cancel',
    }),
  ),
  resume: action('operator:PROVISION', z.object({}), async ({ c, submission }, { uuid }: ByUuid) => {
    const { name } = await setSuspended(c, submission, uuid, false);
    return { done: `${name} works again.` };
  }),
  move: action(
    'operator:OPERATE',
    z.object({ databaseName: identifier }),
    async ({ c, submission }, { uuid }: ByUuid, { databaseName }) => {
      const operation = await beginMove(c, submission, uuid, databaseName);
      return { done: 'The organization is being moved.', to: `/operator/operation/${operation}` };
    },
    async (at, { uuid }, { databaseName }) => ({
      title: `Move ${(await organizationOf(at, uuid)).name} to ${databaseName}?`,
      text: <p>The organization works during the move. At the end its writes wait a few seconds at most.</p>,
      yes: 'Move',
      no: 'Cancel',
    }),
  ),
  erase: action(
    'operator:ERASE',
    z.object({ slug: z.string().max(63).default('') }),
    async ({ c, submission }, { uuid }: ByUuid, { slug }) => {
      const operation = await beginErasure(c, submission, uuid, slug);
      return { done: 'The organization is being erased.', to: `/operator/operation/${operation}` };
    },
    async (at, { uuid }) => ({
      title: `Erase ${(await organizationOf(at, uuid)).name} permanently?`,
      text: <p>This deletes all of its data, in all databases and the bucket. It cannot be undone.</p>,
      yes: 'Erase',
      no: 'Cancel',
    }),
  ),
};

const State = ({ of: { suspendedDate } }: { of: StoredOrganization }) =>
  suspendedDate === null ? <Badge status="ACTIVE" /> : <Badge status="DISABLED" label="Suspended" />;

const columns: readonly Column<StoredOrganization>[] = [
  {
    label: 'Organization',
    sort: 'name',
    value: ({ uuid, name }) => <a href={`/operator/organization/${uuid}`}>{name}</a>,
  },
  { label: 'Slug', sort: 'slug', value: ({ slug }) => slug },
  { label: 'State', value: (of) => <State of={of} />, narrow: 'evident' },
  { label: 'Dispatches by', value: ({ dispatchStrategy }) => statusWords(dispatchStrategy) },
  { label: 'Database', value: ({ databaseName }) => databaseName },
  { label: 'Created', sort: 'createDate', value: ({ createDate }) => <Time at={createDate} /> },
];

const databaseOptions = ({ c }: PageContext) =>
  databasesOf(c.env).names.map((value) => ({ value, label: value }));

/** The pages about organizations. */
export function operatorOrganizationPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/operator/organization',
    right: 'operator:READ',
    query: withFind(searchedOrganizations.query),
    async view(at, _, query) {
      const of = {
        list: searchedOrganizations,
        columns,
        search: 'names and slugs',
        empty: 'No organization matches.',
      };
      return {
        title: 'Organizations',
        scripts: ['zone.js'],
        styles: ['settings.css'],
        body: (
          <>
            {await operatorList(at, of, query)}
            {at.may('operator:PROVISION') && (
              <Card title="Create an organization">
                <Form<typeof createActions> action="create">
                  <FirstFields />
                  <fieldset class="person">
                    <legend>First administrator</legend>
                    <p class="hint">
                      The page shows a link once. With it, the administrator chooses a password and signs in.
                    </p>
                    <AdministratorFields />
                  </fieldset>
                  <details class="more">
                    <summary>More settings</summary>
                    <ClientField />
                    <SandboxField />
                    <Select
                      name="databaseName"
                      label="Database"
                      options={[
                        { value: '', label: 'The open database with the most free space' },
                        ...databaseOptions(at),
                      ]}
                    />
                  </details>
                  <Submit>Create</Submit>
                </Form>
              </Card>
            )}
          </>
        ),
      };
    },
    actions: createActions,
  });

  page(app, {
    path: '/operator/organization/:uuid',
    right: 'operator:READ',
    params: byUuid,
    view: organizationPage,
    actions,
  });

  page(app, {
    path: '/operator/organization/:uuid/export',
    right: 'operator:TRANSFER',
    params: byUuid,
    view: ({ c }, { uuid }) => answerExport(c, uuid),
  });
}

async function organizationPage(at: PageContext, { uuid }: ByUuid) {
  const service = readsOf(at.c, OPERATOR_LOG);
  // The two are in different databases, so both are asked at the same time.
  const [organization, move] = await Promise.all([
    organizationOf(at, uuid),
    service.first(openJobQuery(service, uuid)),
  ]);
  const { name, slug, databaseName, suspendedDate, sandbox, createDate, updateDate } = organization;
  const isSuspended = suspendedDate !== null;
  return {
    title: name,
    styles: ['settings.css'],
    aside: <State of={organization} />,
    body: (
      <>
        <Card title="Organization">
          <Facts
            facts={[
              ['Uuid', <code>{uuid}</code>],
              ['Slug', slug],
              ['Database', databaseName],
              ['Sandbox', sandbox === 1 ? 'Yes' : 'No'],
              ['Suspended', <Time at={suspendedDate} />],
              ['Created', <Time at={createDate} />],
              ['Changed', <Time at={updateDate} />],
              [
                'Running move',
                move ? <a href={`/operator/operation/${move.uuid}`}>Progress</a> : <OptionalText of={null} />,
              ],
            ]}
          />
          <p class="actions">
            <a class="button quiet" href={`/operator/organization/${uuid}/api-key`}>
              API keys
            </a>{' '}
            <a class="button quiet" href={`/operator/organization/${uuid}/access-token`}>
              Access tokens
            </a>{' '}
            {at.may('operator:TRANSFER') && (
              <a class="button quiet" href={`/operator/organization/${uuid}/export`} download>
                Export
              </a>
            )}{' '}
            {at.may('operator:PROVISION') &&
              (isSuspended ? (
                <ActionButton<typeof actions> action="resume">Resume</ActionButton>
              ) : (
                <Ask<typeof actions> action="suspend">Suspend</Ask>
              ))}
          </p>
        </Card>
        {at.may('operator:PROVISION') && (
          <Card title="Settings">
            <Form<typeof actions> action="change" class="settings">
              <div class="filters">
                <FirstFields of={organization} />
                <ClientField of={organization} />
                <OtherFields of={organization} />
              </div>
              <CustomFieldLines fields={organization.shipmentCustomFields} />
              <Submit>Keep</Submit>
            </Form>
          </Card>
        )}
        {at.may('operator:PROVISION') && (
          <Card title="Invite an administrator">
            <p class="hint">
              If the link was lost or has expired, invite the same person again. The former link ends.
            </p>
            <Form<typeof actions> action="invite" class="filters">
              <AdministratorFields />
              <Submit quiet>Invite</Submit>
            </Form>
          </Card>
        )}
        {at.may('operator:OPERATE') && !move && (
          <Card title="Move to another database">
            <Form<typeof actions> action="move" class="filters">
              <Select
                name="databaseName"
                label="Database"
                options={databaseOptions(at).filter(({ value }) => value !== databaseName)}
              />
              <Submit quiet>Move</Submit>
            </Form>
          </Card>
        )}
        {at.may('operator:ERASE') && isSuspended && (
          <Card title="Erase">
            <Form<typeof actions> action="erase" class="filters">
              <Field name="slug" label="Type the slug to confirm" />
              <Submit danger>Erase</Submit>
            </Form>
          </Card>
        )}
      </>
    ),
  };
}
