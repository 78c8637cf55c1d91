import { expect, it } from 'vitest';
import { newTenant } from '../workerd/client.ts';
import { document } from './document.ts';

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

it('a refusal names at most 100 items, and says how many there are where they were counted', async () => {
  const tenant = await newTenant();
  const unknown = Object.fromEntries(many(300, (index) => [`unknown${index}`, 1]));
  const references = (count: number) => many(count, (index) => ({ manifestExternalId: `M${index}` }));
  const requests: [string, string, unknown, number, string][] = [
    [
      'POST',
      '/manifest',
      { externalIdentifier: 'M', assets: many(5_000, (index) => index) },
      400,
      'More than 100 ',
    ],
    ['POST', '/manifest', { externalIdentifier: 'M', ...unknown }, 400, 'More than 100 '],
    [
      'GET',
      `/manifest?${many(150, (index) => `unknown${index}=1`).join('&')}`,
      undefined,
      400,
      'More than 100 ',
    ],
    ['POST', '/shipment', { identifier: 'S', manifests: references(1_000) }, 409, '1000 '],
    ['POST', '/shipment', { identifier: 'S', manifests: references(101) }, 409, '101 '],
  ];
  for (const [index, [method, path, json, status, count]] of requests.entries()) {
    const key = `K${index}`;
    const { status: answered, body } = await tenant.call(method, path, json, { 'Idempotency-Key': key });
    expect([answered, body.errors.length]).toEqual([status, 100]);
    expect(body.detail).toContain(count);
    expect(body.detail).toContain('Only the first 100 failing items are listed.');
    const again = await tenant.call(method, path, json, { 'Idempotency-Key': key });
    expect(again.body.errors).toEqual(body.errors);
  }
  const whole = await tenant.call('POST', '/shipment', { identifier: 'S', manifests: references(100) });
  expect([whole.body.errors.length, /first/.test(whole.body.detail)]).toEqual([100, false]);
  expect(document.components.schemas.Problem.properties.errors.maxItems).toBe(100);
});
