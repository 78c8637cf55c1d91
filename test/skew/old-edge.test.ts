import { expect, it } from 'vitest';
import { restoredWorld } from '../contract/restored-world.ts';
import { after, during, expectUnknown } from './rollout.ts';

it('an edge that does not know an answer says 503, and a repeat returns the committed answer after the rollout', async () => {
  const { tenant, names } = await restoredWorld();
  const path = `/scanner/${names.scanner}/printing-batch`;
  const batch = ['POST', path, { quantity: 2, labelFormat: 'PNG' }] as const;
  expect((await during(tenant, batch)).status).toBe(400);
  const { status, body } = await after(tenant, batch);
  expect([status, body.labelFormat]).toEqual([201, 'PNG']);
  const change = ['POST', `${path}/${body.uuid}/status/COMPLETED`] as const;
  expectUnknown(await during(tenant, change, 'k2'));
  const repeat = await after(tenant, change, 'k2');
  expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
  expect(repeat.body).toMatchObject({ status: 'COMPLETED', labelFormat: 'PNG' });
});

it('an edge that sends fewer members and does not know all members of an answer is served', async () => {
  const { tenant, names } = await restoredWorld();
  const path = `/manifest/${encodeURIComponent(names.manifest)}`;
  const change = ['PUT', path, { assets: ['P-NEW'] }] as const;
  expect((await during(tenant, change)).status).toBe(200);
  const field = ['POST', `${path}/custom-field`, { fieldKey: 'carrier', fieldValue: 'X' }] as const;
  const { status, body } = await during(tenant, field, 'k2');
  expect([status, 'priority' in body]).toEqual([200, false]);
  expect((await after(tenant, field, 'k2')).body.priority).toBe('NORMAL');
});
