import type { Hono } from 'hono';
import { agentList, localManagerList, scannerList } from '../../../device/list.ts';
import { AGENT_STATUSES, LOCAL_MANAGER_STATUSES, SCANNER_STATUSES } from '../../../device/schema.ts';
import { deviceView, SEGMENTS, type StoredDevice, silentBefore } from '../../../device/store.ts';
import { AGENT_TYPES, type DeviceType, SCANNER_TYPES } from '../../../device/table.ts';
import type { PageSchema } from '../../../http/list.ts';
import type { AppEnv } from '../../../http/types.ts';
import { refuse } from '../../../http/write.ts';
import { itemsOf } from '../../../lib/bounded.ts';
import { gateList } from '../../../site/list.ts';
import { Badge, Card, Facts, Value, words } from '../../kit/components.tsx';
import { byUuid, Deleted, found, GateLink, History, rowQuery, To } from '../../kit/detail.tsx';
import { type Listing, listing, listingOf } from '../../kit/listing.tsx';
import { Plate } from '../../kit/marks.tsx';
import { type At, page } from '../../kit/page.tsx';
import type { Column } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';
import { printForm, printingActions } from '../printing-batch/printing.tsx';

/** Gates, and the devices that work there. */
export function sitePages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/gate',
    title: 'Gates',
    right: 'see',
    list: gateList,
    search: 'names and external ids',
    filters: [],
    columns: () => [
      {
        label: 'Gate',
        sort: 'externalIdentifier',
        value: ({ uuid, name, externalIdentifier }) => (
          <To resource="gate" uuid={uuid}>
            <Plate gate={{ name, externalIdentifier }} /> {externalIdentifier}
          </To>
        ),
        plain: ({ externalIdentifier }) => externalIdentifier,
      },
      { label: 'Name', plain: ({ name }) => name, sort: 'name' },
      { label: 'State', status: ({ status }) => status, narrow: 'evident' },
      {
        label: 'In progress',
        value: ({ activeManifestExternalIds, activeShipmentExternalIds }) => (
          <Value
            of={[...itemsOf(activeShipmentExternalIds), ...itemsOf(activeManifestExternalIds)]
              .slice(0, 5)
              .join(', ')}
          />
        ),
      },
      { label: 'Open alerts', value: ({ openAlertsCount }) => openAlertsCount, number: true },
    ],
    empty: 'No gate is like this.',
  });
  devicePages(app, 'SCANNER', {
    title: 'Scanners',
    list: scannerList,
    search: DEVICE_SEARCH,
    filters: [
      { name: 'status', label: 'Status', options: SCANNER_STATUSES },
      { name: 'scannerType', label: 'Kind', options: SCANNER_TYPES },
      { name: 'gateExternalId', label: 'Gate' },
    ],
  });
  devicePages(app, 'LOCAL_MANAGER', {
    title: 'Local managers',
    list: localManagerList,
    search: DEVICE_SEARCH,
    filters: [{ name: 'status', label: 'Status', options: LOCAL_MANAGER_STATUSES }],
  });
  devicePages(app, 'AGENT', {
    title: 'Agents',
    list: agentList,
    search: DEVICE_SEARCH,
    filters: [
      { name: 'status', label: 'Status', options: AGENT_STATUSES },
      { name: 'agentType', label: 'Kind', options: AGENT_TYPES },
    ],
  });
}

const DEVICE_SEARCH = 'names and numbers';

const silenceOf = ({ session }: At): number => silentBefore(session.organization, Date.now());

function devicePages<Z extends PageSchema>(
  app: Hono<AppEnv>,
  type: DeviceType,
  listed: Pick<Listing<Z, StoredDevice, [silent: number]>, 'title' | 'list' | 'search' | 'filters'>,
): void {
  const segment = SEGMENTS[type];
  listingOf(
    app,
    {
      ...listed,
      path: `/app/${segment}`,
      right: 'seeDevices',
      columns: () => columnsOf(type),
      empty: 'Nothing is like this.',
    },
    (at): [silent: number] => [silenceOf(at)],
  );

  page(app, {
    path: `/app/${segment}/:uuid`,
    right: 'seeDevices',
    params: byUuid,
    async view(at, { uuid }) {
      const { database } = at;
      const rows = await database.all(rowQuery(database, 'device', deviceView(silenceOf(at)), uuid));
      const device = found(rows, 'notFound', 'device');
      if (device.deviceType !== type) refuse('notFound', 'There is no such device.');
      const deleted = device.dates.deletedDate !== null;
      return {
        title: device.name,
        aside: (
          <>
            <Badge status={device.status} />
            <Deleted deleted={deleted} />
          </>
        ),
        body: (
          <>
            <Card title={words(type)}>
              <Facts facts={factsOf(device)} />
            </Card>
            {type === 'SCANNER' && at.may('seeOffice') && (
              <p>
                <a href={`/app/printing-batch?scannerUuid=${uuid}`}>Its printing batches</a>
              </p>
            )}
            {type === 'SCANNER' && at.may('changeOffice') && !deleted && printForm()}
            <History at={at} uuid={uuid} />
          </>
        ),
      };
    },
    ...(type === 'SCANNER' ? { actions: printingActions() } : {}),
  });
}

function columnsOf(type: DeviceType): Column<StoredDevice>[] {
  return [
    {
      label: 'Name',
      value: ({ uuid, name }) => (
        <To resource={SEGMENTS[type]} uuid={uuid}>
          {name}
        </To>
      ),
    },
    { label: 'Status', value: ({ status }) => <Badge status={status} /> },
    ...(type === 'LOCAL_MANAGER'
      ? [
          { label: 'Host', value: ({ hostname }: StoredDevice) => <Value of={hostname} /> },
          { label: 'Gates', value: ({ gatesCount }: StoredDevice) => gatesCount, number: true as const },
        ]
      : [
          {
            label: 'Kind',
            value: ({ scannerType, agentType }: StoredDevice) => words(scannerType ?? agentType ?? ''),
          },
        ]),
    ...(type === 'SCANNER'
      ? [{ label: 'Gate', value: ({ gate }: StoredDevice) => <GateLink gate={gate} /> }]
      : []),
    { label: 'Software', value: ({ softwareVersion }) => <Value of={softwareVersion} /> },
    { label: 'Last heard of', value: ({ dates }) => <Time at={dates.lastHeartbeatDate} /> },
  ];
}

function factsOf(device: StoredDevice) {
  const manager = device.localManagerUuid && (
    <To resource="local-manager" uuid={device.localManagerUuid}>
      Local manager
    </To>
  );
  return [
    ...(device.deviceType === 'SCANNER'
      ? ([
          ['Serial number', <Value of={device.serialNumber} />],
          ['Gate', <GateLink gate={device.gate} />],
        ] as const)
      : []),
    ...(device.deviceType === 'LOCAL_MANAGER'
      ? ([
          ['Host', <Value of={device.hostname} />],
          ['Gates', device.gatesCount],
        ] as const)
      : ([
          ['Kind', words(device.scannerType ?? device.agentType ?? '')],
          ['Belongs to', manager || <Value of={null} />],
        ] as const)),
    ...(device.deviceType === 'AGENT' ? ([['Last error', <Value of={device.lastError} />]] as const) : []),
    ['Software', <Value of={device.softwareVersion} />],
    ['Last heard of', <Time at={device.dates.lastHeartbeatDate} />],
    ['Created', <Time at={device.dates.createDate} />],
  ] as const;
}
