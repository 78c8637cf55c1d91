import { describe, expect, it } from 'vitest';
import { newGate, newTenant, type Tenant } from '../../../client.ts';

const STATUSES = ['PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'] as const;
type Status = (typeof STATUSES)[number];

/** The status changes from a new manifest to each status. */
const WAY: Record<Status, Status[]> = {
  PLANNED: [],
  TO_DO: ['TO_DO'],
  IN_PROGRESS: ['TO_DO', 'IN_PROGRESS'],
  COMPLETED: ['TO_DO', 'IN_PROGRESS', 'COMPLETED'],
  CANCELLED: ['CANCELLED'],
};
const ALLOWED: Record<Status, Status[]> = {
  PLANNED: ['TO_DO', 'CANCELLED'],
  TO_DO: ['PLANNED', 'IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
};

const move = (tenant: Tenant, id: string, status: string) =>
  tenant.call('POST', `/manifest/${id}/status/${status}`);

async function manifestIn(tenant: Tenant, id: string, status: Status): Promise<void> {
  await tenant.call('POST', '/manifest', { externalIdentifier: id, gateExternalId: 'G', assets: ['P', 'Q'] });
  for (const step of WAY[status]) expect((await move(tenant, id, step)).status).toBe(200);
}

describe('every cell of the transition table', () => {
  it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))(
    'the manifest transition %s → %s follows the table',
    async (from, to) => {
      const tenant = await newTenant();
      await newGate(tenant, 'G');
      await manifestIn(tenant, 'M', from);
      const before = (await tenant.call('GET', '/manifest/M')).body;
      const answer = await move(tenant, 'M', to);
      const after = (await tenant.call('GET', '/manifest/M')).body;
      if (!ALLOWED[from].includes(to)) {
        expect([answer.status, answer.body.code, answer.body.allowedValues]).toEqual([
          400,
          'transitionNotAllowed',
          ALLOWED[from],
        ]);
        expect(answer.body.detail).toBe(
          from === to
            ? `Manifest "M" is ${from} already.`
            : `Manifest "M" is ${from} and cannot become ${to}.`,
        );
        expect(after).toEqual(before);
        return;
      }
      expect([answer.status, answer.body]).toEqual([200, after]);
      expect(after.manifestStatus).toBe(to);
      expect(after.activateDate !== null).toBe(to === 'IN_PROGRESS' || before.activateDate !== null);
      expect(after.closeDate !== null).toBe(to === 'COMPLETED' || to === 'CANCELLED');
      expect('shipmentSummaryUrl' in after).toBe(to === 'COMPLETED');
      expect(after.proofOfShipmentUrl !== null).toBe(to === 'COMPLETED');
    },
  );
});

it('starting a manifest needs a gate and a known status', async () => {
  const tenant = await newTenant();
  await tenant.call('POST', '/manifest', { externalIdentifier: 'M', manifestStatus: 'TO_DO' });
  const started = await move(tenant, 'M', 'IN_PROGRESS');
  expect([started.status, started.body.code]).toEqual([400, 'gateRequired']);
  expect(started.body.detail).toBe('Manifest "M" has no gate. Assign a gate before loading starts.');
  const unknown = await move(tenant, 'M', 'DONE');
  expect([unknown.status, unknown.body.code, unknown.body.allowedValues]).toEqual([
    400,
    'unknownStatus',
    STATUSES,
  ]);
});

it.each(['COMPLETED', 'CANCELLED'] as const)('a manifest that is %s is closed', async (status) => {
  const tenant = await newTenant();
  await newGate(tenant, 'G');
  await manifestIn(tenant, 'M', status);
  const before = [
    (await tenant.call('GET', '/manifest/M')).body,
    (await tenant.call('GET', '/manifest/M/asset')).body,
  ];
  const refused = await Promise.all([
    tenant.call('PUT', '/manifest/M', { assets: [] }),
    tenant.call('POST', '/manifest/M/upsert-assets', { customFields: [] }),
    tenant.call('POST', '/manifest/M/track-record/R'),
    tenant.call('DELETE', '/manifest/M/track-record/P'),
    tenant.call('POST', '/manifest/M/gate/G'),
    tenant.call('POST', '/manifest/M/custom-field', { fieldKey: 'k', fieldValue: 'v' }),
    tenant.call('DELETE', '/manifest/M/custom-field/k'),
  ]);
  for (const answer of refused) expect([answer.status, answer.body.code]).toEqual([409, 'manifestClosed']);
  expect([
    (await tenant.call('GET', '/manifest/M')).body,
    (await tenant.call('GET', '/manifest/M/asset')).body,
  ]).toEqual(before);
});

it('a gate shows LOADING while a manifest is in progress there and cannot be removed', async () => {
  const tenant = await newTenant();
  await newGate(tenant, 'G');
  const gate = async () => (await tenant.call('GET', '/gate')).body.content[0];
  expect(await gate()).toMatchObject({ status: 'AVAILABLE', activeManifestExternalIds: [] });
  await manifestIn(tenant, 'M', 'IN_PROGRESS');
  expect(await gate()).toMatchObject({ status: 'LOADING', activeManifestExternalIds: ['M'] });
  await move(tenant, 'M', 'COMPLETED');
  expect(await gate()).toMatchObject({ status: 'AVAILABLE', activeManifestExternalIds: [] });
});
