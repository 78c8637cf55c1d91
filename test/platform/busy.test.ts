import { describe, expect, it } from 'vitest';
import { newTenant } from '../workerd/client.ts';

describe('a burst of calls to one organization', () => {
  it('300 pallets that are coupled at the same time get consecutive codes', async () => {
    const tenant = await newTenant();
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        tenant.call('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: `burst-${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const codes = answers.map(({ body }) => body.markerCode).sort((a, b) => a - b);
    expect(codes).toEqual(Array.from({ length: 300 }, (_, index) => codes[0] + index));
  });

  it('300 manifests that are created at the same time are all created', async () => {
    const tenant = await newTenant();
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        tenant.call('POST', '/manifest', {
          externalIdentifier: `burst-${index}`,
          assets: [`pallet-${index}`],
        }),
      ),
    );
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  });
});
