import { expect, it } from 'vitest';
import { newTenant } from '../client.ts';

it('allocates', async () => {
  const tenant = await newTenant();
  const answer = await tenant.call('POST', '/marker-code/allocate?quantity=2&imageDelivery=URL');
  expect(answer.status).toBe(200);
  expect(answer.body.entries.map((entry: { markerCode: number }) => entry.markerCode)).toEqual([
    1e9,
    1e9 + 1,
  ]);
});
