import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { identifier } from '../../../../core/http/schema.ts';
import type { AppEnv } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import { itemsOf } from '../../../../core/lib/bounded.ts';
import { managerNamesQuery } from '../../../../dispatch/device/store.ts';
import { deleteGate, putGate } from '../../../../dispatch/gate/commands.ts';
import { gateList } from '../../../../dispatch/gate/list.ts';
import { gateUpsertSchema } from '../../../../dispatch/gate/schema.ts';
import { gateView, type StoredGate } from '../../../../dispatch/gate/store.ts';
import { useWords } from '../../../../messages/context.ts';
import { action, asTyped, type PageContext } from '../../../ui/confirm/action.ts';
import { confirmDeletion, Deleted, Deletion } from '../../../ui/confirm/deletion.tsx';
import { Field, Form, Submit } from '../../../ui/form/form.tsx';
import { listing } from '../../../ui/list/listing.tsx';
import { type ByUuid, ResourceLink, requireRow, resourcePage, rowQuery } from '../../../ui/page/resource.tsx';
import { Plate } from '../../../ui/parts/badges.tsx';
import { Badge, Card, OptionalText } from '../../../ui/parts/components.tsx';
import { servesDevices } from './devices.tsx';
import { MANAGERS_MAXIMUM, type Manager, ManagerField } from './managers.tsx';

/** A gate from its form. An empty field means no value. */
const said = ({ name, localManagerUuid, gln }: Record<string, string | undefined>) => ({
  name,
  localManagerUuid: localManagerUuid || null,
  gln: gln || null,
});
const changeForm = asTyped(gateUpsertSchema, said);
const createForm = z.intersection(z.object({ externalIdentifier: identifier }), changeForm);

const createActions = {
  create: action('changeSite', createForm, async ({ c, words, submission }, _, body) => {
    const input = { ...body, localManagerUuid: body.localManagerUuid ?? null, only: 'CREATE' } as const;
    const written = await write(c, submission, putGate, input);
    return {
      done: words.t('gates.made', { gate: body.name }),
      to: `/app/gate/${written.body.gate.uuid}/settings`,
    };
  }),
};

const actions = {
  update: action('changeSite', changeForm, async (at, { uuid }: ByUuid, body) => {
    const { externalIdentifier } = await readGate(at, uuid);
    const input = { ...body, localManagerUuid: body.localManagerUuid ?? null };
    await write(at.c, at.submission, putGate, { ...input, externalIdentifier, only: 'CHANGE' });
    return { done: at.words.t('gates.changed') };
  }),
  delete: action(
    'changeSite',
    z.object({}),
    async (at, { uuid }: ByUuid) => {
      const { externalIdentifier } = await readGate(at, uuid);
      await write(at.c, at.submission, deleteGate, { externalIdentifier });
      return { done: at.words.t('gates.deleted'), to: '/app/gate' };
    },
    confirmDeletion('gate', ({ t }) => t('gates.deletion')),
  ),
};

/** The order of gates on their page: as people number them, not by creation as in the API. */
const BY_ID = { sortBy: 'externalIdentifier', direction: 'ASC' } as const;

/**
 * The list of gates with the form to create a gate, and the page to change a gate. The gate's own
 * page is for loading.
 */
function servesGates(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/gate',
    title: ({ t }) => t('gates.title'),
    right: 'see',
    list: { ...gateList, sorting: { ...gateList.sorting, default: BY_ID } },
    search: ({ t }) => t('gates.search'),
    filters: [],
    columns: ({ words: { t }, may }) => [
      {
        label: t('gates.gate'),
        sort: 'externalIdentifier',
        value: ({ uuid, name, externalIdentifier }) => (
          <ResourceLink resource="gate" uuid={uuid}>
            <Plate gate={{ name, externalIdentifier }} /> {externalIdentifier}
          </ResourceLink>
        ),
        plain: ({ externalIdentifier }) => externalIdentifier,
      },
      { label: t('gates.name'), plain: ({ name }) => name, sort: 'name' },
      { label: t('made.state'), status: ({ status }) => status, narrow: 'evident' },
      {
        label: t('gates.progress'),
        value: ({ activeManifestExternalIds, activeShipmentExternalIds }) => (
          <OptionalText
            of={[...itemsOf(activeShipmentExternalIds), ...itemsOf(activeManifestExternalIds)]
              .slice(0, 5)
              .join(', ')}
          />
        ),
      },
      { label: t('gates.alerts'), value: ({ openAlertsCount }) => openAlertsCount, number: true },
      ...(may('changeSite')
        ? [
            {
              label: t('made.change'),
              acts: true as const,
              value: ({ uuid, name }: StoredGate) => (
                <a href={`/app/gate/${uuid}/settings`} aria-label={t('gates.changeOf', { gate: name })}>
                  {t('made.change')}
                </a>
              ),
            },
          ]
        : []),
    ],
    empty: ({ t }) => t('gates.empty'),
    more: ({ database }) => managerNamesQuery(database, MANAGERS_MAXIMUM + 1),
    below: (at, managers) =>
      at.may('changeSite') && (
        <Card title={at.words.t('gates.new')}>
          <Form<typeof createActions> action="create" class="filters" label={at.words.t('gates.new')}>
            <Field
              name="externalIdentifier"
              label={at.words.t('made.externalId')}
              hint={at.words.t('made.externalIdHint')}
            />
            <GateFields managers={managers} />
            <Submit>{at.words.t('made.create')}</Submit>
          </Form>
        </Card>
      ),
    actions: createActions,
  });

  resourcePage(app, {
    path: '/app/gate/:uuid/settings',
    right: 'changeSite',
    view: gateSettings,
    actions,
  });
}

const GateFields: FC<{ managers: readonly Manager[]; gate?: StoredGate }> = ({ managers, gate }) => {
  const { t } = useWords();
  return (
    <>
      <Field name="name" label={t('gates.name')} value={gate?.name} />
      <ManagerField managers={managers} label={t('gates.manager')} value={gate?.localManagerUuid} />
      <Field name="gln" label={t('gates.gln')} hint={t('gates.glnHint')} value={gate?.gln} />
    </>
  );
};

async function gateSettings(at: PageContext, { uuid }: ByUuid) {
  const { t } = at.words;
  const { gates, managers } = await at.database.ask({
    gates: rowQuery(at.database, 'gate', gateView, uuid),
    managers: managerNamesQuery(at.database, MANAGERS_MAXIMUM + 1),
  });
  const gate = requireRow(gates, 'gateNotFound', uuid);
  const isDeleted = gate.deletedDate !== null;
  return {
    title: gate.name,
    aside: isDeleted ? <Deleted deleted /> : <Badge status={gate.status} />,
    body: (
      <>
        <p>
          <ResourceLink resource="gate" uuid={uuid}>
            {t('gates.toGate')}
          </ResourceLink>
        </p>
        {!isDeleted && (
          <Card title={t('made.change')}>
            <Form<typeof actions> action="update" class="filters" label={t('gates.changeIt')}>
              <GateFields managers={managers} gate={gate} />
              <Submit>{t('made.save')}</Submit>
            </Form>
            <Deletion<typeof actions> what="gate" />
          </Card>
        )}
      </>
    ),
  };
}

async function readGate({ database }: PageContext, uuid: string): Promise<StoredGate> {
  return requireRow(await database.all(rowQuery(database, 'gate', gateView, uuid)), 'gateNotFound', uuid);
}

export function sitePages(app: Hono<AppEnv>): void {
  servesGates(app);
  servesDevices(app);
}
