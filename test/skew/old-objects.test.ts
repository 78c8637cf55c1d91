import { expect, it } from 'vitest';
import { restoredWorld } from '../contract/restored-world.ts';
import { storedState } from '../contract/state.ts';
import { after, during, expectUnknown } from './rollout.ts';

it('an object that does not know a member refuses the whole request, and takes it after the rollout', async () => {
  const { tenant, names } = await restoredWorld();
  const path = `/manifest/${encodeURIComponent(names.manifest)}`;
  const before = await storedState(tenant);
  const change = ['PUT', path, { assets: ['P-NEW'], priority: 'HIGH' }] as const;
  for (const _ of ['first', 'repeat']) expectUnknown(await during(tenant, change));
  expect(await storedState(tenant)).toEqual(before);
  expect((await after(tenant, change)).status).toBe(200);
  expect((await tenant.call('GET', path)).body).toMatchObject({ priority: 'HIGH', tracksCount: 1 });
  const repeat = await after(tenant, change);
  expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
});

it('an object that does not know a command refuses it, and takes it after the rollout', async () => {
  const { tenant, names } = await restoredWorld();
  const before = await storedState(tenant);
  const path = `/shipment/${encodeURIComponent(names.shipment)}/arrival`;
  const arrival = ['POST', path, { driverName: 'Eva Meier' }] as const;
  for (const _ of ['first', 'repeat']) expectUnknown(await during(tenant, arrival));
  expect(await storedState(tenant)).toEqual(before);
  const taken = await after(tenant, arrival);
  expect([taken.status, taken.body.driverName]).toEqual([200, 'Eva Meier']);
});

it('a write without the new member succeeds during the rollout, and its answer has the default', async () => {
  const { tenant, names } = await restoredWorld();
  const created = { externalIdentifier: names.unused, assets: ['P-1'] };
  expect((await during(tenant, ['POST', '/manifest', created])).status).toBe(201);
  const path = `/manifest/${encodeURIComponent(names.unused)}/custom-field`;
  const answer = await during(tenant, ['POST', path, { fieldKey: 'carrier', fieldValue: 'X' }], 'k2');
  expect([answer.status, answer.body.priority]).toEqual([200, 'NORMAL']);
});
