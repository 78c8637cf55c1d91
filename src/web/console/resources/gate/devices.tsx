import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import type { TokenScope } from '../../../../access/credential/schema.ts';
import type { PageSchema } from '../../../../core/http/list.ts';
import type { AppEnv } from '../../../../core/http/types.ts';
import { refuseMissing, write } from '../../../../core/http/write.ts';
import {
  createDevice,
  deleteDevice,
  type ProvisionedDevice,
  type Settled,
  updateDevice,
} from '../../../../dispatch/device/commands.ts';
import { agentList, localManagerList, scannerList } from '../../../../dispatch/device/list.ts';
import { DEVICE_NOT_FOUND } from '../../../../dispatch/device/rules.ts';
import {
  AGENT_STATUSES,
  agentCreateSchema,
  LOCAL_MANAGER_STATUSES,
  localManagerCreateSchema,
  SCANNER_STATUSES,
  scannerCreateSchema,
} from '../../../../dispatch/device/schema.ts';
import {
  deviceView,
  managerNamesQuery,
  SEGMENTS,
  type StoredDevice,
  silentBefore,
} from '../../../../dispatch/device/store.ts';
import { AGENT_TYPES, type DeviceType, SCANNER_TYPES } from '../../../../dispatch/device/table.ts';
import type { GateReference } from '../../../../dispatch/gate/rules.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import { action, asTyped, type PageContext } from '../../../ui/confirm/action.ts';
import { confirmDeletion, Deleted, Deletion } from '../../../ui/confirm/deletion.tsx';
import { Field, Form, Select, Submit } from '../../../ui/form/form.tsx';
import { type GateChoice, GateField, GateLink, gateChoices, gatesQuery } from '../../../ui/list/gates.tsx';
import type { Listing } from '../../../ui/list/list-declaration.ts';
import { listingOf } from '../../../ui/list/listing.tsx';
import type { Column } from '../../../ui/list/rows.tsx';
import { type ByUuid, ResourceLink, requireRow, resourcePage, rowQuery } from '../../../ui/page/resource.tsx';
import { wordsAmong } from '../../../ui/parts/codes.ts';
import { Badge, Card, Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { createCredentialAction } from '../credential/actions.tsx';
import { NewCredential } from '../credential/forms.tsx';
import { printForm, printingActions } from '../printing-batch/print-form.tsx';
import { MANAGERS_MAXIMUM, type Manager, ManagerField } from './managers.tsx';

/** The scopes that the form offers for a token of each device type. */
const SCOPES_OF: Record<DeviceType, readonly TokenScope[]> = {
  SCANNER: ['GATE_WRITE', 'DEVICE_WRITE'],
  LOCAL_MANAGER: ['CAMERA_READ', 'GATE_WRITE', 'DEVICE_WRITE'],
  AGENT: ['DEVICE_WRITE'],
};

const KINDS = { SCANNER: SCANNER_TYPES, LOCAL_MANAGER: [], AGENT: AGENT_TYPES } as const;

/** The kind of a device in words. An unknown kind is shown as stored. */
const kindIn = ({ t }: Words, kind: string): string =>
  wordsAmong([...SCANNER_TYPES, ...AGENT_TYPES], kind, (known) => t(`kind.${known}`));

/**
 * The form that creates a device: its name, and its kind. Its gate and local manager are set on its
 * own page.
 */
const NewDevice: FC<{ type: DeviceType }> = ({ type }) => {
  const { t } = useWords();
  return (
    <Card title={t('device.new', { type })}>
      <Form<CreateDeviceActions> action="create" class="filters" label={t('device.new', { type })}>
        <Described type={type} />
        <Submit>{t('made.create')}</Submit>
      </Form>
    </Card>
  );
};

const Described: FC<{ type: DeviceType; device?: StoredDevice }> = ({ type, device }) => {
  const words = useWords();
  const { t } = words;
  return (
    <>
      <Field name="name" label={t('device.name')} value={device?.name} />
      {type === 'LOCAL_MANAGER' ? (
        <Field name="hostname" label={t('device.host')} value={device?.hostname} />
      ) : (
        <Select
          name="kind"
          label={t('made.kind')}
          value={device?.scannerType ?? device?.agentType}
          options={[
            { value: '', label: t('made.none') },
            ...KINDS[type].map((kind) => ({ value: kind, label: kindIn(words, kind) })),
          ]}
        />
      )}
      {type === 'SCANNER' && (
        <Field name="serialNumber" label={t('device.serial')} value={device?.serialNumber} />
      )}
    </>
  );
};

const DeviceFields: FC<{
  type: DeviceType;
  gates: readonly GateChoice[];
  managers: readonly Manager[];
  device: StoredDevice;
}> = ({ type, gates, managers, device }) => {
  const { t } = useWords();
  return (
    <>
      <Described type={type} device={device} />
      {type === 'SCANNER' && (
        <GateField
          gates={gates}
          name="gateExternalId"
          label={t('gates.gate')}
          value={device.gate?.externalIdentifier}
          none={t('desk.noGate')}
        />
      )}
      {type !== 'LOCAL_MANAGER' && (
        <ManagerField managers={managers} label={t('device.belongs')} value={device.localManagerUuid} />
      )}
    </>
  );
};

type Typed = Record<string, string | undefined>;

/** A device from its form. An empty field means no value. */
const FORMS: Record<DeviceType, z.ZodType<ProvisionedDevice>> = {
  SCANNER: asTyped(scannerCreateSchema, (typed: Typed) => ({
    name: typed['name'],
    serialNumber: typed['serialNumber'] || null,
    scannerType: typed['kind'] || null,
    gateExternalId: typed['gateExternalId'] || null,
    localManagerUuid: typed['localManagerUuid'] || null,
  })),
  LOCAL_MANAGER: asTyped(localManagerCreateSchema, (typed: Typed) => ({
    name: typed['name'],
    hostname: typed['hostname'] || null,
  })),
  AGENT: asTyped(agentCreateSchema, (typed: Typed) => ({
    name: typed['name'],
    agentType: typed['kind'] || null,
    localManagerUuid: typed['localManagerUuid'] || null,
  })),
};

/** Fields that its type does not have are null. */
const settled = (said: ProvisionedDevice): Settled => ({
  name: said.name,
  serialNumber: said.serialNumber ?? null,
  scannerType: said.scannerType ?? null,
  hostname: said.hostname ?? null,
  agentType: said.agentType ?? null,
  localManagerUuid: said.localManagerUuid ?? null,
  gateExternalId: said.gateExternalId ?? null,
});

const createDeviceActions = (deviceType: DeviceType) => ({
  create: action('changeSite', FORMS[deviceType], async ({ c, words, submission }, _, said) => {
    const { body } = await write(c, submission, createDevice, { ...settled(said), deviceType });
    return {
      done: words.t('device.made', { name: said.name }),
      to: `/app/${SEGMENTS[deviceType]}/${body.uuid}`,
    };
  }),
});

/** The actions on the page of a device. Only scanners can print. */
const deviceActions = (deviceType: DeviceType) => ({
  update: action(
    'changeSite',
    FORMS[deviceType],
    async ({ c, words, submission }, { uuid }: ByUuid, said) => {
      await write(c, submission, updateDevice, { ...settled(said), deviceType, uuid });
      return { done: words.t('device.changed') };
    },
  ),
  token: createCredentialAction('ACCESS_TOKEN'),
  delete: action(
    'changeSite',
    z.object({}),
    async ({ c, words, submission }, { uuid }: ByUuid) => {
      await write(c, submission, deleteDevice, { deviceType, uuid });
      return { done: words.t('device.deleted'), to: `/app/${SEGMENTS[deviceType]}` };
    },
    confirmDeletion(deviceType === 'SCANNER' ? 'scanner' : 'device', ({ t }) => t('device.deletion')),
  ),
});

type CreateDeviceActions = ReturnType<typeof createDeviceActions>;
type DeviceActions = ReturnType<typeof deviceActions>;

const STATUS = 'made.status';
const search = ({ t }: Words): string => t('device.search');

/**
 * The pages about scanners, local managers and agents: lists with forms to create them, and a page
 * for each device.
 */
export function servesDevices(app: Hono<AppEnv>): void {
  devicePages(app, 'SCANNER', {
    list: scannerList,
    search,
    filters: [
      { name: 'status', label: ({ t }) => t(STATUS), options: SCANNER_STATUSES },
      { name: 'scannerType', label: ({ t }) => t('made.kind'), options: SCANNER_TYPES, say: kindIn },
      { name: 'gateExternalId', label: ({ t }) => t('gates.gate'), chosen: true },
    ],
    more: ({ database }) => gatesQuery(database),
    choices: gateChoices,
  });
  devicePages(app, 'LOCAL_MANAGER', {
    list: localManagerList,
    search,
    filters: [{ name: 'status', label: ({ t }) => t(STATUS), options: LOCAL_MANAGER_STATUSES }],
  });
  devicePages(app, 'AGENT', {
    list: agentList,
    search,
    filters: [
      { name: 'status', label: ({ t }) => t(STATUS), options: AGENT_STATUSES },
      { name: 'agentType', label: ({ t }) => t('made.kind'), options: AGENT_TYPES, say: kindIn },
    ],
  });
}

const silenceOf = ({ session }: PageContext): number => silentBefore(session.organization, Date.now());

function devicePages<Z extends PageSchema>(
  app: Hono<AppEnv>,
  type: DeviceType,
  listed: Pick<
    Listing<Z, StoredDevice, [silent: number], GateReference>,
    'list' | 'search' | 'filters' | 'more' | 'choices'
  >,
): void {
  const segment = SEGMENTS[type];
  listingOf(
    app,
    {
      ...listed,
      title: ({ t }) => t('device.titles', { type }),
      path: `/app/${segment}`,
      right: 'seeDevices',
      columns: (at) => columnsOf(at.words, type),
      empty: ({ t }) => t('device.empty'),
      below: (at) => at.may('changeSite') && <NewDevice type={type} />,
      actions: createDeviceActions(type),
    },
    (at): [silent: number] => [silenceOf(at)],
  );

  resourcePage(app, {
    path: `/app/${segment}/:uuid`,
    right: 'seeDevices',
    view: (at, named) => devicePage(at, named, type),
    actions: { ...deviceActions(type), ...(type === 'SCANNER' ? printingActions() : {}) },
  });
}

async function devicePage(at: PageContext, { uuid }: ByUuid, type: DeviceType) {
  const { database } = at;
  const { t } = at.words;
  const { devices, gates, managers } = await database.ask({
    devices: rowQuery(database, 'device', deviceView(silenceOf(at)), uuid),
    gates: type === 'SCANNER' ? gatesQuery(database) : undefined,
    managers: type === 'LOCAL_MANAGER' ? undefined : managerNamesQuery(database, MANAGERS_MAXIMUM + 1),
  });
  const device = requireRow(devices, DEVICE_NOT_FOUND[type], uuid);
  if (device.deviceType !== type) refuseMissing(DEVICE_NOT_FOUND[type], uuid);
  const isDeleted = device.dates.deletedDate !== null;
  const mayChange = at.may('changeSite') && !isDeleted;
  return {
    title: device.name,
    aside: (
      <>
        <Badge status={device.status} />
        <Deleted deleted={isDeleted} />
      </>
    ),
    body: (
      <>
        <Card title={t('device.one', { type })}>
          <Facts facts={factsOf(at.words, device)} />
        </Card>
        {type === 'SCANNER' && at.may('seeOffice') && (
          <p>
            <a href={`/app/printing-batch?scannerUuid=${uuid}`}>{t('device.batches')}</a>
          </p>
        )}
        {type === 'SCANNER' && at.may('changeOffice') && !isDeleted && printForm()}
        {mayChange && (
          <div class="cards">
            <Card title={t('made.change')}>
              <Form<DeviceActions> action="update" label={t('made.change')}>
                <DeviceFields type={type} gates={gates} managers={managers} device={device} />
                <Submit>{t('made.save')}</Submit>
              </Form>
              <Deletion<DeviceActions> what={type === 'SCANNER' ? 'scanner' : 'device'} />
            </Card>
            <Card title={t('device.token')}>
              <p class="hint">{t('device.tokenHint')}</p>
              <NewCredential<DeviceActions>
                kind="ACCESS_TOKEN"
                action="token"
                name={device.name}
                scopes={SCOPES_OF[device.deviceType]}
              />
            </Card>
          </div>
        )}
      </>
    ),
  };
}

function columnsOf(words: Words, type: DeviceType): Column<StoredDevice>[] {
  const { t } = words;
  return [
    {
      label: t('device.name'),
      value: ({ uuid, name }) => (
        <ResourceLink resource={SEGMENTS[type]} uuid={uuid}>
          {name}
        </ResourceLink>
      ),
    },
    { label: t(STATUS), value: ({ status }) => <Badge status={status} /> },
    ...(type === 'LOCAL_MANAGER'
      ? [
          { label: t('device.host'), value: ({ hostname }: StoredDevice) => <OptionalText of={hostname} /> },
          {
            label: t('device.gates'),
            value: ({ gatesCount }: StoredDevice) => gatesCount,
            number: true as const,
          },
        ]
      : [
          {
            label: t('made.kind'),
            value: ({ scannerType, agentType }: StoredDevice) =>
              kindIn(words, scannerType ?? agentType ?? ''),
          },
        ]),
    ...(type === 'SCANNER'
      ? [{ label: t('gates.gate'), value: ({ gate }: StoredDevice) => <GateLink gate={gate} /> }]
      : []),
    { label: t('device.software'), value: ({ softwareVersion }) => <OptionalText of={softwareVersion} /> },
    { label: t('device.heard'), value: ({ dates }) => <Time at={dates.lastHeartbeatDate} /> },
  ];
}

function factsOf(words: Words, device: StoredDevice) {
  const { t } = words;
  const manager = device.localManagerUuid && (
    <ResourceLink resource="local-manager" uuid={device.localManagerUuid}>
      {t('device.one', { type: 'LOCAL_MANAGER' })}
    </ResourceLink>
  );
  return [
    ...(device.deviceType === 'SCANNER'
      ? ([
          [t('device.serial'), <OptionalText of={device.serialNumber} />],
          [t('gates.gate'), <GateLink gate={device.gate} />],
        ] as const)
      : []),
    ...(device.deviceType === 'LOCAL_MANAGER'
      ? ([
          [t('device.host'), <OptionalText of={device.hostname} />],
          [t('device.gates'), device.gatesCount],
        ] as const)
      : ([
          [t('made.kind'), kindIn(words, device.scannerType ?? device.agentType ?? '')],
          [t('device.belongs'), manager || <OptionalText of={null} />],
        ] as const)),
    ...(device.deviceType === 'AGENT'
      ? ([[t('device.error'), <OptionalText of={device.lastError} />]] as const)
      : []),
    [t('device.software'), <OptionalText of={device.softwareVersion} />],
    [t('device.heard'), <Time at={device.dates.lastHeartbeatDate} />],
    [t('made.created'), <Time at={device.dates.createDate} />],
  ] as const;
}
