import { client, json, type Send, succeed } from './client.ts';

export const API = '/integration/rest/api/v1';
const OPERATOR_API = '/operator/rest/api/v1';
const OPERATOR_KEY = 'local-operator-key';
const PARALLEL = 8;
/** Assets of each manifest. */
const ASSETS = 3;
/** The last manifests, whose assets are coupled: those that the first page shows. */
const COUPLED_MANIFESTS = 40;

/** An organization with a key to its API. */
export interface Tenant {
  send: Send;
  manifests: string[];
  tracks: string[];
}

/** Provision an organization with manifests of three assets and a field each, and a gate. */
export async function seedTenant(origin: string, slug: string, count: number): Promise<Tenant> {
  const operator = client(origin, { 'X-OPERATOR-KEY': OPERATOR_KEY });
  const { uuid } = await json<{ uuid: string }>(operator, {
    method: 'POST',
    path: `${OPERATOR_API}/organization`,
    json: { name: slug, slug, requestsPerMinute: 1_000_000, markerAllocationMaximum: 10_000 },
  });
  const { secret } = await json<{ secret: string }>(operator, {
    method: 'POST',
    path: `${OPERATOR_API}/organization/${uuid}/api-key`,
    json: { name: 'bench' },
  });
  await succeed(operator, {
    method: 'PUT',
    path: `${OPERATOR_API}/organization/${uuid}/gate/G1`,
    json: { name: 'Gate 1' },
  });
  const send = client(origin, { 'X-AUTH-KEY': secret });
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
  await inParallel(tracks, (wmsId) =>
    succeed(send, {
      method: 'POST',
      path: `${API}/track/get-and-couple?imageDelivery=URL`,
      json: { wmsId },
    }),
  );
  return { send, manifests: manifests.slice(-COUPLED_MANIFESTS), tracks };
}

const assetsOf = (manifest: string): string[] =>
  Array.from({ length: ASSETS }, (_, index) => `${manifest}-W${index}`);

async function inParallel<T>(items: T[], run: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await run(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}
