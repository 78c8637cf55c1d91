import { expect, it } from 'vitest';
import { partsOf } from '../../../../src/log/operation/rules.ts';
import { Service } from './service.ts';

const HOUR = 3_600_000;
const [EARLY, LATE] = [Date.now() + HOUR, Date.now() + 2 * HOUR];
const departs = (date: number) => ({ fieldKey: 'etd', fieldValue: new Date(date).toISOString() });

/** When departures are checked next; undefined for never. */
const due = ({ sqlite }: Service) => sqlite.prepare('SELECT due_date FROM departure_due').get()?.['due_date'];

/** An organization with shipment S, which departs late. Its departures are checked then. */
async function planned() {
  const service = new Service();
  const organization = await service.organization();
  const run = (name: Parameters<Service['run']>[1], input: object) =>
    service.run<{ operationUuid: string }>(organization, name, input);
  await service.shipment(organization, 'S');
  expect(due(service)).toBeUndefined();
  await run('putShipmentField', { identifier: 'S', field: departs(LATE) });
  service.sqlite.exec(`UPDATE departure_due SET due_date = ${LATE}`);
  const create = async (identifier: string, date: number) => {
    const manifests = [{ manifestExternalId: `M-${identifier}`, manifestUuid: null }];
    const named = {
      externalIdentifier: `M-${identifier}`,
      gateExternalId: null,
      customFields: [],
      assets: [],
    };
    await run('createManifest', { ...named, manifestStatus: 'PLANNED' });
    const given = { identifier, gateIdentifier: 'G', notes: null, manifests };
    await run('createShipment', { ...given, customFields: [departs(date)] });
  };
  return { service, run, create };
}

it('a new shipment brings the next check forward to its departure, and a later departure does not', async () => {
  const { service, create } = await planned();
  await create('T', LATE + HOUR);
  expect(due(service)).toBe(LATE);
  await create('U', EARLY);
  expect(due(service)).toBe(EARLY);
});

it('a list of orders brings the next check forward to the first departure of its shipments', async () => {
  const { service, run } = await planned();
  const shipment = (externalIdentifier: string, date: number) => ({
    externalIdentifier,
    customFields: [departs(date)],
  });
  const order = (externalIdentifier: string, of: string) => ({
    externalIdentifier,
    shipment: of,
    assets: [],
  });
  const orders = [order('O', 'T'), order('P', 'U')];
  await run('createOrders', {
    gateIdentifier: null,
    orders,
    shipments: [shipment('T', LATE), shipment('U', EARLY)],
  });
  expect(due(service)).toBe(EARLY);
});

type Planned = Awaited<ReturnType<typeof planned>>;
const item = (fieldValue: string) => ({
  identifier: 'S',
  input: [{ fieldKey: 'etd', fieldValue }],
});
const replacement = {
  identifier: 'S',
  ifMatch: null,
  newIdentifier: null,
  gateIdentifier: null,
  notes: null,
};

it.each<[string, (world: Planned) => Promise<unknown>]>([
  [
    'a departure that moves',
    ({ run }) => run('putShipmentField', { identifier: 'S', field: departs(LATE + HOUR) }),
  ],
  [
    'a departure that is removed',
    ({ run }) => run('removeShipmentField', { identifier: 'S', fieldKey: 'etd' }),
  ],
  [
    'a departure in a PUT of the shipment',
    ({ run }) =>
      run('replaceShipment', { ...replacement, manifests: null, customFields: [departs(LATE + HOUR)] }),
  ],
  [
    'a departure that is set with another status',
    ({ run }) =>
      run('changeShipmentStatus', {
        identifier: 'S',
        status: 'IN_PROGRESS',
        fields: [{ fieldKey: 'etd', fieldValue: '' }],
      }),
  ],
  [
    'a departure in a bulk upsert',
    async ({ run }) => {
      const items = partsOf([item(new Date(LATE + HOUR).toISOString())]);
      const { operationUuid } = await run('acceptBulkUpsert', {
        items,
        errorBehaviour: 'PROCEED',
        requestId: 'r',
      });
      await run('carryOutBulkUpsert', { operationUuid });
    },
  ],
])('%s requests a check now', async (_, act) => {
  const world = await planned();
  await act(world);
  expect(due(world.service)).toBe(0);
});

it.each([
  [
    'the same instant in another notation',
    { fieldKey: 'etd', fieldValue: `${new Date(LATE).toISOString().slice(0, -1)}+00:00` },
  ],
])('%s requests no check', async (_, field) => {
  const { service, run } = await planned();
  await run('putShipmentField', { identifier: 'S', field });
  expect(due(service)).toBe(LATE);
});
