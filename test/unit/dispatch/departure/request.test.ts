import { expect, it } from 'vitest';
import { DEPARTURE, Service } from './service.ts';

it.each([
  ['a check of the departures', [DEPARTURE], 1],
  ['no run of jobs if the organization plans no departures', [], 0],
])('the start of loading requests %s', async (_, shipmentCustomFields, requested) => {
  const service = new Service();
  const organization = await service.organization(shipmentCustomFields);
  await service.shipment(organization, 'S');
  const before = service.jobRequests;
  await service.run(organization, 'changeShipmentStatus', { identifier: 'S', status: 'IN_PROGRESS' });
  expect(service.jobRequests - before).toBe(requested);
  await service.run(organization, 'changeShipmentStatus', { identifier: 'S', status: 'COMPLETED' });
  expect(service.jobRequests - before).toBe(requested);
});
