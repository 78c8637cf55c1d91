import { client, json, type Send, succeed } from './client.ts';

export const API = '/integration/rest/api/v1';
export const DEVICE_API = '/device/rest/api/v1';
const OPERATOR_API = '/operator/rest/api/v1';
const OPERATOR_KEY = 'local-operator-key';
const PARALLEL = 8;
/** Number of assets of each manifest. */
const ASSETS = 3;
/** Number of the last manifests whose assets are coupled. The first page of the list shows these. */
const COUPLED_MANIFESTS = 40;

/** An organization: clients with an API key and with a device token, and its resources. */
export interface Tenant {
  send: Send;
  device: Send;
  manifests: string[];
  tracks: string[];
}

/** Provision an organization with gates. */
export async function provision(
  origin: string,
  slug: string,
  gates: readonly string[],
): Promise<Pick<Tenant, 'send' | 'device'>> {
  const operator = client(origin, { 'X-OPERATOR-KEY': OPERATOR_KEY });
  const post = <T>(path: string, body: object) =>
    json<T>(operator, { method: 'POST', path: `${OPERATOR_API}/organization${path}`, json: body });
  const { uuid } = await post<{ uuid: string }>('', {
    name: slug,
    slug,
    databaseName: 'DB',
    dispatchStrategy: 'SHIPMENT',
    requestsPerMinute: 1_000_000,
    markerAllocationMaximum: 10_000,
  });
  const key = await post<{ secret: string }>(`/${uuid}/api-key`, { name: 'bench' });
  const token = await post<{ secret: string }>(`/${uuid}/access-token`, {
    name: 'bench',
    scopes: ['GATE_WRITE'],
  });
  await inParallel(gates, (gate) =>
    succeed(operator, {
      method: 'PUT',
      path: `${OPERATOR_API}/organization/${uuid}/gate/${gate}`,
      json: { name: `Gate ${gate}` },
    }),
  );
  return {
    send: client(origin, { 'X-AUTH-KEY': key.secret }),
    device: client(origin, { 'X-Auth-Token': token.secret }),
  };
}

/** Create an organization with a gate and manifests of three assets and one custom field each. */
export async function seedTenant(origin: string, slug: string, count: number): Promise<Tenant> {
  const { send, device } = await provision(origin, slug, ['G1']);
  const manifests = Array.from({ length: count }, (_, index) => `M${index}`);
  const tracks = manifests.slice(-COUPLED_MANIFESTS).flatMap(assetsOf);
  await inParallel(manifests, (externalIdentifier) =>
    succeed(send, {
      method: 'POST',
      path: `${API}/manifest`,
      json: {
        externalIdentifier,
        assets: assetsOf(externalIdentifier),
        customFields: [{ fieldKey: 'carrier', fieldValue: `C${externalIdentifier.at(-1)}` }],
      },
    }),
  );
  await couplePallets(send, tracks);
  return { send, device, manifests: manifests.slice(-COUPLED_MANIFESTS), tracks };
}

/** Couple pallets. @returns the marker codes by WMS id. */
export async function couplePallets(send: Send, wmsIds: readonly string[]): Promise<Map<string, number>> {
  const codes = new Map<string, number>();
  await inParallel(wmsIds, async (wmsId) => {
    const { markerCode } = await json<{ markerCode: number }>(send, {
      method: 'POST',
      path: `${API}/track/get-and-couple?imageDelivery=URL`,
      json: { wmsId },
    });
    codes.set(wmsId, markerCode);
  });
  return codes;
}

const assetsOf = (manifest: string): string[] =>
  Array.from({ length: ASSETS }, (_, index) => `${manifest}-W${index}`);

/** Process the items, a few at a time. */
export async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await run(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}
