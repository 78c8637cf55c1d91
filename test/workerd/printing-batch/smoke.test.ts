import { expect, it } from 'vitest';
import { newTenant } from '../client.ts';
import { newBatch, newScanner } from './batches.ts';
it('smoke', async () => {
  const tenant = await newTenant();
  const path = await newScanner(tenant);
  const { batch, at } = await newBatch(tenant, path, { quantity: 5 });
  console.log(batch);
  console.log((await tenant.call('GET', path)).body);
  const pdf = await tenant.call('GET', `${at}/sheet.pdf`);
  console.log(pdf.status, pdf.body.length ?? pdf.body, [...pdf.headers]);
  const zpl = await tenant.call('GET', `${at}/sheet.zpl`);
  console.log(new TextDecoder().decode(zpl.body).slice(0, 1500));
  console.log((await tenant.call('GET', `${at}/status/COMPLETED`)).body, (await tenant.call('HEAD', `${at}/status/COMPLETED`)).headers.get('Allow'));
  expect(1).toBe(1);
});
