import { operator, type Tenant } from '../../client.ts';

/** Creates a scanner and returns the path of its printing batches. */
export async function newScanner(tenant: Tenant, name = 'Print station'): Promise<string> {
  const created = await operator('POST', `/organization/${tenant.uuid}/scanner`, {
    name,
    scannerType: 'PRINT_STATION',
  });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  return `/scanner/${created.body.uuid}/printing-batch`;
}

/** Creates a batch and returns its body and path. */
export async function newBatch(tenant: Tenant, path: string, json: object = { quantity: 3 }) {
  const created = await tenant.call('POST', path, json);
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  return { batch: created.body, at: `${path}/${created.body.uuid}` };
}
